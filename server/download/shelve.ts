import { dirname, join } from 'node:path';
import { mkdir } from 'node:fs/promises';
import type { Archive } from '../archive.ts';
import { clearTheWay } from '../bin/files.ts';
import { saveKnownChannel } from '../channel/save-known.ts';
import { inTransaction } from '../db/db.ts';
import { inCache, keepFiles, letGo, removePending } from '../library/removal.ts';
import { shelveFiles } from '../media/shelf.ts';
import { makeThumbnail, stillOf } from '../media/thumbnail.ts';
import { dropRenditions } from '../rendition/keep.ts';
import { filesOf } from '../video/media-path.ts';
import { saveArchived } from '../video/save-archived.ts';
import { thumbnailPath } from '../video/thumbnail-path.ts';
import { removeDownload, type Manifest } from './manifest.ts';

/** The thumbnail, from the picture that came along, else a still of the video. That there is none stops nothing. */
async function makePicture({ config, tools, log }: Archive, folder: string, { thumbnail, video }: Manifest) {
  if (!tools.ffmpeg) return;
  const target = join(config.cacheFolder, thumbnailPath(video.id));
  const { signal } = new AbortController();
  try {
    await mkdir(dirname(target), { recursive: true });
    if (!thumbnail) throw new Error('the site sent no picture');
    await makeThumbnail(tools.ffmpeg, join(folder, thumbnail), target, signal);
  } catch (problem) {
    log.info({ id: video.id, err: problem }, 'the thumbnail is taken from the video');
    await stillOf(tools.ffmpeg, join(config.mediaFolder, video.mediaPath), video.durationSeconds / 10, target, signal).catch(
      (error: unknown) => log.warn({ id: video.id, err: error }, 'there is no thumbnail'),
    );
  }
}

/**
 * Brings a download that has its manifest to the shelf, and into the archive: files first and the media file last, then
 * every row in one transaction, then the folder goes. Each step may be done again, so a start after a crash at any point
 * just comes here once more. Throws Taken when another file stands at a name.
 */
export async function shelve(archive: Archive, folder: string, manifest: Manifest) {
  const { db, config, announce, events, now } = archive;
  const { files, video, channel, isForced } = manifest;
  // A deleted one of the same video may still be on its way into the bin.
  await clearTheWay(
    archive,
    files.map(({ to }) => to),
  );
  await shelveFiles(
    files.map((file) => ({ ...file, from: join(folder, file.from), to: join(config.mediaFolder, file.to) })),
    { replaces: isForced },
  );

  const before = await inTransaction(db, async (tx) => {
    const earlier = isForced ? await filesOf(tx, video.id) : [];
    await saveKnownChannel(tx, channel, now());
    await saveArchived(tx, video, now());
    // By what it is: in a database that was gone back to, its number may be another item's.
    await tx.deleteFrom('download').where('id', '=', video.id).execute();
    // Fetched again in another format: what is not part of it any more goes.
    await letGo(tx, earlier);
    await keepFiles(tx, [...files.map(({ to }) => to), ...(await filesOf(tx, video.id)), inCache(thumbnailPath(video.id))]);
    return earlier;
  });
  await makePicture(archive, folder, manifest);
  await removePending(archive, before);
  if (isForced) await dropRenditions(archive, video.id);
  await removeDownload(folder);
  announce('video', 'channel', 'playlist', 'download');
  if (!isForced) events.arrived({ youtube_id: video.id, title: video.title, channel_id: channel.id, channel_name: channel.name });
}
