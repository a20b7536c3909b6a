import type { AppContext } from '../../platform/context/app-context.ts';
import { chunks, inTransaction } from '../../platform/db/db.ts';

/** Sets or removes the protection from deletion rules. Returns the number of videos. */
export async function protectVideos({ db, announce }: AppContext, ids: string[], isProtected: boolean): Promise<number> {
  const count = await inTransaction(db, async (tx) => {
    let marked = 0;
    for (const some of chunks(ids)) {
      const set = tx.updateTable('video').set({ isProtected: isProtected ? 1 : 0 });
      marked += Number((await set.where('id', 'in', some).executeTakeFirstOrThrow()).numUpdatedRows);
    }
    return marked;
  });
  if (count > 0) announce('video');
  return count;
}
