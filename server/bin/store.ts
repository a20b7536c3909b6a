import type { Db } from '../db/db.ts';
import { sumFound, type Sum } from '../video/sum-of.ts';

/** A page of the bin, newest deletion first. */
export const findEntries = (db: Db, page: { size: number; from: number }) =>
  db
    .selectFrom('bin')
    .selectAll()
    .orderBy('deletedAt', 'desc')
    .orderBy('number', 'desc')
    .limit(page.size)
    .offset(page.from)
    .execute();

/** The number of a deletion: of this number, or the newest of the video with this id. */
export const findNumber = async (db: Db, id: number | string) =>
  (
    await db
      .selectFrom('bin')
      .select('number')
      .$if(typeof id === 'number', (q) => q.where('number', '=', Number(id)))
      .$if(typeof id === 'string', (q) => q.where('videoId', '=', String(id)))
      .orderBy('number', 'desc')
      .limit(1)
      .executeTakeFirst()
  )?.number;

/** All deletions that there are now. */
export const allNumbers = async (db: Db) =>
  (await db.selectFrom('bin').select('number').orderBy('number').execute()).map(({ number }) => number);

/** How many deletions these are, and how large their videos are together. */
export const sumOfNumbers = (db: Db, numbers: number[]): Promise<Sum> =>
  sumFound(numbers, (some) => db.selectFrom('bin').select('sizeBytes').where('number', 'in', some).execute());

/** The file of a deletion that stood at this path. */
export const findPicture = (db: Db, { folder, path }: { folder: string; path: string }) =>
  db.selectFrom('binFile').selectAll().where('folder', '=', folder).where('path', '=', path).executeTakeFirst();
