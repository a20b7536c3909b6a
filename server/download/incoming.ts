import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Archive } from '../archive.ts';
import type { Db, Tx } from '../db/db.ts';
import { readManifest, removeDownload } from './manifest.ts';
import { findByNumber } from './store.ts';
import { abandon } from './running.ts';
import { incomingFolder } from '../media/shelf.ts';

/** The folder of one download: named by our own number, never by anything the site says. */
export const folderOf = ({ config }: Pick<Archive, 'config'>, number: number) =>
  join(incomingFolder(config.mediaFolder), String(number));

/** The highest number that is the name of such a folder; 0 where there is none. */
export async function highestFolder({ config }: Pick<Archive, 'config'>): Promise<number> {
  const names = await readdir(incomingFolder(config.mediaFolder)).catch(() => []);
  return Math.max(0, ...names.filter((name) => /^\d{1,15}$/.test(name)).map(Number));
}

/** The highest number of an item; 0 where there is none. */
export async function highestItem(db: Db): Promise<number> {
  const { last } = await db
    .selectFrom('download')
    .select((e) => e.fn.max<number | null>('number').as('last'))
    .executeTakeFirstOrThrow();
  return last ?? 0;
}

export async function makeFolder(archive: Archive, number: number): Promise<string> {
  const folder = folderOf(archive, number);
  await mkdir(folder, { recursive: true });
  return folder;
}

/** Ends the downloads of forgotten items, and removes what they left lying. */
export async function forgetLeftovers(archive: Archive, items: { number: number }[]) {
  await abandon(archive, items);
  for (const { number } of items) await removeDownload(folderOf(archive, number));
}

/** The same for what fetches this video, whatever becomes of its item. */
export const forgetFetching = async (archive: Archive, id: string) =>
  forgetLeftovers(archive, await archive.db.selectFrom('download').select('number').where('id', '=', id).execute());

/** What waits to fetch this video leaves the queue; what is ignored stays so. */
export const takeFromQueue = (tx: Tx, id: string) =>
  tx.deleteFrom('download').where('id', '=', id).where('status', '=', 'pending').returning('number').execute();

/** Whether the folder of this number belongs to an item of the queue, or is whole and waits to be put on the shelf. */
export async function hasWork(archive: Pick<Archive, 'db' | 'config'>, number: number): Promise<boolean> {
  if (await findByNumber(archive.db, number)) return true;
  return (await readManifest(folderOf(archive, number))) !== null;
}
