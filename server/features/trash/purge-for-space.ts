import type { AppContext } from '../../platform/context/app-context.ts';
import { trashTotals } from '../../archive/storage/trash-totals.ts';
import { freeMediaSpace } from '../../archive/storage/disk-space.ts';
import { gigabyte } from '../../platform/files/free-space.ts';
import { whyMediaUnavailable } from '../../archive/storage/mount-check.ts';
import { purge, type PurgeResult } from './purge.ts';

/**
 * Returns the oldest trash entries to purge so that downloads have enough space; none if there is enough, or if purging
 * everything would not suffice. `wasFull`: the disk was full recently, whatever the reserve setting is.
 */
export async function purgeableForSpace(app: AppContext, { wasFull = false } = {}): Promise<number[]> {
  if (await whyMediaUnavailable(app)) return [];
  const { free, reserve } = await freeMediaSpace(app);
  // With a bucket, the full disk is that of a server, on which nothing in the trash takes space.
  const needsMore = wasFull && !app.files.isRemote;
  let missing = Math.max(reserve, needsMore ? gigabyte : 0) - free;
  if (missing <= 0 || (await trashTotals(app)).sizeBytes < missing) return [];
  const oldest = await app.db
    .selectFrom('trash')
    .select(['number', 'sizeBytes'])
    .orderBy('deletedAt')
    .orderBy('number')
    .execute();
  const going: number[] = [];
  for (const { number, sizeBytes } of oldest) {
    if (missing <= 0) break;
    going.push(number);
    missing -= sizeBytes;
  }
  return going;
}

/** Purges only as many of the oldest trash entries as downloads need. Returns the purged entries. */
export async function purgeForSpace(app: AppContext, { wasFull = false } = {}): Promise<PurgeResult[]> {
  const gone = await purge(app, await purgeableForSpace(app, { wasFull }));
  for (const { videoId, title } of gone) app.log.warn({ id: videoId, title }, 'purged from the trash to free disk space');
  return gone;
}
