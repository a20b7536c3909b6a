import { randomUUID } from 'node:crypto';
import type { AppContext } from '../../../platform/context/app-context.ts';
import { chunks, inTransaction, type Tx } from '../../../platform/db/db.ts';
import { badRequest } from '../../../platform/http/http-error.ts';
import { restoreWatches, type PreviousWatch, readPreviousWatches } from '../../../archive/video/watch-store.ts';

// Undo period: as long as the interface offers it, plus a margin.
const keptSeconds = 120;

/** An operation that sets the watched state of videos. */
interface Mark {
  accountId: number;
  ids: string[];
  /** The watched time that is set for all videos; null for unwatched. */
  watchedAt: number | null;
  at: number;
}

/**
 * Keeps the state before an operation, so that it can be undone; in its transaction. Only the last operation of a user is kept.
 * Returns its key.
 */
export async function rememberMark(tx: Tx, { accountId, ids, watchedAt, at }: Mark): Promise<string> {
  await tx
    .deleteFrom('undoableMark')
    .where((w) => w.or([w('accountId', '=', accountId), w('markedAt', '<', at - keptSeconds)]))
    .execute();
  const name = randomUUID();
  let part = 0;
  for (const some of chunks(ids)) {
    const before = await readPreviousWatches(tx, accountId, some, watchedAt !== null);
    const row = { accountId, part: part++, name, markedAt: at, watchedAt, before: JSON.stringify(before) };
    await tx.insertInto('undoableMark').values(row).execute();
  }
  return name;
}

/** Undoes an operation: restores state, date and position, except for videos that the user has changed since. */
export async function undoMarkWatched({ db, now, events }: AppContext, accountId: number, name: string): Promise<number> {
  const videos = await inTransaction(db, async (tx) => {
    const parts = await tx
      .deleteFrom('undoableMark')
      .where('accountId', '=', accountId)
      .where('name', '=', name)
      .where('markedAt', '>=', now() - keptSeconds)
      .returning(['markedAt', 'watchedAt', 'before'])
      .execute();
    if (parts.length === 0) throw badRequest('undo.too-late');
    let restored = 0;
    for (const { markedAt: at, watchedAt, before } of parts)
      restored += await restoreWatches(tx, accountId, JSON.parse(before) as PreviousWatch[], { watchedAt, at }, now());
    return restored;
  });
  events.announceTo(accountId, 'video');
  return videos;
}
