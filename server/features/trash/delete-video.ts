import type { AppContext } from '../../platform/context/app-context.ts';
import { moveTrashFiles } from '../../archive/storage/trash-files.ts';
import { moveToTrash, type DeletedBy } from './move-to-trash.ts';
import { inTransaction } from '../../platform/db/db.ts';
import { ignoreVideo } from '../../archive/queue/ignore.ts';
import { markDeleted } from '../../archive/queue/seen-entries.ts';
import { deleteQueuedDownloads, deleteWorkDirs, removeFromQueue } from '../../archive/publish/work-dir.ts';
import { notFound, HttpError } from '../../platform/http/http-error.ts';
import { scheduleDeletion, deletePendingFiles } from '../../archive/storage/pending-deletions.ts';
import { customPlaylistsWith, updateCustomArtwork } from '../../archive/playlist/artwork.ts';
import { deleteRenditions } from '../../archive/storage/rendition-files.ts';
import { readSettings } from '../../archive/settings/store.ts';
import { historyThumbnails } from '../../archive/video/metadata-history.ts';
import { filesOf } from '../../archive/video/media-files.ts';
import { findDuration } from '../../archive/video/store.ts';
import { communityThumbnailsOf } from '../../archive/video/branding.ts';
import { storyboardFilesOf } from '../../archive/storage/storyboard-path.ts';
import { thumbnailPath } from '../../archive/storage/thumbnail-path.ts';
import { inCache, inHistory } from '../../platform/storage/stored-path.ts';

interface Deletion extends Partial<DeletedBy> {
  andIgnore?: boolean;
}

/**
 * Moves a video to the trash, or deletes it permanently if the trash is off. One transaction deletes its rows, records its files
 * as pending deletions, and removes or ignores its queue item. The files follow at once or, after a crash, at the next start.
 */
export async function deleteVideo(app: AppContext, id: string, { andIgnore = false, by = null, why = null }: Deletion = {}) {
  const { db, announce, now, log } = app;
  await app.recovered;
  if (!(await findDuration(db, id))) throw notFound('error.video');
  // Running downloads of the video are aborted, so that it does not return. Downloads that are already publishing finish first.
  await deleteQueuedDownloads(app, id);
  const isTrashOn = (await readSettings(app.db)).trash.days > 0;
  const gone = await inTransaction(db, async (tx) => {
    const shelf = await filesOf(tx, id);
    if (shelf.length === 0) throw notFound('error.video');
    const pictures = [thumbnailPath(id), ...(await storyboardFilesOf(tx, id)), ...(await communityThumbnailsOf(tx, id))];
    const files = [...shelf, ...pictures.map(inCache)];
    const queued = andIgnore ? [] : await removeFromQueue(tx, id);
    if (!andIgnore) await markDeleted(tx, id, now());
    const addedToIgnoreList = andIgnore && (await ignoreVideo(tx, id, now()));
    // Previous thumbnails stay in place as long as the trash refers to them.
    const paths = isTrashOn ? [] : [...files, ...(await historyThumbnails(tx, id)).map(inHistory)];
    const folder = isTrashOn
      ? await moveToTrash(tx, app.files, id, { by, why, now: now(), paths: files, addedToIgnoreList })
      : null;
    await scheduleDeletion(tx, paths);
    const custom = await customPlaylistsWith(tx, id);
    if (custom.length > 0)
      await tx.deleteFrom('playlistEntry').where('videoId', '=', id).where('playlistId', 'in', custom).execute();
    await tx.deleteFrom('video').where('id', '=', id).execute();
    return { folder, paths, custom, queued };
  });
  if (andIgnore) await deleteQueuedDownloads(app, id);
  await deleteWorkDirs(app, gone.queued);
  if (gone.queued.length > 0) log.info({ id }, 'removed from the queue because the video was deleted');
  if (gone.folder === null) await deletePendingFiles(app, gone.paths);
  else await moveTrashFiles(app, gone.folder);
  await deleteRenditions(app, id);
  await updateCustomArtwork(app, gone.custom);
  announce('video', 'channel', 'playlist', 'trash', 'download');
}

/** Deletes a video that another request may have deleted meanwhile. Returns whether it still existed. */
export async function deleteIfExists(app: AppContext, id: string, how: Deletion): Promise<boolean> {
  try {
    await deleteVideo(app, id, how);
    return true;
  } catch (problem) {
    if (problem instanceof HttpError && problem.status === 404) return false;
    throw problem;
  }
}
