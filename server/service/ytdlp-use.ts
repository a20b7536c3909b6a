import type { Archive } from '../archive.ts';

/** Writes down since when this yt-dlp is used, when it was another before: whoever brought it, we or the machine. */
export async function noteYtdlp({ db, tools, now, log }: Archive): Promise<void> {
  const version = tools.ytdlp?.version;
  if (!version) return;
  try {
    const last = await db.selectFrom('ytdlpUse').select('version').orderBy('since', 'desc').limit(1).executeTakeFirst();
    if (last?.version === version) return;
    const row = { since: now(), version };
    await db
      .insertInto('ytdlpUse')
      .values(row)
      .onConflict((c) => c.column('since').doUpdateSet({ version }))
      .execute();
  } catch (error) {
    log.warn({ err: error }, 'since when this yt-dlp is used could not be written down');
  }
}
