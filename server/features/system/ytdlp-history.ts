import type { AppContext } from '../../platform/context/app-context.ts';
import type { Db } from '../../platform/db/db.ts';
import { isLowerVersion } from '../../platform/ytdlp/release.ts';

/** Returns the version of yt-dlp that the archive uses, or undefined. */
export const usedYtdlp = async (db: Db) =>
  (await db.selectFrom('ytdlpHistory').select('version').orderBy('since', 'desc').limit(1).executeTakeFirst())?.version;

/** Records the version of yt-dlp and its start date if it has changed, however it was installed. */
export async function recordYtdlpVersion({
  db,
  tools,
  now,
  log,
}: Pick<AppContext, 'db' | 'tools' | 'now' | 'log'>): Promise<void> {
  const version = tools.ytdlp?.version;
  if (!version) return;
  try {
    if ((await usedYtdlp(db)) === version) return;
    const row = { since: now(), version };
    await db
      .insertInto('ytdlpHistory')
      .values(row)
      .onConflict((c) => c.column('since').doUpdateSet({ version }))
      .execute();
  } catch (error) {
    log.warn({ err: error }, 'cannot record the yt-dlp version');
  }
}

/** Records the version at the start. A node with an older one than the archive uses installs that one instead (followYtdlp). */
export async function recordStartedYtdlp(app: AppContext): Promise<void> {
  const { config, db, tools } = app;
  const used = config.node === undefined ? undefined : await usedYtdlp(db).catch(() => undefined);
  if (!used || !tools.ytdlp || !isLowerVersion(tools.ytdlp.version, used)) await recordYtdlpVersion(app);
}
