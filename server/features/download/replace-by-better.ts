import { parseOverrides, readSettings } from '../../archive/settings/store.ts';
import { isCoolingDown } from '../../archive/sites/site-cooldowns.ts';
import { mayUpgrade, parseUpgradeLog } from '../../archive/video/upgrade.ts';
import type { AppContext } from '../../platform/context/app-context.ts';
import { redownload } from './redownload.ts';

/**
 * Downloads one video again of which the source has a better quality, where that is wanted without asking. With one an hour, a changed
 * setting does not download the library at once.
 */
export async function replaceByBetter(app: AppContext): Promise<void> {
  const { db, tools, now } = app;
  if (!tools.ytdlp || !tools.ffmpeg) return;
  const { downloads } = await readSettings(db);
  const rows = db
    .selectFrom('facet')
    .innerJoin('video', 'video.id', 'facet.videoId')
    .innerJoin('channel', 'channel.id', 'video.channelId')
    .select(['video.id', 'video.site', 'video.upgradeLog', 'channel.overwrites'])
    .where('facet.kind', '=', 'limited')
    .where('video.upgrade', 'is not', null)
    .where('video.isActive', '=', 1)
    // People who protect a video want this file.
    .where('video.isProtected', '=', 0)
    .where((e) => e.not(e.exists(e.selectFrom('download').select('id').whereRef('download.id', '=', 'video.id'))))
    .orderBy('video.publishedAt', 'desc')
    .orderBy('video.id');
  for (const { id, site, upgradeLog, overwrites } of await rows.execute()) {
    const log = parseUpgradeLog(upgradeLog);
    if ((parseOverrides(overwrites).upgrade ?? downloads.upgrade) !== 'auto' || !mayUpgrade(log, now())) continue;
    if (await isCoolingDown(app, site)) continue;
    const attempts = [...log.attempts, now()];
    await db
      .updateTable('video')
      .set({ upgradeLog: JSON.stringify({ ...log, attempts }) })
      .where('id', '=', id)
      .execute();
    if ((await redownload(app, [id], 'better')) > 0) return;
  }
}
