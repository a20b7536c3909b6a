import { chunks, type Db } from '../../platform/db/db.ts';

/** Number and total size in bytes of a selection of videos. */
export interface SelectionSize {
  videos: number;
  sizeBytes: number;
}

/** Sums the sizes of the rows found for these keys, each counted once, in chunks. */
export async function sumRows<Key>(
  keys: Key[],
  find: (batch: Key[]) => Promise<{ sizeBytes: number }[]>,
): Promise<SelectionSize> {
  const sum = { videos: 0, sizeBytes: 0 };
  for (const batch of chunks([...new Set(keys)]))
    for (const { sizeBytes } of await find(batch)) {
      sum.videos++;
      sum.sizeBytes += sizeBytes;
    }
  return sum;
}

/** Returns number and total size of these videos. */
export const totalSizeOf = (db: Db, ids: string[]): Promise<SelectionSize> =>
  sumRows(ids, (batch) => db.selectFrom('video').select('sizeBytes').where('id', 'in', batch).execute());
