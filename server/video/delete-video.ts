import { join } from 'node:path';
import type { Archive } from '../archive.ts';
import { inTransaction } from '../db/db.ts';
import { notFound } from '../http/problem.ts';
import { removeFile } from '../media/shelf.ts';
import { findDuration } from './store.ts';
import { thumbnailPath } from './thumbnail-path.ts';

/** Deletes a video: its row and all that hangs on it first, so that nothing points at a missing file; then its files. */
export async function deleteVideo({ db, config, announce }: Archive, id: string) {
  const video = await findDuration(db, id);
  if (!video) throw notFound('video');
  const subtitles = await db.selectFrom('subtitle').select('path').where('videoId', '=', id).execute();
  await inTransaction(db, async (tx) => {
    const custom = tx.selectFrom('playlist').select('id').where('kind', '=', 'custom');
    await tx.deleteFrom('playlistEntry').where('videoId', '=', id).where('playlistId', 'in', custom).execute();
    await tx.deleteFrom('video').where('id', '=', id).execute();
  });
  const beside = video.mediaPath.replace(/\.[^.]+$/, '.info.json');
  for (const path of [video.mediaPath, beside, ...subtitles.map((subtitle) => subtitle.path)])
    await removeFile(join(config.mediaFolder, path));
  await removeFile(join(config.cacheFolder, thumbnailPath(id)));
  announce('video', 'channel', 'playlist');
}
