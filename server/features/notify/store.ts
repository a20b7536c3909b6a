import type { Db, Tx } from '../../platform/db/db.ts';

export const listTargets = (db: Db) => db.selectFrom('notifyTarget').selectAll().orderBy('taskName').orderBy('number').execute();

/** Adds a target; an existing one is unchanged. */
export const addTarget = (db: Db, row: { taskName: string; urlHash: string; sealed: string }) =>
  db
    .insertInto('notifyTarget')
    .values(row)
    .onConflict((c) => c.columns(['taskName', 'urlHash']).doNothing())
    .execute();

/** Deletes one or all targets of a task. Returns their sealed URLs. */
export const deleteTargets = (tx: Tx, taskName: string, which: { id: number } | { hashes: string[] } | 'all') =>
  tx
    .deleteFrom('notifyTarget')
    .where('taskName', '=', taskName)
    .where((w) => (which === 'all' ? w.lit(true) : 'id' in which ? w('number', '=', which.id) : w('urlHash', 'in', which.hashes)))
    .returning('sealed')
    .execute();

/** Deletes the pending messages of deleted targets. */
export const deleteMessages = (tx: Tx, sealed: string[]) => tx.deleteFrom('outbox').where('sealed', 'in', sealed).execute();

/** Returns due messages, and those scheduled further ahead than possible, which happens after a clock change. */
export const dueMessages = (db: Db, now: number, maxAhead: number) =>
  db
    .selectFrom('outbox')
    .selectAll()
    .where((w) => w.or([w('nextAt', '<=', now), w('nextAt', '>', now + maxAhead)]))
    .orderBy('nextAt')
    .orderBy('number')
    .limit(20)
    .execute();

/** Claims a message for one attempt; only the process that gets a row may send it. */
export const claimMessage = (db: Db, { number, attempts }: { number: number; attempts: number }, nextAt: number) =>
  db
    .updateTable('outbox')
    .set({ attempts: attempts + 1, nextAt })
    .where('number', '=', number)
    .where('attempts', '=', attempts)
    .returning('number')
    .executeTakeFirst();

export const deleteMessage = (db: Db, number: number) =>
  db.deleteFrom('outbox').where('number', '=', number).returning('number').executeTakeFirst();
