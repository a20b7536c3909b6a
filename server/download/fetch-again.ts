import type { Archive } from '../archive.ts';
import { chunks, inTransaction } from '../db/db.ts';
import { downloadPending } from './download-pending.ts';
import { knownItems } from './known-item.ts';
import { enqueueAgain, type NewItem } from './store.ts';

/** Where a video can be had again; null when nobody knows. */
const addressOf = ({ url, site, siteId }: { url: string | null; site: string; siteId: string }) =>
  url ?? (site === 'youtube' ? `https://www.youtube.com/watch?v=${siteId}` : null);

/**
 * Puts videos of the archive on the queue to be fetched again, with what is known of them: nothing is looked up before their turn
 * comes, and the file that is here stays until the new one is. Answers how many; of the others nobody knows where they came from.
 */
export async function fetchAgain({ db, now, announce, tasks }: Archive, ids: string[]): Promise<number> {
  const count = await inTransaction(db, async (tx) => {
    let queued = 0;
    for (const some of chunks(ids, 500)) {
      const items = (await knownItems(tx, some)).flatMap((row): NewItem[] => {
        const url = addressOf(row);
        return url ? [{ ...row, url, status: 'pending', autoStart: 1, isForced: 1, queuedAt: now() }] : [];
      });
      await enqueueAgain(tx, items);
      queued += items.length;
    }
    return queued;
  });
  announce('download');
  if (count > 0) await tasks.start(downloadPending, { autoOnly: true });
  return count;
}
