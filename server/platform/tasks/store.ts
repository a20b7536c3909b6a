import { message, type Message } from '#contract/messages.ts';
import type { ExpressionBuilder, Selectable } from 'kysely';
import type { Report, RunShare } from '../context/task.ts';
import { parseMessages, storeMessages } from '../messages/stored.ts';
import type { Db } from '../db/db.ts';
import type { Tables, TaskTable } from '../db/schema/tables.ts';
import type { Counts } from './run-log.ts';

// Duration of the lease of a run, in seconds. It is renewed during the run; after it expires, another process may continue the
// run.
export const leaseSeconds = 60;
// How long ended runs are shown as notifications (about 5 s after success and 20 s after failure, as API clients expect) and
// stored.
const shownSeconds = { success: 5, failure: 20 };
const storedSeconds = 30 * 86_400;
const maxStoredRuns = 500;

const storeReport = ({ messages, downloads }: Report) => JSON.stringify({ messages, downloads });

/** A claim of a run. Each claim increases the epoch, and writes with an earlier epoch change nothing. */
export type RunLease = Pick<Selectable<TaskTable>, 'id' | 'leasedBy' | 'epoch'>;

/** Condition for writes of the holder. Without a matching row the lease is lost. */
const isHeldBy = (lease: RunLease) => (w: ExpressionBuilder<Tables, 'task'>) =>
  w.and([w('id', '=', lease.id), w('leasedBy', '=', lease.leasedBy), w('epoch', '=', lease.epoch), w('status', '=', 'running')]);

/** Whether a command ends a run. */
export const isStop = (command: string | null) => command !== null && command !== 'PAUSE';

/** Queues a run. Returns undefined if the task allows only one and it exists. */
export function enqueue(db: Db, task: { id: string; name: string; input: string; singletonName: string | null }, now: number) {
  return db
    .insertInto('task')
    .values({ ...task, status: 'pending', queuedAt: now, messages: storeReport({ messages: [message('run.received')] }) })
    .onConflict((c) => c.column('singletonName').doNothing())
    .returning('id')
    .executeTakeFirst();
}

export const findOnlyOne = (db: Db, name: string) =>
  db.selectFrom('task').select(['id', 'status']).where('singletonName', '=', name).executeTakeFirst();

// A lease that ends later was written while the clock was wrong, and is ignored.
const implausibleSeconds = 86_400;

/**
 * Claims the oldest queued run or one with an expired lease. Runs of this process are excluded: after a sleep or a jump of the
 * clock their lease may look expired until it is renewed.
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
      epoch: q('epoch', '+', 1),
      attempts: q('attempts', '+', 1),
      // Only the process that holds a run renews its lease.
      crashes: q
        .case()
        .when('status', '=', 'running')
        .then(q('crashes', '+', 1))
        .else(q.ref('crashes'))
        .end(),
    }))
    .where('id', '=', next)
    .returningAll()
    .executeTakeFirst();
}

/** Renews leases. Returns the runs whose lease is not lost, with the commands that users gave meanwhile. */
export async function renew(db: Db, leases: RunLease[], now: number) {
  if (leases.length === 0) return [];
  return db
    .updateTable('task')
    .set({ leaseUntil: now + leaseSeconds })
    .where((w) => w.or(leases.map((lease) => isHeldBy(lease)(w))))
    .returning(['id', 'command'])
    .execute();
}

export const saveReport = (db: Db, lease: RunLease, report: Report, progress: number | null) =>
  db
    .updateTable('task')
    .set({ messages: storeReport(report), progress })
    .where(isHeldBy(lease))
    .execute();

/** Possible outcomes of a run. */
export const outcomes = ['success', 'failure', 'stopped'] as const;

/** Outcome of a run. */
export interface Ending {
  status: (typeof outcomes)[number];
  messages: Message[];
  result: Message[] | null;
}

/** Ends a run. Returns false if the lease is lost. */
export async function finish(db: Db, lease: RunLease, how: Ending, now: number, counts: Counts = {}): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('task')
    .set({
      status: how.status,
      messages: storeReport({ messages: how.messages }),
      isError: how.status === 'failure' ? 1 : 0,
      result: how.result && storeMessages(how.result),
      progress: null,
      endedAt: now,
      singletonName: null,
      leasedBy: null,
      leaseUntil: null,
      counts: JSON.stringify(counts),
      problems: counts.problem ?? 0,
    })
    .where(isHeldBy(lease))
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
}

/** Puts a run back into the queue; it continues at the next start. */
export const requeue = (db: Db, lease: RunLease) =>
  db
    .updateTable('task')
    .set({ status: 'pending', leasedBy: null, leaseUntil: null, messages: storeReport({ messages: [message('run.continued')] }) })
    .where(isHeldBy(lease))
    .execute();

