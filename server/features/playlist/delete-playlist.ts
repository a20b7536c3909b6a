import type { AppContext } from '../../platform/context/app-context.ts';
import type { Db } from '../../platform/db/db.ts';
import { forbidden, notFound } from '../../platform/http/http-error.ts';
import { deleteIfExists } from '../trash/delete-video.ts';
import { isVisibleTo, type Viewer } from '../../platform/db/schema/playlist-access.ts';
import { playlistArtPath } from '../../archive/playlist/artwork.ts';
import { removeImages } from '../../archive/storage/remove-images.ts';

/** Returns the ids of the archived videos in a playlist. */
export const archivedVideosOf = async (db: Db, id: string): Promise<string[]> =>
  (await db.selectFrom('playlistVideo').select('videoId').where('playlistId', '=', id).execute()).map((row) => row.videoId);

/**
 * Checks that the user may delete a playlist: staff any visible one, others their own, but no videos.
 * @throws 404 if it is not visible, 403
 */
export async function checkDeletion(db: Db, user: Viewer, id: string, withVideos: boolean): Promise<void> {
  const playlist = await db
    .selectFrom('playlist')
    .select('ownerId')
    .where('id', '=', id)
    .where(isVisibleTo(user))
    .executeTakeFirst();
  if (!playlist) throw notFound('error.playlist');
  if (!user.isStaff && (withVideos || playlist.ownerId !== user.id)) throw forbidden('error.permission');
}

/** Deletes a playlist and, if requested, its archived videos with their files. */
export async function deletePlaylist(
  app: AppContext,
  id: string,
  { withVideos, by }: { withVideos: boolean; by: string },
): Promise<void> {
  const { db, announce } = app;
  if (withVideos) for (const video of await archivedVideosOf(db, id)) await deleteIfExists(app, video, { by });
  await db.deleteFrom('playlist').where('id', '=', id).execute();
  await removeImages(app, [playlistArtPath(id)]);
  announce('playlist', 'video');
}
