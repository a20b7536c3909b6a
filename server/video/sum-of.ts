import { chunks, type Db } from '../db/db.ts';

/** How many videos something concerns, and how large they are together, in bytes. */
export interface Sum {
  videos: number;
  sizeBytes: number;
}

/** Sums what is found for these keys, each counted once, however many there are. */
export async function sumFound<Key>(keys: Key[], find: (some: Key[]) => Promise<{ sizeBytes: number }[]>): Promise<Sum> {
  const sum = { videos: 0, sizeBytes: 0 };
  for (const some of chunks([...new Set(keys)]))
    for (const { sizeBytes } of await find(some)) {
      sum.videos++;
      sum.sizeBytes += sizeBytes;
    }
  return sum;
}

/** How many of these videos there are, and how large they are together. */
export const sumOf = (db: Db, ids: string[]): Promise<Sum> =>
  sumFound(ids, (some) => db.selectFrom('video').select('sizeBytes').where('id', 'in', some).execute());
