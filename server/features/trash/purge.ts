import type { AppContext } from '../../platform/context/app-context.ts';
import { chunks, inTransaction, type Tx } from '../../platform/db/db.ts';
import { scheduleDeletion, deletePendingFiles } from '../../archive/storage/pending-deletions.ts';
import { channelArtKinds, channelArtPath } from '../../archive/channel/art-files.ts';
import { removeImages } from '../../archive/storage/remove-images.ts';
import { removeEmptyFolders, pathInTrash } from '../../archive/storage/trash-files.ts';
import { deleteTargets } from '../tag/store.ts';
import { historyThumbnailsOf } from './row-archive.ts';
import { inHistory } from '../../platform/storage/stored-path.ts';

const atOnce = 100;

/** Returns the paths of files that were not moved to the trash and that no row refers to. */
async function stillOnShelf(tx: Tx, paths: string[]): Promise<string[]> {
  if (paths.length === 0) return [];
  const videos = await tx.selectFrom('video').select('mediaPath as path').where('mediaPath', 'in', paths).execute();
  const subtitles = await tx.selectFrom('subtitle').select('path').where('path', 'in', paths).execute();
  const named = new Set([...videos, ...subtitles].map(({ path }) => path));
  return paths.filter((path) => !named.has(path));
}

/** Removes the images and private tags of deleted channels, unless the library or the trash still has videos of them. */
export async function deleteUnusedChannels(app: AppContext, ids: string[]): Promise<void> {
  const { db } = app;
  const here = await db.selectFrom('channel').select('id').where('id', 'in', ids).execute();
  const inBin = await db.selectFrom('trash').select('channelId as id').distinct().where('channelId', 'in', ids).execute();
  const needed = new Set([...here, ...inBin].map(({ id }) => id));
  const unused = ids.filter((id) => !needed.has(id));
  await inTransaction(db, (tx) => deleteTargets(tx, 'channel', unused));
  await removeImages(
    app,
    unused.flatMap((id) => channelArtKinds.map((art) => channelArtPath(id, art))),
  );
}

/** Removes the private tags of videos that neither the library nor the trash has any more. */
async function deleteTagsOfPurged(tx: Tx, ids: string[]): Promise<void> {
  const archived = await tx.selectFrom('video').select('id').where('id', 'in', ids).execute();
  const trashed = await tx.selectFrom('trash').select('videoId as id').where('videoId', 'in', ids).execute();
  const kept = new Set([...archived, ...trashed].map(({ id }) => id));
  await deleteTargets(
    tx,
    'video',
    ids.filter((id) => !kept.has(id)),
  );
}

async function letSomeGo(app: AppContext, numbers: number[]) {
  const { entries, paths } = await inTransaction(app.db, async (tx) => {
    const pictures: string[] = [];
    for (const number of numbers) pictures.push(...(await historyThumbnailsOf(tx, number)).map(inHistory));
    const entries = await tx
      .deleteFrom('trash')
      .where('number', 'in', numbers)
      .returning(['videoId', 'title', 'sizeBytes', 'channelId', 'folder'])
      .execute();
    if (entries.length === 0) return { entries, paths: [] };
    await deleteTagsOfPurged(
      tx,
      entries.map(({ videoId }) => videoId),
    );
    const folders = entries.map(({ folder }) => folder);
    const files = await tx.deleteFrom('trashFile').where('folder', 'in', folders).returningAll().execute();
    const inTrash = files.map((file) => pathInTrash(app.files, file));
    // Media in a bucket have the same path in the library and in the trash.
    const left = files.flatMap(({ state, path }, place) => (state === 'leaving' || inTrash[place] === path ? [path] : []));
    const paths = [...inTrash.filter((path) => !left.includes(path)), ...(await stillOnShelf(tx, left)), ...pictures];
    await scheduleDeletion(tx, paths);
    return { entries, paths };
  });
  await deletePendingFiles(app, paths);
  for (const { folder, videoId, title } of entries) {
    await removeEmptyFolders(app, folder);
    app.log.info({ id: videoId, title }, 'purged from the trash');
  }
  if (entries.length > 0) await deleteUnusedChannels(app, [...new Set(entries.map(({ channelId }) => channelId))]);
  return entries;
}

/** A purged entry, with the data for messages. */
export interface PurgeResult {
  videoId: string;
  title: string;
  sizeBytes: number;
}

/**
 * Deletes trash entries permanently. Rows and pending deletions change in one transaction; the files follow now or at the next
 * start.
 */
export async function purge(app: AppContext, numbers: number[]): Promise<PurgeResult[]> {
  await app.recovered;
  const gone: PurgeResult[] = [];
  for (const some of chunks(numbers, atOnce)) gone.push(...(await letSomeGo(app, some)));
  if (gone.length > 0) app.announce('trash');
  return gone;
}
