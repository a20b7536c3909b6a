import { join } from 'node:path';
import type { Archive } from '../archive.ts';
import { inTransaction } from '../db/db.ts';
import { ignoreVideo } from '../download/ignore.ts';
import { notFound } from '../http/problem.ts';
import { letGo, removePending } from '../library/removal.ts';
import { removeFile } from '../media/shelf.ts';
import { earlierPictures, removeEarlierPictures } from './earlier.ts';
import { findDuration } from './store.ts';
import { thumbnailPath } from './thumbnail-path.ts';

/**
 * Deletes a video. In one transaction its row goes with all that hangs on it, the files that go with it are written down,
 * and it comes on the ignore list when asked; then the files go, now or, after a crash, at the next start.
 */
export async function deleteVideo(archive: Archive, id: string, { andIgnore = false } = {}) {
  const { db, config, announce, now } = archive;
  const video = await findDuration(db, id);
  if (!video) throw notFound('video');
  const beside = video.mediaPath.replace(/\.[^.]+$/, '.info.json');
  const { paths, pictures } = await inTransaction(db, async (tx) => {
    const earlier = await earlierPictures(tx, id);
    const subtitles = await tx.selectFrom('subtitle').select('path').where('videoId', '=', id).execute();
    const files = [video.mediaPath, beside, ...subtitles.map((subtitle) => subtitle.path)];
    if (andIgnore) await ignoreVideo(tx, id, now());
    await letGo(tx, files);
    const custom = tx.selectFrom('playlist').select('id').where('kind', '=', 'custom');
    await tx.deleteFrom('playlistEntry').where('videoId', '=', id).where('playlistId', 'in', custom).execute();
    await tx.deleteFrom('video').where('id', '=', id).execute();
    return { paths: files, pictures: earlier };
  });
  await removePending(archive, paths);
  await removeEarlierPictures(archive, pictures);
  await removeFile(join(config.cacheFolder, thumbnailPath(id)));
  announce('video', 'channel', 'playlist');
}
