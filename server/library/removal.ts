import { join } from 'node:path';
import type { Archive } from '../archive.ts';
import type { Tx } from '../db/db.ts';
import { removeFile } from '../media/shelf.ts';
import { whyNotBelieved } from './media-marker.ts';

/** Says in the same transaction that takes their row away which files go with it. */
export async function letGo(tx: Tx, paths: string[]): Promise<void> {
  if (paths.length === 0) return;
  await tx
    .insertInto('removal')
    .values(paths.map((path) => ({ path })))
    .onConflict((c) => c.doNothing())
    .execute();
}

/** A row names these files again: they stay. */
export const keepFiles = (tx: Tx, paths: string[]) => tx.deleteFrom('removal').where('path', 'in', paths).execute();

/**
 * Removes the files that no row names any more; also what a crash left of that. One that cannot be removed is tried again at
 * the next start, and so is everything while the disk is not there: a missing folder is not a file that is gone.
 */
export async function removePending({ db, config, log }: Archive, paths?: string[]): Promise<void> {
  if (paths?.length === 0 || (await whyNotBelieved({ config }))) return;
  const rows = await db
    .selectFrom('removal')
    .select('path')
    .$if(paths !== undefined, (q) => q.where('path', 'in', paths!))
    .execute();
  for (const { path } of rows) {
    try {
      await removeFile(join(config.mediaFolder, path));
      await db.deleteFrom('removal').where('path', '=', path).execute();
    } catch (error) {
      log.warn({ path, err: error }, 'a file could not be removed; it is tried again at the next start');
    }
  }
}