/** Releases all runs but those of these processes. The processes of the others ended without stopping them. */
export const releaseExcept = (db: Db, runIds: string[]) =>
  db
    .updateTable('task')
    .set((q) => ({
      status: 'pending',
      leasedBy: null,
      leaseUntil: null,
      messages: storeReport({ messages: [message('run.continued')] }),
      crashes: q('crashes', '+', 1),
    }))
    .where('status', '=', 'running')
    .$if(runIds.length > 0, (q) => q.where((w) => w.or([w('leasedBy', 'is', null), w('leasedBy', 'not in', runIds)])))
    .execute();

export const askToStop = (db: Db, id: string, command: 'STOP' | 'KILL') =>
  db
    .updateTable('task')
    .set({ command })
    .where('id', '=', id)
    .where('status', 'in', ['pending', 'running'])
    .returning('status')
    .executeTakeFirst();

/** Pauses or resumes a run that is not being stopped. */
export const pause = (db: Db, id: string, isPaused: boolean) =>
  db
    .updateTable('task')
    .set({ command: isPaused ? 'PAUSE' : null })
    .where('id', '=', id)
    .where('status', 'in', ['pending', 'running'])
    .where((w) => w.or([w('command', 'is', null), w('command', '=', 'PAUSE')]))
    .returning('status')
    .executeTakeFirst();

/** Queued and running runs of these tasks. */
export const activeRuns = (db: Db, names: string[]) =>
  db.selectFrom('task').selectAll().where('name', 'in', names).where('status', 'in', ['pending', 'running']).execute();

// A share that is not renewed for so long belongs to a node that no longer takes part.
const shareSeconds = 20;

/** Saves what this node does and did in a run of another one. Does nothing if the run was deleted. */
export async function saveShare(
  db: Db,
  { taskId, runId, egress, isActive, report, counts, skipped }: RunShare & { taskId: string },
  now: number,
): Promise<void> {
  const row = {
    report: storeReport(report),
    counts: JSON.stringify(counts),
    skipped: storeMessages(skipped),
    activeUntil: isActive ? now + shareSeconds : 0,
  };
  await db
    .insertInto('runShare')
    .values({ taskId, runId, egress, ...row })
    .onConflict((c) => c.columns(['taskId', 'runId']).doUpdateSet(row))
    .execute();
}

/** Returns what other nodes do and did in a run. */
export async function sharesOf(db: Db, taskId: string, now: number): Promise<RunShare[]> {
  const rows = await db.selectFrom('runShare').selectAll().where('taskId', '=', taskId).execute();
  return rows.map((row) => ({
    runId: row.runId,
    egress: row.egress,
    isActive: row.activeUntil >= now,
    report: JSON.parse(row.report) as Report,
    counts: JSON.parse(row.counts) as Counts,
    skipped: parseMessages(row.skipped),
  }));
}

/** Deletes the shares of ended runs. */
export const deleteOldShares = (db: Db) =>
  db
    .deleteFrom('runShare')
    .where('taskId', 'not in', (q) => q.selectFrom('task').select('id').where('status', 'in', ['pending', 'running']))
    .execute();

/** Returns queued and running runs, and those that ended recently enough to be shown. */
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
      // A later end was written before the clock was set back.
      .where((w) => w.or([w('endedAt', 'is', null), w('endedAt', '<=', now + shownSeconds.failure)]))
      .orderBy('queuedAt')
      .execute()
  );
}

/** Inputs (JSON) of the queued and running runs of a task. */
export const activeInputsOf = async (db: Db, name: string) =>
  (
    await db.selectFrom('task').select('input').where('name', '=', name).where('status', 'in', ['pending', 'running']).execute()
  ).map(({ input }) => input);

/** Returns whether a run ended under this lease, as a restore does in the restored database. */
export const hasEnded = async (db: Db, { id, epoch }: RunLease): Promise<boolean> => {
  const run = await findTask(db, id);
  return run?.epoch === epoch && run.endedAt !== null;
};

export const findTask = (db: Db, id: string) => db.selectFrom('task').selectAll().where('id', '=', id).executeTakeFirst();

export const listTasks = (db: Db, name?: string) =>
  db
    .selectFrom('task')
    .selectAll()
    .$if(name !== undefined, (q) => q.where('name', '=', name!))
    .orderBy('queuedAt', 'desc')
    .limit(1000)
    .execute();

/** Deletes runs that ended more than a month ago, and all but the last five hundred. */
export async function deleteOldRuns(db: Db, now: number): Promise<void> {
  const oldest = await db
    .selectFrom('task')
    .select('endedAt')
    .where('endedAt', 'is not', null)
    .orderBy('endedAt', 'desc')
    .limit(1)
    .offset(maxStoredRuns)
    .executeTakeFirst();
  await db
    .deleteFrom('task')
    .where('endedAt', '<', Math.max(now - storedSeconds, oldest?.endedAt ?? 0))
    .execute();
}
