import { message, type Message } from '#contract/messages.ts';
import type { AppContext } from '../../platform/context/app-context.ts';
import { whyMediaUnavailable } from './mount-check.ts';
import { freeBytes, gigabyte, inGigabytes } from '../../platform/files/free-space.ts';
import { trashTotals } from './trash-totals.ts';
import { readSettings } from '../settings/store.ts';

/** Returns the free bytes of the file system of a folder, and the bytes to keep free according to the settings. */
export async function freeSpaceIn(app: AppContext, folder: string): Promise<{ free: number; reserve: number }> {
  const { queue } = await readSettings(app.db);
  return { free: await freeBytes(folder), reserve: queue.reserve * gigabyte };
}

/** Returns the bytes of videos and trash in the bucket, and its size according to the settings; null: unlimited. */
export async function bucketUse({ db }: Pick<AppContext, 'db'>): Promise<{ used: number; quota: number | null }> {
  const { queue } = await readSettings(db);
  const videos = await db
    .selectFrom('videoKindCount')
    .select((e) => e.fn.coalesce(e.fn.sum<number>('sizeBytes'), e.lit(0)).as('sizeBytes'))
    .executeTakeFirstOrThrow();
  const trash = await trashTotals({ db });
  return { used: videos.sizeBytes + trash.sizeBytes, quota: queue.quota === null ? null : queue.quota * gigabyte };
}

/**
 * Returns the free bytes for media, and the bytes to keep free: on the disk of the media folder, or what the quota of the bucket
 * leaves (Infinity without one).
 */
export async function freeMediaSpace(app: AppContext): Promise<{ free: number; reserve: number }> {
  if (!app.files.isRemote) return freeSpaceIn(app, app.config.mediaFolder);
  const { used, quota } = await bucketUse(app);
  const { queue } = await readSettings(app.db);
  return { free: quota === null ? Infinity : quota - used, reserve: queue.reserve * gigabyte };
}

/** Returns the free and the required space in GB if `bytes` do not fit, else null. */
export async function missingSpace(
  app: AppContext,
  folder: string,
  bytes: number,
): Promise<{ free: number; needed: number } | null> {
  return lacking(await freeSpaceIn(app, folder), bytes);
}

const lacking = ({ free, reserve }: { free: number; reserve: number }, bytes: number) =>
  free >= bytes + reserve ? null : { free: inGigabytes(free), needed: inGigabytes(bytes + reserve) };

/** As `missingSpace`, for a new media file: where it is made, and in the bucket if there is one. */
export async function missingMediaSpace(app: AppContext, bytes: number): Promise<{ free: number; needed: number } | null> {
  const missing = await missingSpace(app, app.config.mediaFolder, bytes);
  return missing ?? (app.files.isRemote ? lacking(await freeMediaSpace(app), bytes) : null);
}

/** Returns why the quota of the bucket leaves no space for `bytes` more, or null. */
export async function whyBucketFull(app: AppContext, bytes = 0): Promise<Message | null> {
  if (!app.files.isRemote) return null;
  const { free, reserve } = await freeMediaSpace(app);
  if (free - bytes >= reserve) return null;
  const { used, quota } = await bucketUse(app);
  return message('download.bucket-full', {
    used: inGigabytes(used),
    quota: inGigabytes(quota ?? 0),
    reserve: reserve / gigabyte,
  });
}

/** Returns why no download can start because of disk space, or null. */
export async function whyNoSpace(app: AppContext): Promise<Message[] | null> {
  const { config, files } = app;
  // Nothing is written into the mount point of an unmounted disk.
  const unavailable = await whyMediaUnavailable(app);
  if (unavailable) return [unavailable, message('disk.downloads-wait')];
  const bucketFull = await whyBucketFull(app);
  if (bucketFull) return [bucketFull];
  for (const folder of new Set([config.mediaFolder, config.dataFolder, ...(files.isRemote ? [config.cacheFolder] : [])])) {
    const { free, reserve } = await freeSpaceIn(app, folder);
    const id = files.isRemote ? 'download.low-local-space' : 'download.low-space';
    if (free < reserve) return [message(id, { free: inGigabytes(free), folder, reserve: reserve / gigabyte })];
  }
  return null;
}
