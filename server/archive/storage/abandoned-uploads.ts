import type { AppContext } from '../../platform/context/app-context.ts';
import { inTransaction } from '../../platform/db/db.ts';
import { StorageError } from '../../platform/storage/file-store.ts';
import { deletePendingFiles, scheduleDeletion } from './pending-deletions.ts';

const day = 86_400;
/** No upload takes that long: it failed, and its server runs on. */
const week = 7 * day;

/**
 * Deletes the files of uploads that began at least `olderThanSeconds` ago on a server that no longer runs, or a week ago, except those
 * that any server can finish, and ends unfinished uploads of that age. What a bucket that does not answer prevents is done an hour later.
 */
export async function removeAbandonedUploads(app: AppContext, { olderThanSeconds = day } = {}): Promise<void> {
  const { db, files, nodes, now, runId, log } = app;
  if (!files.isRemote) return;
  const living = [runId, ...(await nodes.otherRuns())];
  const paths = await inTransaction(db, async (tx) => {
    const rows = await tx
      .deleteFrom('upload')
      .where('startedAt', '<=', now() - olderThanSeconds)
      .where((w) => w.or([w('runId', 'not in', living), w('startedAt', '<=', now() - week)]))
      .where((w) => w.or([w('manifest', 'is', null), w('number', 'not in', tx.selectFrom('download').select('download.number'))]))
      .returning(['id', 'paths'])
      .execute();
    for (const { id } of rows) log.info({ id }, 'deleting the files of an abandoned upload');
    const abandoned = rows.flatMap((row) => JSON.parse(row.paths) as string[]);
    await scheduleDeletion(tx, abandoned);
    return abandoned;
  });
  await deletePendingFiles(app, paths);
  await files.abortUploads(olderThanSeconds).catch((error: unknown) => {
    if (!(error instanceof StorageError)) throw error;
    log.warn({ err: error }, 'cannot end unfinished uploads; it is tried again in an hour');
  });
}

/** Cleans up a bucket: abandoned uploads, and files that could not be deleted earlier. */
export async function cleanBucket(app: AppContext): Promise<void> {
  if (!app.files.isRemote) return;
  await app.recovered;
  await deletePendingFiles(app);
  await removeAbandonedUploads(app);
}
