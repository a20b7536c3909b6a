import type { AppContext } from '../../platform/context/app-context.ts';
import { chunks, type Tx } from '../../platform/db/db.ts';
import { StorageError } from '../../platform/storage/file-store.ts';
import { hasPrefix } from '../../platform/storage/stored-path.ts';
import { whyMediaUnavailable } from './mount-check.ts';

/** A bucket answers slowly, but several requests at the same time. */
const requestsAtOnce = 16;

/** Records files for deletion, in the transaction that deletes their rows. */
export async function scheduleDeletion(tx: Tx, paths: string[]): Promise<void> {
  if (paths.length === 0) return;
  await tx
    .insertInto('pendingDeletion')
    .values(paths.map((path) => ({ path })))
    .onConflict((c) => c.doNothing())
    .execute();
}

/** Cancels the deletion of files that belong to a row again. */
export const cancelDeletion = (tx: Tx, paths: string[]) => tx.deleteFrom('pendingDeletion').where('path', 'in', paths).execute();

/**
 * Deletes files recorded for deletion, including those left by a crash. Files that cannot be deleted are retried at the next
 * start and, in a bucket, every hour; so are those of an unmounted disk, or of a bucket that does not answer.
 */
export async function deletePendingFiles(app: AppContext, paths?: string[]): Promise<void> {
  const { db, log, files } = app;
  if (paths?.length === 0) return;
  let isMounted = (await whyMediaUnavailable(app)) === null;
  const rows = await db
    .selectFrom('pendingDeletion')
    .select('path')
    .$if(paths !== undefined, (q) => q.where('path', 'in', paths!))
    .execute();
  const deleteOne = async ({ path }: { path: string }) => {
    // With a bucket, all files are in it.
    if (!isMounted && (files.isRemote || !hasPrefix(path))) return;
    try {
      await files.remove(path);
      await db.deleteFrom('pendingDeletion').where('path', '=', path).execute();
    } catch (error) {
      log.warn({ path, err: error }, 'cannot delete a file; it is retried later');
      if (error instanceof StorageError) isMounted = (await whyMediaUnavailable(app)) === null;
    }
  };
  for (const some of chunks(rows, files.isRemote ? requestsAtOnce : 1)) await Promise.all(some.map(deleteOne));
}
