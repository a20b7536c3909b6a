import type { Archive } from '../archive.ts';
import { settleFiles } from '../bin/files.ts';
import { putInBin, type DeletedBy } from '../bin/put-in.ts';
import { inTransaction } from '../db/db.ts';
import { ignoreVideo } from '../download/ignore.ts';
import { forgetFetching, forgetLeftovers, takeFromQueue } from '../download/incoming.ts';
import { notFound, Problem } from '../http/problem.ts';
import { inCache, inEarlier, letGo, removePending } from '../library/removal.ts';
import { customWith, lookLikeTheirFirst } from '../playlist/artwork.ts';
import { dropRenditions } from '../rendition/keep.ts';
import { currentSettings } from '../settings/read.ts';
import { earlierPictures } from './earlier.ts';
import { filesOf } from './media-path.ts';
import { findDuration } from './store.ts';
import { storyboardFilesOf } from './storyboard-path.ts';
import { thumbnailPath } from './thumbnail-path.ts';

interface Deletion extends Partial<DeletedBy> {
  andIgnore?: boolean;
}

/**
 * Deletes a video: it goes into the bin, or for good where there is none. In one transaction its row goes with all that hangs
 * on it, the files that go with it are written down, and what would fetch it again leaves the queue, or is ignored when asked; then
 * the files go, now or, after a crash, at the next start.
 */
export async function deleteVideo(archive: Archive, id: string, { andIgnore = false, by = null, why = null }: Deletion = {}) {
  const { db, announce, now, log } = archive;
  await archive.recovered;
  if (!(await findDuration(db, id))) throw notFound('video');
  // Being fetched again, it would come back: what is whole by now does so first, and what is begun anew meanwhile is ended as well.
  await forgetFetching(archive, id);
  const hasBin = (await currentSettings(archive)).bin.days > 0;
  const gone = await inTransaction(db, async (tx) => {
    const shelf = await filesOf(tx, id);
    if (shelf.length === 0) throw notFound('video');
    const files = [...shelf, ...[thumbnailPath(id), ...(await storyboardFilesOf(tx, id))].map(inCache)];
    const queued = andIgnore ? [] : await takeFromQueue(tx, id);
    const madeIgnored = andIgnore && (await ignoreVideo(tx, id, now()));
    // Earlier pictures stay where they are as long as the bin knows of them.
    const paths = hasBin ? [] : [...files, ...(await earlierPictures(tx, id)).map(inEarlier)];
    const folder = hasBin ? await putInBin(tx, id, { by, why, now: now(), files, madeIgnored }) : null;
    await letGo(tx, paths);
    const custom = await customWith(tx, id);
    if (custom.length > 0)
      await tx.deleteFrom('playlistEntry').where('videoId', '=', id).where('playlistId', 'in', custom).execute();
    await tx.deleteFrom('video').where('id', '=', id).execute();
    return { folder, paths, custom, queued };
  });
  if (andIgnore) await forgetFetching(archive, id);
  await forgetLeftovers(archive, gone.queued);
  if (gone.queued.length > 0) log.info({ id }, 'it is not fetched again, because it was deleted');
  if (gone.folder === null) await removePending(archive, gone.paths);
  else await settleFiles(archive, gone.folder);
  await dropRenditions(archive, id);
  await lookLikeTheirFirst(archive, gone.custom);
  announce('video', 'channel', 'playlist', 'bin', 'download');
}

/** Deletes one of several: somebody else may have done so meanwhile. Answers whether it was still there. */
export async function deleteIfThere(archive: Archive, id: string, how: Deletion): Promise<boolean> {
  try {
    await deleteVideo(archive, id, how);
    return true;
  } catch (problem) {
    if (problem instanceof Problem && problem.status === 404) return false;
    throw problem;
  }
}
