import type { Db } from '../db/db.ts';
import type { Counts } from './notes.ts';

// A run holds its task for this long and renews it meanwhile; when its program died, another takes it over after that.
export const leaseSeconds = 60;
// How long what ended still shows (contract-given: about 5 s after success, about 20 s after failure), and is kept.
const shownSeconds = { success: 5, failure: 20 };
const keptSeconds = 30 * 86_400;
const mostKept = 500;

/** Queues a task. Answers null when it may only be there once and is. */
export function enqueue(db: Db, task: { id: string; name: string; input: string; onlyOne: string | null }, now: number) {
  return db
    .insertInto('task')
    .values({ ...task, status: 'pending', queuedAt: now, messages: JSON.stringify(['New task received.']) })
    .onConflict((c) => c.column('onlyOne').doNothing())
    .returning('id')
    .executeTakeFirst();
}

export const findOnlyOne = (db: Db, name: string) =>
  db.selectFrom('task').select(['id', 'status']).where('onlyOne', '=', name).executeTakeFirst();

// A lease that ends later than this was written when the clock was ahead; it would hold for years.
const implausibleSeconds = 86_400;

/**
 * Takes the oldest task that waits, or one whose runner died, for this run id. What runs here is never taken again, though
 * its lease may look lost: after a sleep, or a jump of the clock, it is renewed a moment later.
 */
export function claim(db: Db, runId: string, now: number, runningHere: string[] = []) {
  const next = db
    .selectFrom('task')
    .select('id')
    .where((w) =>
      w.or([
        w('status', '=', 'pending'),
        w.and([w('status', '=', 'running'), w.or([w('leaseUntil', '<', now), w('leaseUntil', '>', now + implausibleSeconds)])]),
      ]),
    )
    .$if(runningHere.length > 0, (q) => q.where('id', 'not in', runningHere))
    .orderBy('queuedAt')
    .orderBy('id')
    .limit(1)
    .$if(db.engine === 'postgres', (q) => q.forUpdate().skipLocked());
  return db
    .updateTable('task')
    .set((q) => ({
      status: 'running',
      leasedBy: runId,
      leaseUntil: now + leaseSeconds,
      startedAt: now,
      attempts: q('attempts', '+', 1),
    }))
    .where('id', '=', next)
    .returningAll()
    .executeTakeFirst();
}

/** Renews the leases of what runs here; answers the commands that people gave meanwhile. */
export async function renew(db: Db, ids: string[], now: number) {
  if (ids.length === 0) return [];
  return db
    .updateTable('task')
    .set({ leaseUntil: now + leaseSeconds })
    .where('id', 'in', ids)
    .where('status', '=', 'running')
    .returning(['id', 'command'])
    .execute();
}

export const say = (db: Db, id: string, messages: string[], progress: number | null) =>
  db
    .updateTable('task')
    .set({ messages: JSON.stringify(messages), progress })
    .where('id', '=', id)
    .where('status', '=', 'running')
    .execute();

/** What may come of a task. */
export const outcomes = ['success', 'failure', 'stopped'] as const;

/** What came of a task. */
export interface Ending {
  status: (typeof outcomes)[number];
  messages: string[];
  result: string | null;
}

export function finish(db: Db, id: string, how: Ending, now: number, counts: Counts = {}) {
  return db
    .updateTable('task')
    .set({
      status: how.status,
      messages: JSON.stringify(how.messages),
      isError: how.status === 'failure' ? 1 : 0,
      result: how.result,
      progress: null,
      endedAt: now,
      onlyOne: null,
      leasedBy: null,
      leaseUntil: null,
      counts: JSON.stringify(counts),
      problems: counts.problem ?? 0,
    })
    .where('id', '=', id)
    .execute();
}

/** Puts a task back: it goes on at the next start. */
export const putBack = (db: Db, id: string, runId: string) =>
  db
    .updateTable('task')
    .set({ status: 'pending', leasedBy: null, leaseUntil: null, messages: JSON.stringify(['Continued after a restart.']) })
    .where('id', '=', id)
    .where('leasedBy', '=', runId) // another program may have taken it over
    .execute();

/** What an earlier run of this program left running is free at once: two never run on one data folder. */
export const freeAll = (db: Db) =>
  db
    .updateTable('task')
    .set({ status: 'pending', leasedBy: null, leaseUntil: null, messages: JSON.stringify(['Continued after a restart.']) })
    .where('status', '=', 'running')
    .execute();

export const askToStop = (db: Db, id: string, command: 'STOP' | 'KILL') =>
  db
    .updateTable('task')
    .set({ command })
    .where('id', '=', id)
    .where('status', 'in', ['pending', 'running'])
    .returning('status')
    .executeTakeFirst();

/** What is going on now, and what ended so lately that people should still see it. */
export function current(db: Db, now: number) {
  return (
    db
      .selectFrom('task')
      .selectAll()
      .where((w) =>
        w.or([
          w('status', 'in', ['pending', 'running']),
          w.and([w('status', 'in', ['success', 'stopped']), w('endedAt', '>', now - shownSeconds.success)]),
          w.and([w('status', '=', 'failure'), w('endedAt', '>', now - shownSeconds.failure)]),
        ]),
      )
      // What ended "in the future" ended before the clock was put back.
      .where((w) => w.or([w('endedAt', 'is', null), w('endedAt', '<=', now + shownSeconds.failure)]))
      .orderBy('queuedAt')
      .execute()
  );
}

/** The inputs, JSON, of the runs of a task that wait or are under way. */
export const inputsUnderWay = async (db: Db, name: string) =>
  (
    await db.selectFrom('task').select('input').where('name', '=', name).where('status', 'in', ['pending', 'running']).execute()
  ).map(({ input }) => input);

export const findTask = (db: Db, id: string) => db.selectFrom('task').selectAll().where('id', '=', id).executeTakeFirst();

export const listTasks = (db: Db, name?: string) =>
  db
    .selectFrom('task')
    .selectAll()
    .$if(name !== undefined, (q) => q.where('name', '=', name!))
    .orderBy('queuedAt', 'desc')
    .limit(1000)
    .execute();

/** Forgets what ended a month ago, and what ended before the last five hundred did. */
export async function forgetOld(db: Db, now: number): Promise<void> {
  const oldest = await db
    .selectFrom('task')
    .select('endedAt')
    .where('endedAt', 'is not', null)
    .orderBy('endedAt', 'desc')
    .limit(1)
    .offset(mostKept)
    .executeTakeFirst();
  await db
    .deleteFrom('task')
    .where('endedAt', '<', Math.max(now - keptSeconds, oldest?.endedAt ?? 0))
    .execute();
}
