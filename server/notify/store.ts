import type { Db, Tx } from '../db/db.ts';

export const listTargets = (db: Db) => db.selectFrom('notifyTarget').selectAll().orderBy('taskName').orderBy('number').execute();

/** Adds a place to tell; one that is there already stays as it is. */
export const addTarget = (db: Db, row: { taskName: string; urlHash: string; sealed: string }) =>
  db
    .insertInto('notifyTarget')
    .values(row)
    .onConflict((c) => c.columns(['taskName', 'urlHash']).doNothing())
    .execute();

/** Takes one place of a task away, or all of them; answers what was kept of them. */
export const dropTargets = (tx: Tx, taskName: string, urlHashes: string[] | null) =>
  tx
    .deleteFrom('notifyTarget')
    .where('taskName', '=', taskName)
    .$if(urlHashes !== null, (q) => q.where('urlHash', 'in', urlHashes!))
    .returning('sealed')
    .execute();

/** What was still to be told to a place that was taken away. */
export const dropMessages = (tx: Tx, sealed: string[]) => tx.deleteFrom('outbox').where('sealed', 'in', sealed).execute();

/** One row for each place that wants to hear of a task, in one go. */
export const addMessages = (db: Db, taskName: string, message: string, now: number) =>
  db
    .insertInto('outbox')
    .columns(['sealed', 'message', 'nextAt', 'createdAt'])
    .expression((q) =>
      q
        .selectFrom('notifyTarget')
        .where('taskName', '=', taskName)
        .select((s) => [
          'sealed',
          s.cast<string>(s.val(message), 'text').as('message'),
          s.cast<number>(s.val(now), 'bigint').as('nextAt'),
          s.cast<number>(s.val(now), 'bigint').as('createdAt'),
        ]),
    )
    .execute();

/** What is due, or further away than it can be unless the clock was wrong. */
export const dueMessages = (db: Db, now: number, mostAhead: number) =>
  db
    .selectFrom('outbox')
    .selectAll()
    .where((w) => w.or([w('nextAt', '<=', now), w('nextAt', '>', now + mostAhead)]))
    .orderBy('nextAt')
    .orderBy('number')
    .limit(20)
    .execute();

/** Takes a message for one attempt; only whoever gets a row may send it. */
export const claimMessage = (db: Db, { number, attempts }: { number: number; attempts: number }, nextAt: number) =>
  db
    .updateTable('outbox')
    .set({ attempts: attempts + 1, nextAt })
    .where('number', '=', number)
    .where('attempts', '=', attempts)
    .returning('number')
    .executeTakeFirst();

export const dropMessage = (db: Db, number: number) =>
  db.deleteFrom('outbox').where('number', '=', number).returning('number').executeTakeFirst();
