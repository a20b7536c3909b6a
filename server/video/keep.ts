import type { Archive } from '../archive.ts';
import { chunks, inTransaction } from '../db/db.ts';

/** Marks videos so that no rule deletes them, or not. */
export async function keepVideos({ db, announce }: Archive, ids: string[], isKept: boolean): Promise<void> {
  await inTransaction(db, async (tx) => {
    for (const some of chunks(ids))
      await tx
        .updateTable('video')
        .set({ isKept: isKept ? 1 : 0 })
        .where('id', 'in', some)
        .execute();
  });
  announce('video');
}
