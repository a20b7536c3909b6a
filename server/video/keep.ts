import type { Archive } from '../archive.ts';
import { chunks, inTransaction } from '../db/db.ts';

/** Marks videos so that no rule deletes them, or not. Answers how many of them there are. */
export async function keepVideos({ db, announce }: Archive, ids: string[], isKept: boolean): Promise<number> {
  const count = await inTransaction(db, async (tx) => {
    let marked = 0;
    for (const some of chunks(ids)) {
      const set = tx.updateTable('video').set({ isKept: isKept ? 1 : 0 });
      marked += Number((await set.where('id', 'in', some).executeTakeFirstOrThrow()).numUpdatedRows);
    }
    return marked;
  });
  if (count > 0) announce('video');
  return count;
}
