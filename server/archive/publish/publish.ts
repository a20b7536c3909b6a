import { dirname, join } from 'node:path';
import { mkdir } from 'node:fs/promises';
import type { AppContext } from '../../platform/context/app-context.ts';
import { clearTargetPaths, moveTrashFiles } from '../storage/trash-files.ts';
import { trashReplacedFile } from '../storage/replaced-file.ts';
import { upsertChannel } from '../channel/upsert-channel.ts';
import type { NotifyEvent } from '#contract/notify.ts';
import { inTransaction, type Db, type Tx } from '../../platform/db/db.ts';
import { queueEvent } from '../outbox/queue-event.ts';
import { cancelDeletion, scheduleDeletion, deletePendingFiles } from '../storage/pending-deletions.ts';
import { PathTakenError, placeFiles } from '../../platform/files/files.ts';
import { makeThumbnail, extractFrame } from '../../platform/media/thumbnail.ts';
import { deleteRenditions } from '../storage/rendition-files.ts';
import { filesOf } from '../video/media-files.ts';
import { saveArchivedVideo } from '../video/save-archived.ts';
import { thumbnailPath } from '../storage/thumbnail-path.ts';
import { LeaseLostError } from '../../platform/context/task.ts';
import type { Lease, QueueItem } from '../queue/claims.ts';
import { existingIds } from '../video/store.ts';
import { parseManifest, removeDownload, writeManifest, type Manifest } from './manifest.ts';
import { beginUpload, commitUpload, newStem, putFiles, resumeUpload, stemOf } from '../storage/upload.ts';
import { workDirOf } from './work-dir.ts';
import { inCache } from '../../platform/storage/stored-path.ts';

/** Creates the thumbnail from the downloaded image, else from a frame of the video `media`. Errors are only logged. */
async function createThumbnail(app: AppContext, folder: string, { thumbnail, video }: Manifest, media: string) {
  const { config, tools, log, files } = app;
  if (!tools.ffmpeg) return;
  const target = join(config.cacheFolder, thumbnailPath(video.id));
  const { signal } = new AbortController();
  try {
    await mkdir(dirname(target), { recursive: true });
    try {
      if (!thumbnail) throw new Error('the site sent no picture');
      await makeThumbnail(tools.ffmpeg, join(folder, thumbnail), target, signal);
    } catch (problem) {
      log.info({ id: video.id, err: problem }, 'the thumbnail is taken from the video');
      await extractFrame(tools.ffmpeg, media, video.durationSeconds / 10, target, signal);
    }
    await files.save(inCache(thumbnailPath(video.id)));
  } catch (error) {
    log.warn({ id: video.id, err: error }, 'cannot create a thumbnail');
  }
}

const archivedEvent = ({ video, channel }: Manifest): NotifyEvent => ({
  event: 'video.archived',
  data: {
    video: {
      id: video.id,
      title: video.title,
      kind: video.kind,
      duration_seconds: video.durationSeconds,
      size_bytes: video.sizeBytes,
      published: video.publishedAt,
    },
    channel: { id: channel.id, name: channel.name },
  },
});

/** @throws LeaseLostError if the queue item was claimed again, or is gone because its next holder has archived the video */
async function refuseLostLease(db: Db | Tx, { video: { id }, isForced }: Manifest, lease: Lease) {
  const item = await db.selectFrom('download').select(['leasedBy', 'epoch']).where('id', '=', id).executeTakeFirst();
  const isLost = item
    ? item.leasedBy !== lease.leasedBy || item.epoch !== lease.epoch
    : !isForced && (await existingIds(db, [id])).size > 0;
  if (isLost) throw new LeaseLostError();
}

/** Writes the manifest of a complete download, and records the upload to a bucket. */
export async function recordManifest(app: AppContext, folder: string, manifest: Manifest): Promise<void> {
  const { video, number, files } = manifest;
  if (app.files.isRemote) await beginUpload(app, { id: video.mediaPath, number, paths: files.map(({ to }) => to) });
  await writeManifest(folder, manifest);
}

/** Returns the manifest with other file names, which no upload has used. */
function withNewNames(app: AppContext, manifest: Manifest): Manifest {
  const { video } = manifest;
  const [before, after] = [stemOf(video.mediaPath), newStem(app, video.channelId, video.id)];
  const renamed = (path: string) => (path.startsWith(before) ? after + path.slice(before.length) : path);
  return {
    ...manifest,
    files: manifest.files.map((file) => ({ ...file, to: renamed(file.to) })),
    video: {
      ...video,
      mediaPath: renamed(video.mediaPath),
      subtitles: video.subtitles.map((subtitle) => ({ ...subtitle, path: renamed(subtitle.path) })),
      ...(video.chat && { chat: { ...video.chat, path: renamed(video.chat.path) } }),
    },
  };
}

const mediaPathOf = async (db: Db, id: string) =>
  (await db.selectFrom('video').select('mediaPath').where('id', '=', id).executeTakeFirst())?.mediaPath;

/** @throws PathTakenError if the video has a file in the bucket, from a download that was published meanwhile */
async function refuseDuplicate({ db, files }: AppContext, { video: { id, mediaPath }, isForced }: Manifest) {
  if (isForced) return;
  const present = await mediaPathOf(db, id);
  if (present !== undefined && present !== mediaPath && (await files.stat(present))) throw new PathTakenError(present);
}

/** Puts the file that the download replaces into the trash, if its manifest says so. Returns the stored paths. */
async function trashReplaced(app: AppContext, { replacedFolder: folder, video: { id: videoId } }: Manifest): Promise<string[]> {
  if (folder === undefined) return [];
  const now = app.now();
  const paths = await inTransaction(app.db, (tx) => trashReplacedFile(tx, app.files, { videoId, folder, now }));
  await moveTrashFiles(app, folder);
  return paths;
}

