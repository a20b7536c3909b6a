import type { FailureKind } from '#contract/download.ts';
import type { Db } from './db/db.ts';

// What says that something is not there any more. A block, an outage or a login that is missing never does.
const means: FailureKind[] = ['gone', 'private'];
export const meansGone = (kind: FailureKind) => means.includes(kind);

// Two days by the calendar could be a minute apart; most of a day lets a bad evening pass.
const confirmedAfterSeconds = 20 * 3600;

/**
 * Notes that the site says that a video, channel or playlist is gone. Only when it says so again most of a day later it
 * counts. Answers whether it does now.
 */
export async function noteGone(
  db: Db,
  table: 'video' | 'channel' | 'playlist',
  id: string,
  { kind, now }: { kind: FailureKind; now: number },
): Promise<boolean> {
  if (!meansGone(kind)) return false;
  const row = await db.selectFrom(table).select(['goneSince']).where('id', '=', id).executeTakeFirst();
  if (!row) return false;
  const isConfirmed = row.goneSince !== null && now - row.goneSince >= confirmedAfterSeconds;
  await db
    .updateTable(table)
    .set({ goneAs: kind, goneSince: row.goneSince ?? now, ...(isConfirmed && { isActive: 0 }) })
    .where('id', '=', id)
    .execute();
  return isConfirmed;
}

/** It answered: it is there. */
export const noteThere = (db: Db, table: 'video' | 'channel' | 'playlist', id: string) =>
  db.updateTable(table).set({ goneAs: null, goneSince: null, isActive: 1 }).where('id', '=', id).execute();
