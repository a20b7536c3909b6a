import { isDeepStrictEqual } from 'node:util';
import type { Selectable } from 'kysely';
import type { Schedule } from '#contract/schedule.ts';
import { integer } from '#contract/field-types.ts';
import type { AppContext } from '../context/app-context.ts';
import { inTransaction, temporaryFailure, type Db } from '../db/db.ts';
import type { ScheduleTable } from '../db/schema/tables.ts';
import { notFound, badRequest } from '../http/http-error.ts';
import { timeZone } from '../lib/format-time.ts';
import { describeSchedule, nextRun, parseSchedule } from './cron.ts';
import type { TaskDefinition } from '../context/task.ts';

type Row = Selectable<ScheduleTable>;

const timeOf = (at: number) => (at === 0 ? null : new Date(at * 1000).toISOString());

export const serializeSchedule = (row: Row & { startedAt?: number | null }): Schedule => ({
  name: row.name,
  schedule: row.schedule,
  schedule_human: describeSchedule(row.schedule),
  last_run_at: timeOf(Math.max(row.lastRunAt ?? 0, row.startedAt ?? 0)),
  next_run_at: new Date(row.nextAt * 1000).toISOString(),
  config: JSON.parse(row.config) as Record<string, number>,
  time_zone: timeZone(),
});

/** Returns schedules with the start of the last recorded run. */
export const listSchedules = (db: Db) =>
  db
    .selectFrom('schedule')
    .selectAll()
    .select((e) =>
      e
        .selectFrom('task')
        .select((f) => f.fn.max('task.startedAt').as('at'))
        .whereRef('task.name', '=', 'schedule.name')
        .as('startedAt'),
    )
    .orderBy('name')
    .execute();

export const findSchedule = (db: Db, name: string) =>
  db.selectFrom('schedule').selectAll().where('name', '=', name).executeTakeFirst();

export const deleteSchedule = (db: Db, name: string) =>
  db.deleteFrom('schedule').where('name', '=', name).returning('name').executeTakeFirst();

function readConfig({ name, schedule }: TaskDefinition, changes: Record<string, unknown>): Record<string, number> {
  const known = schedule?.config;
  if (!known) throw badRequest('error.takes-no-config', { name });
  return Object.fromEntries(
    Object.entries(changes).map(([key, value]) => {
      const bounds = Object.hasOwn(known, key) && known[key];
      if (!bounds) throw badRequest('error.config-key', { name });
      const { data: number } = integer(bounds).safeParse(value);
      if (number === undefined) throw badRequest('error.number', { key, min: bounds.min, max: bounds.max });
      return [key, number];
    }),
  );
}

const initialConfig = ({ schedule }: TaskDefinition) =>
  Object.fromEntries(Object.entries(schedule?.config ?? {}).map(([key, { initial }]) => [key, initial]));

/**
 * Creates or updates the schedule of a task.
 * @throws bad request for an invalid schedule
 */
export async function setSchedule(
  { db, now, tasks }: AppContext,
  name: string,
  changes: { schedule?: string | null | undefined; config?: Record<string, unknown> | null | undefined },
): Promise<Row> {
  const definition = tasks.definition(name);
  if (!definition) throw notFound('error.no-task-name');
  if (!definition.schedule) throw badRequest('error.not-schedulable', { title: definition.title });
  const wanted = changes.config && Object.keys(changes.config).length > 0 ? changes.config : null;
  if (!changes.schedule && !wanted) throw badRequest('error.schedule-or-config');
  const { auto } = definition.schedule;
  if (changes.schedule === 'auto' && !auto) throw badRequest('error.no-default-schedule', { name });
  return inTransaction(db, async (tx) => {
    const before = await findSchedule(tx, name);
    const schedule = changes.schedule ? parseSchedule(changes.schedule === 'auto' ? auto! : changes.schedule) : before?.schedule;
    if (!schedule) throw badRequest('error.no-schedule-yet', { name });
    const config = {
      ...(before ? (JSON.parse(before.config) as Record<string, number>) : initialConfig(definition)),
      ...(wanted && readConfig(definition, wanted)),
    };
    // A change of the config alone does not postpone a due run.
    const nextAt = changes.schedule || !before ? nextRun(schedule, now()) : before.nextAt;
    const row = { schedule, config: JSON.stringify(config), nextAt };
    return tx
      .insertInto('schedule')
      .values({ name, ...row, lastRunAt: null })
      .onConflict((c) => c.column('name').doUpdateSet(row))
      .returningAll()
      .executeTakeFirstOrThrow();
  });
}

