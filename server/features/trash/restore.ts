import type { AppContext } from '../../platform/context/app-context.ts';
import { inTransaction, type Db, type Tx } from '../../platform/db/db.ts';
import { deleteWorkDirs } from '../../archive/publish/work-dir.ts';
import { notFound, HttpError, badRequest } from '../../platform/http/http-error.ts';
import { whyMediaUnavailable } from '../../archive/storage/mount-check.ts';
import { findDuration, missingFileDamage } from '../../archive/video/store.ts';
import { trashReplacedFile } from '../../archive/storage/replaced-file.ts';
import { deleteRenditions } from '../../archive/storage/rendition-files.ts';
import { customPlaylistsWith, updateCustomArtwork } from '../../archive/playlist/artwork.ts';
import { blockingPath, newTrashFolder, pathInTrash, moveTrashFiles } from '../../archive/storage/trash-files.ts';
import { mediaPathOf, restoreFileRows, restoreRows } from './row-archive.ts';
import { findTrashFile } from './store.ts';

const filesOf = (app: AppContext, folder: string) =>
  app.db.selectFrom('trashFile').selectAll().where('folder', '=', folder).execute();

/** Returns the missing files. @throws if another file now has one of their names, because nothing is overwritten. */
async function findMissingFiles(app: AppContext, folder: string): Promise<Set<string>> {
  const missing = new Set<string>();
  for (const file of await filesOf(app, folder)) {
    const trashPath = pathInTrash(app.files, file);
    const [isInTrash, isAtTarget] = [await app.files.stat(trashPath), await app.files.stat(file.path)];
    if (isInTrash && isAtTarget && trashPath !== file.path && file.state === 'in' && !blockingPath(file.path))
      throw badRequest('trash.file-exists', { path: file.path });
    if (!isInTrash && !isAtTarget) missing.add(file.path);
  }
  return missing;
}

/** @throws if the video is already in the library. */
async function lookForItself(db: Db | Tx, id: string) {
  if (await db.selectFrom('video').select('id').where('id', '=', id).executeTakeFirst())
    throw badRequest('trash.downloaded-again');
}

/** @throws if the video is being downloaded */
async function refuseRunning(tx: Tx, id: string, now: number) {
  const item = await tx.selectFrom('download').select('leaseUntil').where('id', '=', id).executeTakeFirst();
  if ((item?.leaseUntil ?? 0) >= now) throw badRequest('trash.queued-again');
}

/**
 * Checks that the earlier file is there and may return, before the transaction, because a bucket answers slowly.
 * @throws with a message for the user
 */
async function checkReplacedFile(
  app: AppContext,
  { number, folder, videoId }: { number: number; folder: string; videoId: string },
) {
  const { db, files } = app;
  const present = await findDuration(db, videoId);
  if (!present) throw badRequest('trash.video-deleted');
  const path = await mediaPathOf(db, number);
  const file = await findTrashFile(db, { folder, path });
  if (!file || !(await files.stat(pathInTrash(files, file)))) throw badRequest('trash.file-missing', { path });
  if (!files.isRemote && path !== present.mediaPath && (await files.stat(path))) throw badRequest('trash.file-exists', { path });
}

/** Lets a file and the one that replaced it change places: the present one goes to the trash, in the same transaction. */
async function restoreReplacedFile(app: AppContext, entry: { number: number; folder: string; videoId: string }): Promise<void> {
  const { db, now, announce, files, log } = app;
  const { number, folder, videoId } = entry;
  await checkReplacedFile(app, entry);
  const presentFolder = newTrashFolder();
  await inTransaction(db, async (tx) => {
    if (!(await tx.selectFrom('trash').select('number').where('number', '=', number).executeTakeFirst()))
      throw notFound('trash.not-found');
    if (!(await findDuration(tx, videoId))) throw badRequest('trash.video-deleted');
    await refuseRunning(tx, videoId, now());
    await trashReplacedFile(tx, files, { videoId, folder: presentFolder, now: now() });
    await restoreFileRows(tx, number, videoId);
    await tx.updateTable('trashFile').set({ state: 'returning' }).where('folder', '=', folder).execute();
    await tx.deleteFrom('trash').where('number', '=', number).execute();
  });
  await moveTrashFiles(app, presentFolder);
  await moveTrashFiles(app, folder);
  await deleteRenditions(app, videoId);
  log.info({ id: videoId }, 'an earlier file was restored from the trash');
  announce('video', 'channel', 'playlist', 'trash');
}

/** Returns the obsolete queue items. @throws if the video is already in the library or being downloaded. */
async function takeFromQueue(tx: Tx, id: string, { addedToIgnoreList, now }: { addedToIgnoreList: boolean; now: number }) {
  await lookForItself(tx, id);
  const item = await tx.selectFrom('download').select(['status', 'leaseUntil']).where('id', '=', id).executeTakeFirst();
  if (!item || (item.status === 'ignore' && !addedToIgnoreList)) return [];
  if ((item.leaseUntil ?? 0) >= now) throw badRequest('trash.queued-again');
  return tx.deleteFrom('download').where('id', '=', id).returning('number').execute();
}

/**
 * Restores a video, or an earlier file of one: rows and the list of files to move in one transaction; the files follow now or at the
 * next start. A video that a rule deleted becomes protected. @throws with a message for the user; the trash is then unchanged.
 */
export async function restoreFromTrash(app: AppContext, number: number): Promise<void> {
  const { db, now, announce } = app;
  await app.recovered;
  const away = await whyMediaUnavailable(app);
  if (away) throw new HttpError(409, away);
  const known = await db
    .selectFrom('trash')
    .select(['folder', 'videoId', 'isReplacedFile'])
    .where('number', '=', number)
    .executeTakeFirst();
  if (!known) throw notFound('trash.not-found');
  if (known.isReplacedFile === 1) return restoreReplacedFile(app, { number, ...known });
  const { folder } = known;
  await lookForItself(db, known.videoId); // checked before the files, which then belong to the existing video
  const missing = await findMissingFiles(app, folder);
  const { videoId, items } = await inTransaction(db, async (tx) => {
    const entry = await tx.selectFrom('trash').selectAll().where('number', '=', number).executeTakeFirst();
    if (!entry) throw notFound('trash.not-found');
    const path = await mediaPathOf(tx, number);
    if (
      await tx.selectFrom('video').select('id').where('mediaPath', '=', path).where('id', '!=', entry.videoId).executeTakeFirst()
    )
      throw badRequest('trash.path-taken', { path });
    const items = await takeFromQueue(tx, entry.videoId, { addedToIgnoreList: entry.addedToIgnoreList === 1, now: now() });
    await restoreRows(tx, number, {
      ...(missing.has(path) && { damage: missingFileDamage }),
      ...(entry.reason !== null && { isProtected: 1 }), // otherwise the same rule would delete it again the next night
    });
    await tx.updateTable('seenEntry').set({ deletedAt: null }).where('videoId', '=', entry.videoId).execute();
    await tx.updateTable('trashFile').set({ state: 'returning' }).where('folder', '=', folder).execute();
    await tx.deleteFrom('trash').where('number', '=', number).execute();
    return { videoId: entry.videoId, items };
  });
  await deleteWorkDirs(app, items);
  await moveTrashFiles(app, folder);
  await updateCustomArtwork(app, await customPlaylistsWith(db, videoId));
  app.log.info({ id: videoId }, 'restored from the trash');
  announce('video', 'channel', 'playlist', 'download', 'trash');
}
