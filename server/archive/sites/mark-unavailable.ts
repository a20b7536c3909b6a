import type { FailureKind } from '#contract/download.ts';
import type { Db } from '../../platform/db/db.ts';
import { queueEvent } from '../outbox/queue-event.ts';

// Failures that mean the video no longer exists. A block, an outage or a missing login do not.
const goneFailures: FailureKind[] = ['gone', 'private'];
export const isGoneFailure = (kind: FailureKind) => goneFailures.includes(kind);

// 20 hours instead of two calendar days, which could be a minute apart; long enough for an outage to pass.
const confirmedAfterSeconds = 20 * 3600;

async function queueGone(db: Db, id: string, kind: FailureKind, now: number) {
  const { title } = await db.selectFrom('video').select('title').where('id', '=', id).executeTakeFirstOrThrow();
  const reason = kind === 'private' ? kind : 'gone';
  await queueEvent(db, { event: 'video.gone', data: { video: { id, title }, reason } }, now);
}

/**
 * Records that a site reports a video, channel or playlist as gone. It counts only if confirmed at least 20 hours later. Returns
 * whether it is confirmed.
 */
export async function markUnavailable(
  db: Db,
  table: 'video' | 'channel' | 'playlist',
  id: string,
  { kind, now }: { kind: FailureKind; now: number },
): Promise<boolean> {
  if (!isGoneFailure(kind)) return false;
  const row = await db.selectFrom(table).select(['unavailableSince', 'isActive']).where('id', '=', id).executeTakeFirst();
  if (!row) return false;
  const isConfirmed = row.unavailableSince !== null && now - row.unavailableSince >= confirmedAfterSeconds;
  await db
    .updateTable(table)
    .set({ unavailableReason: kind, unavailableSince: row.unavailableSince ?? now, ...(isConfirmed && { isActive: 0 }) })
    .where('id', '=', id)
    .execute();
  if (isConfirmed && row.isActive === 1 && table === 'video') await queueGone(db, id, kind, now);
  return isConfirmed;
}

/** Records that a video, channel or playlist is available. */
export const markAvailable = (db: Db, table: 'video' | 'channel' | 'playlist', id: string) =>
  db.updateTable(table).set({ unavailableReason: null, unavailableSince: null, isActive: 1 }).where('id', '=', id).execute();
