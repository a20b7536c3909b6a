import type { AppContext } from '../../platform/context/app-context.ts';
import { chunks, inTransaction } from '../../platform/db/db.ts';
import { knownItems } from '../../archive/sites/resolve-known-urls.ts';
import { enqueueAgain, type NewItem } from '../../archive/queue/claims.ts';

/** Returns the source URL of a video; null if it is unknown. */
export const addressOf = ({ url, site, siteId }: { url: string | null; site: string; siteId: string }) =>
  url ?? (site === 'youtube' ? `https://www.youtube.com/watch?v=${siteId}` : null);

const isForced = { any: 1, better: 2, edited: 3 } as const;
/** By what a file is replaced. `better`: only by a better one; `edited`: also by one of another length; the file before goes to the trash. */
export type ReplacedBy = keyof typeof isForced;

/**
 * Enqueues archived videos for a new download with their stored metadata; lookups happen when an item is processed. The present file is
 * kept until it is replaced. Returns the number of videos; those without a known source URL are skipped.
 */
export async function requeueArchived({ db, now, announce }: AppContext, ids: string[], by: ReplacedBy): Promise<number> {
  const count = await inTransaction(db, async (tx) => {
    let queued = 0;
    for (const some of chunks(ids, 500)) {
      const items = (await knownItems(tx, some)).flatMap((row): NewItem[] => {
        const url = addressOf(row);
        return url ? [{ ...row, url, status: 'pending', autoStart: 1, isForced: isForced[by], queuedAt: now() }] : [];
      });
      await enqueueAgain(tx, items);
      queued += items.length;
    }
    return queued;
  });
  announce('download');
  return count;
}
