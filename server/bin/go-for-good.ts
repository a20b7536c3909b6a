import { join } from 'node:path';
import type { Archive } from '../archive.ts';
import { chunks, inTransaction, type Tx } from '../db/db.ts';
import { inEarlier, letGo, removePending } from '../library/removal.ts';
import { removeFile } from '../media/shelf.ts';
import { removeEmpty, restingPath } from './files.ts';
import { earlierPicturesOf } from './rows.ts';

const atOnce = 100;

/** The paths of those files that did not get as far as the bin and that no row names again. */
async function stillOnShelf(tx: Tx, paths: string[]): Promise<string[]> {
  if (paths.length === 0) return [];
  const videos = await tx.selectFrom('video').select('mediaPath as path').where('mediaPath', 'in', paths).execute();
  const subtitles = await tx.selectFrom('subtitle').select('path').where('path', 'in', paths).execute();
  const named = new Set([...videos, ...subtitles].map(({ path }) => path));
  return paths.filter((path) => !named.has(path));
}

/** Removes the pictures of channels that are no more. They stay as long as something of them is in the archive or in the bin. */
export async function forgetChannels({ db, config }: Archive, ids: string[]): Promise<void> {
  const here = await db.selectFrom('channel').select('id').where('id', 'in', ids).execute();
  const inBin = await db.selectFrom('bin').select('channelId as id').distinct().where('channelId', 'in', ids).execute();
  const needed = new Set([...here, ...inBin].map(({ id }) => id));
  for (const id of ids)
    if (!needed.has(id))
      for (const art of ['thumb', 'banner', 'tvart']) await removeFile(join(config.cacheFolder, 'channels', `${id}_${art}.jpg`));
}

async function letSomeGo(archive: Archive, numbers: number[]) {
  const { entries, paths } = await inTransaction(archive.db, async (tx) => {
    const pictures: string[] = [];
    for (const number of numbers) pictures.push(...(await earlierPicturesOf(tx, number)).map(inEarlier));
    const entries = await tx
      .deleteFrom('bin')
      .where('number', 'in', numbers)
      .returning(['videoId', 'title', 'sizeBytes', 'channelId', 'folder'])
      .execute();
    if (entries.length === 0) return { entries, paths: [] };
    const folders = entries.map(({ folder }) => folder);
    const files = await tx.deleteFrom('binFile').where('folder', 'in', folders).returningAll().execute();
    const left = files.flatMap(({ state, path }) => (state === 'leaving' ? [path] : []));
    const paths = [...files.map(restingPath), ...(await stillOnShelf(tx, left)), ...pictures];
    await letGo(tx, paths);
    return { entries, paths };
  });
  await removePending(archive, paths);
  for (const { folder, videoId, title } of entries) {
    await removeEmpty(archive, folder);
    archive.log.info({ id: videoId, title }, 'gone from the bin for good');
  }
  if (entries.length > 0) await forgetChannels(archive, [...new Set(entries.map(({ channelId }) => channelId))]);
  return entries;
}

/** What went: enough to say so. */
export interface Gone {
  videoId: string;
  title: string;
  sizeBytes: number;
}

/** Deletes from the bin for good: which files go is written down with the rows, then they go, now or at the next start. */
export async function goForGood(archive: Archive, numbers: number[]): Promise<Gone[]> {
  await archive.recovered;
  const gone: Gone[] = [];
  for (const some of chunks(numbers, atOnce)) gone.push(...(await letSomeGo(archive, some)));
  if (gone.length > 0) archive.announce('bin');
  return gone;
}