const clockToleranceSeconds = 60; // smaller changes of the clock are ignored

// Whether the run for this time already happened and the clock was set back since.
const hasRunFor = ({ schedule, lastRunAt }: Row, at: number) =>
  lastRunAt !== null && lastRunAt <= at + clockToleranceSeconds && nextRun(schedule, lastRunAt) > at;

const inputOf = ({ schedule }: TaskDefinition, config: string) => ({
  ...schedule?.input,
  ...(JSON.parse(config) as Record<string, number>),
});

// Whether the task is running with another input. Starting it would return that run, and the scheduled one would be lost.
async function isRunningWithOtherInput({ tasks }: AppContext, { name, config }: Row): Promise<boolean> {
  const definition = tasks.definition(name);
  const own = definition?.input.safeParse(inputOf(definition, config));
  if (!own?.success) return false;
  return (await tasks.activeInputs(name)).some((input) => !isDeepStrictEqual(input, own.data));
}

async function runOne(app: AppContext, row: Row, at: number): Promise<void> {
  const { db, tasks, log } = app;
  const { name, schedule, config, nextAt } = row;
  const next = nextRun(schedule, at);
  // A time after the next one was computed with a wrong clock or another time zone.
  if (nextAt > at && nextAt <= next) return;
  const isDue = nextAt <= at && !hasRunFor(row, at);
  if (isDue && (await isRunningWithOtherInput(app, row))) return;
  const definition = tasks.definition(name);
  // In one transaction, so that a kill loses no run. The condition on `nextAt` prevents two starts and detects concurrent
  // changes.
  const isQueued = await inTransaction(db, async (tx) => {
    const claimed = await tx
      .updateTable('schedule')
      .set({ nextAt: next, ...(isDue && { lastRunAt: at }) })
      .where('name', '=', name)
      .where('nextAt', '=', nextAt)
      .returning('name')
      .executeTakeFirst();
    if (!claimed || !isDue || !definition) return false;
    await tasks.queue(tx, definition, definition.input.parse(inputOf(definition, config)));
    return true;
  });
  if (!isQueued) return;
  await tasks.begun();
  log.info({ task: name }, 'started by its schedule');
}

/**
 * Starts due tasks. Runs missed while the server was off run once. A due task that is running with another input starts after it.
 * An invalid schedule, for example from an edited backup, does not affect others.
 */
export async function runSchedules(app: AppContext): Promise<void> {
  const { db, now, log, state } = app;
  const at = now();
  for (const row of await listSchedules(db)) {
    const { name, schedule, config } = row;
    try {
      await runOne(app, row, at);
    } catch (error) {
      if (temporaryFailure(error)) throw error;
      const what = JSON.stringify([name, schedule, config]);
      if (!state.loggedScheduleErrors.has(what)) log.error({ task: name, err: error }, 'cannot start a scheduled task');
      state.loggedScheduleErrors.add(what);
    }
  }
}

const isEmpty = async (db: Db) => !(await db.selectFrom('channel').select('id').limit(1).executeTakeFirst());

/** Creates default schedules, once per task. */
export async function initializeSchedules(app: AppContext, definitions: TaskDefinition[]): Promise<void> {
  const { db } = app;
  for (const { name, schedule } of definitions) {
    if (!schedule?.isOnFromTheStart) continue;
    const mark = `schedule.${name}`;
    if (await db.selectFrom('setting').select('name').where('name', '=', mark).executeTakeFirst()) continue;
    const isWanted = schedule.isOnFromTheStart === true || (await isEmpty(db));
    // The marker is written last, so that an interrupted start is repeated.
    if (isWanted && !(await findSchedule(db, name))) await setSchedule(app, name, { schedule: 'auto' });
    await db
      .insertInto('setting')
      .values({ name: mark, value: 'true' })
      .onConflict((c) => c.column('name').doNothing())
      .execute();
  }
}
