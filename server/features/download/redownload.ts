import type { AppContext } from '../../platform/context/app-context.ts';
import { downloadPending } from './download-pending.ts';
import { requeueArchived, type ReplacedBy } from './requeue-archived.ts';

/** Downloads archived videos again. Returns the number of videos; those without a known source URL are skipped. */
export async function redownload(app: AppContext, ids: string[], by: ReplacedBy = 'any'): Promise<number> {
  const count = await requeueArchived(app, ids, by);
  if (count > 0) await app.tasks.start(downloadPending, { autoOnly: true });
  return count;
}
