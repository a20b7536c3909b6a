import { isDeepStrictEqual } from 'node:util';
import type { Selectable } from 'kysely';
import type { Schedule } from '#contract/schedule.ts';
import { integer } from '#contract/values.ts';
import type { Archive } from '../archive.ts';
import { inTransaction, passingTrouble, type Db } from '../db/db.ts';
import type { ScheduleTable } from '../db/tables.ts';
import { notFound, refused } from '../http/problem.ts';
import { inWords, nextRun, readSchedule } from './cron.ts';
import type { TaskDefinition } from './task.ts';

type Row = Selectable<ScheduleTable>;

export const shapeSchedule = (row: Row): Schedule => ({
  name: row.name,
  schedule: row.schedule,
  schedule_human: inWords(row.schedule),
  last_run_at: row.lastRunAt === null ? null : new Date(row.lastRunAt * 1000).toISOString(),
  next_run_at: new Date(row.nextAt * 1000).toISOString(),
  config: JSON.parse(row.config) as Record<string, number>,
});

export const listSchedules = (db: Db) => db.selectFrom('schedule').selectAll().orderBy('name').execute();

export const findSchedule = (db: Db, name: string) =>
  db.selectFrom('schedule').selectAll().where('name', '=', name).executeTakeFirst();

export const dropSchedule = (db: Db, name: string) =>
  db.deleteFrom('schedule').where('name', '=', name).returning('name').executeTakeFirst();

function readConfig({ name, schedule }: TaskDefinition, said: Record<string, unknown>): Record<string, number> {
  const known = schedule?.config;
  if (!known) throw refused(`task '${name}' doesn't take config`);
  return Object.fromEntries(
    Object.entries(said).map(([key, value]) => {
      const bounds = Object.hasOwn(known, key) && known[key];
      if (!bounds) throw refused(`invalid config key for task '${name}'`);
      const { data: number } = integer(bounds).safeParse(value);
      if (number === undefined) throw refused(`${key} must be a whole number from ${bounds.min} to ${bounds.max}.`);
      return [key, number];
    }),
  );
}

const initialConfig = ({ schedule }: TaskDefinition) =>
  Object.fromEntries(Object.entries(schedule?.config ?? {}).map(([key, { initial }]) => [key, initial]));

/** Sets when a task runs by itself, or with what. Refuses with a sentence what cannot be meant. */
export async function setSchedule(
  { db, now, tasks }: Archive,
  name: string,
  said: { schedule?: string | null | undefined; config?: Record<string, unknown> | null | undefined },
): Promise<Row> {
  const definition = tasks.definition(name);
  if (!definition) throw notFound('task name');
  if (!definition.schedule) throw refused(`${definition.title} cannot run by itself.`);
  const wanted = said.config && Object.keys(said.config).length > 0 ? said.config : null;
  if (!said.schedule && !wanted) throw refused('expected schedule or config key');
  const { auto } = definition.schedule;
  if (said.schedule === 'auto' && !auto) throw refused(`task '${name}' has no schedule of its own; write one`);
  return inTransaction(db, async (tx) => {
    const before = await findSchedule(tx, name);
    const schedule = said.schedule ? readSchedule(said.schedule === 'auto' ? auto! : said.schedule) : before?.schedule;
    if (!schedule) throw refused(`task '${name}' has no schedule yet; set one first`);
    const config = {
      ...(before ? (JSON.parse(before.config) as Record<string, number>) : initialConfig(definition)),
      ...(wanted && readConfig(definition, wanted)),
    };
    // What is due already, and not begun yet, stays so when only its config changes.
    const nextAt = said.schedule || !before ? nextRun(schedule, now()) : before.nextAt;
    const row = { schedule, config: JSON.stringify(config), nextAt };
    return tx
      .insertInto('schedule')
      .values({ name, ...row, lastRunAt: said.schedule ? now() : null })
      .onConflict((c) => c.column('name').doUpdateSet({ ...row, ...(said.schedule && { lastRunAt: now() }) }))
      .returningAll()
      .executeTakeFirstOrThrow();
  });
}

const slightSeconds = 60; // a clock that is set right by no more than this has not jumped

// Whether it ran for this time already: the clock was put back meanwhile, and on again.
const ranAlready = ({ schedule, lastRunAt }: Row, at: number) =>
  lastRunAt !== null && lastRunAt <= at + slightSeconds && nextRun(schedule, lastRunAt) > at;

// Whether its task is under way with another input: a start would be answered with that run, and what is due not be done.
async function isTakenUp({ tasks }: Archive, { name, config }: Row): Promise<boolean> {
  const own = tasks.definition(name)?.input.safeParse(JSON.parse(config));
  if (!own?.success) return false;
  return (await tasks.underWay(name)).some((input) => !isDeepStrictEqual(input, own.data));
}

async function runOne(archive: Archive, row: Row, at: number): Promise<void> {
  const { db, tasks, log } = archive;
  const { name, schedule, config, nextAt } = row;
  const next = nextRun(schedule, at);
  // What is further away than the next time was written when the clock, or the time zone, was another.
  if (nextAt > at && nextAt <= next) return;
  const isDue = nextAt <= at && !ranAlready(row, at);
  if (isDue && (await isTakenUp(archive, row))) return;
  const definition = tasks.definition(name);
  // In one transaction, so that a kill loses no run. Only whoever moves it on runs it: somebody may set it anew just now.
  const isQueued = await inTransaction(db, async (tx) => {
    const mine = await tx
      .updateTable('schedule')
      .set({ nextAt: next, ...(isDue && { lastRunAt: at }) })
      .where('name', '=', name)
      .where('nextAt', '=', nextAt)
      .returning('name')
      .executeTakeFirst();
    if (!mine || !isDue || !definition) return false;
    await tasks.queue(tx, definition, definition.input.parse(JSON.parse(config)));
    return true;
  });
  if (!isQueued) return;
  await tasks.begun();
  log.info({ task: name }, 'started by its schedule');
}

// Each round looks at all of them; what is wrong with one is told once.
const told = new WeakMap<Archive['tasks'], Set<string>>();

/**
 * Starts what is due. What was missed while the program was off, or the clock jumped over, runs once. What is due while its task
 * does something else waits until that is over. One that cannot be read, as from a backup that somebody edited, stops no other.
 */
export async function runSchedules(archive: Archive): Promise<void> {
  const { db, now, tasks, log } = archive;
  const at = now();
  const before = told.get(tasks) ?? new Set<string>();
  told.set(tasks, before);
  for (const row of await listSchedules(db)) {
    const { name, schedule, config } = row;
    try {
      await runOne(archive, row, at);
    } catch (error) {
      if (passingTrouble(error)) throw error;
      const what = JSON.stringify([name, schedule, config]);
      if (!before.has(what)) log.error({ task: name, err: error }, 'a scheduled task could not be started');
      before.add(what);
    }
  }
}

/** What runs by itself from the first start on, because without it a promise would not be kept. Done once per task. */
export async function beginSchedules(archive: Archive, definitions: TaskDefinition[]): Promise<void> {
  const { db } = archive;
  for (const { name, schedule } of definitions) {
    if (!schedule?.isOnFromTheStart) continue;
    const mark = `schedule.${name}`;
    if (await db.selectFrom('setting').select('name').where('name', '=', mark).executeTakeFirst()) continue;
    // The mark comes last: cut off before it, the next start does it.
    if (!(await findSchedule(db, name))) await setSchedule(archive, name, { schedule: 'auto' });
    await db
      .insertInto('setting')
      .values({ name: mark, value: 'true' })
      .onConflict((c) => c.column('name').doNothing())
      .execute();
  }
}
