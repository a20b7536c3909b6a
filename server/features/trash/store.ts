import type { Db } from '../../platform/db/db.ts';
import { thumbnailPath } from '../../archive/storage/thumbnail-path.ts';
import { inCache } from '../../platform/storage/stored-path.ts';
import { sumRows, type SelectionSize } from '../../archive/queries/total-size.ts';

/** Returns a page of trash entries, latest deletion first. */
export const findEntries = (db: Db, page: { size: number; from: number }) =>
  db
    .selectFrom('trash')
    .selectAll()
    .orderBy('deletedAt', 'desc')
    .orderBy('number', 'desc')
    .limit(page.size)
    .offset(page.from)
    .execute();

/** Returns the number of a trash entry, by its number or as the latest deletion of a video id. */
export const findNumber = async (db: Db, id: number | string) =>
  (
    await db
      .selectFrom('trash')
      .select('number')
      .$if(typeof id === 'number', (q) => q.where('number', '=', Number(id)))
      .$if(typeof id === 'string', (q) => q.where('videoId', '=', String(id)).where('isReplacedFile', '=', 0))
      .orderBy('number', 'desc')
      .limit(1)
      .executeTakeFirst()
  )?.number;

/** Returns the numbers of all trash entries. */
export const allNumbers = async (db: Db) =>
  (await db.selectFrom('trash').select('number').orderBy('number').execute()).map(({ number }) => number);

/** Returns the count and total size of these entries. */
export const sumOfNumbers = (db: Db, numbers: number[]): Promise<SelectionSize> =>
  sumRows(numbers, (some) => db.selectFrom('trash').select('sizeBytes').where('number', 'in', some).execute());

/** Returns the file of a trash entry by its original path. */
export const findTrashFile = (db: Db, { folder, path }: { folder: string; path: string }) =>
  db.selectFrom('trashFile').selectAll().where('folder', '=', folder).where('path', '=', path).executeTakeFirst();

/** Returns the thumbnail among the files of a trash entry. */
export async function findTrashedThumbnail(db: Db, number: number) {
  const entry = await db.selectFrom('trash').select(['videoId', 'folder']).where('number', '=', number).executeTakeFirst();
  return entry && findTrashFile(db, { folder: entry.folder, path: inCache(thumbnailPath(entry.videoId)) });
}
