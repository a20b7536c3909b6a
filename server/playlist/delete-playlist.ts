import { join } from 'node:path';
import type { Archive } from '../archive.ts';
import type { Db } from '../db/db.ts';
import { notFound } from '../http/problem.ts';
import { removeFile } from '../media/shelf.ts';
import { deleteIfThere } from '../video/delete-video.ts';
import { playlistArtPath } from './artwork.ts';

/** The videos of a playlist that are in the archive. */
export const archivedOf = async (db: Db, id: string): Promise<string[]> =>
  (await db.selectFrom('playlistShown').select('videoId').where('playlistId', '=', id).execute()).map((row) => row.videoId);

/** Deletes a playlist; with all its archived videos and their files when asked. */
export async function deletePlaylist(
  archive: Archive,
  id: string,
  { withVideos, by }: { withVideos: boolean; by: string },
): Promise<void> {
  const { db, config, announce } = archive;
  if (!(await db.selectFrom('playlist').select('id').where('id', '=', id).executeTakeFirst())) throw notFound('playlist');
  if (withVideos) for (const video of await archivedOf(db, id)) await deleteIfThere(archive, video, { by });
  await db.deleteFrom('playlist').where('id', '=', id).execute();
  await removeFile(join(config.cacheFolder, playlistArtPath(id)));
  announce('playlist', 'video');
}
