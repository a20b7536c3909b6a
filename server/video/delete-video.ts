import type { Archive } from '../archive.ts';
import { inTransaction } from '../db/db.ts';
import { ignoreVideo } from '../download/ignore.ts';
import { notFound } from '../http/problem.ts';
import { inCache, inEarlier, letGo, removePending } from '../library/removal.ts';
import { earlierPictures } from './earlier.ts';
import { filesOf } from './media-path.ts';
import { storyboardFilesOf } from './storyboard-path.ts';
import { thumbnailPath } from './thumbnail-path.ts';

/**
 * Deletes a video. In one transaction its row goes with all that hangs on it, the files that go with it are written down,
 * and it comes on the ignore list when asked; then the files go, now or, after a crash, at the next start.
 */
export async function deleteVideo(archive: Archive, id: string, { andIgnore = false } = {}) {
  const { db, announce, now } = archive;
  await archive.recovered;
  const paths = await inTransaction(db, async (tx) => {
    const files = await filesOf(tx, id);
    if (files.length === 0) throw notFound('video');
    const cached = [thumbnailPath(id), ...(await storyboardFilesOf(tx, id))].map(inCache);
    const pictures = [...cached, ...(await earlierPictures(tx, id)).map(inEarlier)];
    if (andIgnore) await ignoreVideo(tx, id, now());
    await letGo(tx, [...files, ...pictures]);
    const custom = tx.selectFrom('playlist').select('id').where('kind', '=', 'custom');
    await tx.deleteFrom('playlistEntry').where('videoId', '=', id).where('playlistId', 'in', custom).execute();
    await tx.deleteFrom('video').where('id', '=', id).execute();
    return [...files, ...pictures];
  });
  await removePending(archive, paths);
  announce('video', 'channel', 'playlist');
}
