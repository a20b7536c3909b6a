import { join } from 'node:path';
import type { Archive } from '../archive.ts';
import { notFound } from '../http/problem.ts';
import { removeFile } from '../media/shelf.ts';
import { deleteVideo } from '../video/delete-video.ts';
import { playlistArtPath } from './artwork.ts';

/** Deletes a playlist; with all its archived videos and their files when asked. */
export async function deletePlaylist(
  archive: Archive,
  id: string,
  { withVideos, by }: { withVideos: boolean; by: string },
): Promise<void> {
  const { db, config, announce } = archive;
  if (!(await db.selectFrom('playlist').select('id').where('id', '=', id).executeTakeFirst())) throw notFound('playlist');
  if (withVideos) {
    const videos = await db
      .selectFrom('playlistEntry')
      .innerJoin('video', 'video.id', 'playlistEntry.videoId')
      .select('video.id')
      .distinct()
      .where('playlistId', '=', id)
      .execute();
    for (const video of videos) await deleteVideo(archive, video.id, { by });
  }
  await db.deleteFrom('playlist').where('id', '=', id).execute();
  await removeFile(join(config.cacheFolder, playlistArtPath(id)));
  announce('playlist', 'video');
}
