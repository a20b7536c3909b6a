import type { Tx } from '../../platform/db/db.ts';
import { scheduleDeletion } from '../storage/pending-deletions.ts';
import { isSameEdit } from './quality.ts';

/** Gives up the small copy of a video if it has another length than its file, which was replaced in this transaction. */
export async function dropOtherCopy(tx: Tx, videoId: string, durationSeconds: number): Promise<void> {
  const copy = await tx.selectFrom('smallCopy').selectAll().where('videoId', '=', videoId).executeTakeFirst();
  if (!copy || isSameEdit(copy.durationSeconds, durationSeconds)) return;
  await tx.deleteFrom('smallCopy').where('videoId', '=', videoId).execute();
  await scheduleDeletion(tx, [copy.path]);
}