/** Moves the files into the library, the media file last. Returns the manifest with their final names. */
async function placeOnDisk(app: AppContext, folder: string, manifest: Manifest): Promise<Manifest> {
  const { files, isForced } = manifest;
  // Files of a deleted copy of the video may not have been moved to the trash yet.
  await clearTargetPaths(
    app,
    files.map(({ to }) => to),
  );
  await placeFiles(
    files.map((file) => ({ ...file, from: join(folder, file.from), to: join(app.config.mediaFolder, file.to) })),
    { replaces: isForced },
  );
  return manifest;
}

/** Uploads the files, the thumbnail, and the manifest, with which any server can write the rows. */
async function placeInBucket(app: AppContext, folder: string, manifest: Manifest, signal?: AbortSignal): Promise<Manifest> {
  await refuseDuplicate(app, manifest);
  let current = manifest;
  if (!(await resumeUpload(app, manifest.video.mediaPath))) {
    current = withNewNames(app, manifest);
    await recordManifest(app, folder, current);
  }
  const { files, video } = current;
  await putFiles(
    app,
    files.map((file) => ({ ...file, local: join(folder, file.from), path: file.to })),
    signal,
  );
  // The image of a deleted copy of the video may not have been moved to the trash yet.
  await clearTargetPaths(app, [inCache(thumbnailPath(video.id))]);
  await createThumbnail(app, folder, current, join(folder, files.at(-1)!.from));
  await app.db
    .updateTable('upload')
    .set({ manifest: JSON.stringify(current) })
    .where('id', '=', video.mediaPath)
    .execute();
  return current;
}

/** Writes all rows of a video whose files are at their place, and deletes the queue item. Returns its files before. */
async function saveRows(app: AppContext, manifest: Manifest, trashed: string[], lease?: Lease): Promise<string[]> {
  const { db, now } = app;
  const { files, video, channel, isForced } = manifest;
  const { isRemote } = app.files;
  if (isRemote) await refuseDuplicate(app, manifest);
  return inTransaction(db, async (tx) => {
    if (lease) await refuseLostLease(tx, manifest, lease);
    if (isRemote) await commitUpload(tx, video.mediaPath);
    // By id, not by number: in a restored database the number may belong to another item.
    await tx.deleteFrom('download').where('id', '=', video.id).execute();
    const before = isForced || isRemote ? await filesOf(tx, video.id) : [];
    const earlier = before.filter((path) => !trashed.includes(path));
    await upsertChannel(tx, channel, now());
    await saveArchivedVideo(tx, video, now());
    // After a download in another format, files that are no longer part of the video are deleted.
    await scheduleDeletion(tx, earlier);
    if (!isForced) await queueEvent(tx, archivedEvent(manifest), now());
    await cancelDeletion(tx, [...files.map(({ to }) => to), ...(await filesOf(tx, video.id)), inCache(thumbnailPath(video.id))]);
    return earlier;
  });
}

/** Removes the work folder, deletes the files that were replaced, and tells everyone. */
async function complete(
  app: AppContext,
  folder: string,
  { video, channel, isForced, replacedFolder }: Manifest,
  before: string[],
) {
  const { announce, events } = app;
  await deletePendingFiles(app, before);
  if (isForced) await deleteRenditions(app, video.id);
  await removeDownload(folder);
  announce('video', 'channel', 'playlist', 'download', ...(replacedFolder === undefined ? [] : (['trash'] as const)));
  if (!isForced) events.arrived({ youtube_id: video.id, title: video.title, channel_id: channel.id, channel_name: channel.name });
}

/**
 * Moves a download with a manifest into the library: files first, the media file last, then all rows in one transaction, then the
 * work folder is deleted. Every step can be repeated, so a start after a crash calls this again. The signal stops an upload.
 * @throws PathTakenError if another file has one of the names
 * @throws LeaseLostError if `lease` is no longer that of the queue item
 */
export async function publish(
  app: AppContext,
  folder: string,
  manifest: Manifest,
  { lease, signal }: { lease?: Lease; signal?: AbortSignal } = {},
) {
  // Before the files, whose names are taken if the next holder was faster.
  if (lease) await refuseLostLease(app.db, manifest, lease);
  const { isRemote } = app.files;
  // Its rows were written, and the server ended before it removed the folder.
  if (isRemote && (await mediaPathOf(app.db, manifest.video.id)) === manifest.video.mediaPath) return removeDownload(folder);
  const trashed = await trashReplaced(app, manifest);
  const placed = await (isRemote ? placeInBucket : placeOnDisk)(app, folder, manifest, signal);
  const before = await saveRows(app, placed, trashed, lease);
  if (!isRemote) await createThumbnail(app, folder, placed, join(app.config.mediaFolder, placed.video.mediaPath));
  await complete(app, folder, placed, before);
}

/**
 * Writes the rows of a download whose files are all in the bucket, after the server that uploaded them has ended. Returns its
 * manifest; null if there is none.
 * @throws LeaseLostError if `item` is no longer that of the queue item
 */
export async function finishUpload(app: AppContext, item: QueueItem): Promise<Manifest | null> {
  if (!app.files.isRemote) return null;
  const row = await app.db
    .selectFrom('upload')
    .select('manifest')
    .where('number', '=', item.number)
    .where('manifest', 'is not', null)
    .orderBy('startedAt', 'desc')
    .executeTakeFirst();
  const manifest = row?.manifest ? parseManifest(row.manifest) : null;
  if (manifest?.video.id !== item.id) return null; // the number belonged to another item of a restored database
  const before = await saveRows(app, manifest, await trashReplaced(app, manifest), item);
  await complete(app, workDirOf(app, item.number), manifest, before);
  return manifest;
}
