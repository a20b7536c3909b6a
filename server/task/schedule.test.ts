import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { aUser, engines, testArchive, type TestArchive } from '../testing.ts';
import { inWords, nextRun } from './cron.ts';
import { beginSchedules, runSchedules } from './schedule.ts';
import { defineTask, type TaskDefinition } from './task.ts';

describe.each(engines)('schedules on $engine', (on) => {
  const ran: unknown[] = [];
  let holdUp: PromiseWithResolvers<void> | undefined;
  const counted = defineTask({
    name: 'counted',
    title: 'Counted',
    group: 'setting:x',
    isStartable: true,
    isStoppable: false,
    schedule: {
      auto: '0 12 *',
      config: { days: { initial: 90, min: 1, max: 9999 }, spare: { initial: 1, min: 0, max: 9 } },
      isOnFromTheStart: true,
    },
    input: z.object({ days: z.int().default(1) }),
    async run({ input }) {
      ran.push(input);
      await holdUp?.promise;
    },
  });
  const never = defineTask({ ...counted, name: 'never', schedule: undefined } as unknown as typeof counted);
  let t: TestArchive;
  let staff: Awaited<ReturnType<typeof aUser>>;
  beforeEach(async () => {
    ran.length = 0;
    t = await testArchive({ on, tasks: [counted, never] as TaskDefinition[] });
    await t.runner.begin();
    staff = await aUser(t, { isStaff: true });
  });
  afterEach(async () => {
    letGo();
    await t.close();
  });
  const letGo = () => {
    holdUp?.resolve();
    holdUp = undefined;
  };
  /** Does something that gets no further than this table, as if it was killed there. */
  const cutOff = async (table: 'task' | 'schedule', work: () => Promise<void>) => {
    const { db } = t.archive;
    const isSqlite = on.engine === 'sqlite';
    const body = isSqlite ? sql`begin select raise(abort, 'cut off'); end` : sql`for each row execute function cut_off()`;
    if (!isSqlite)
      await sql`create function cut_off() returns trigger language plpgsql as $$ begin raise 'cut off'; end $$`.execute(db);
    await sql`create trigger cut_off before insert on ${sql.table(table)} ${body}`.execute(db);
    await work().catch(() => {});
    await sql`drop trigger cut_off ${isSqlite ? sql`` : sql`on ${sql.table(table)}`}`.execute(db);
  };
  const set = (body: object, name = 'counted') => staff.call('POST', `/api/task/schedule/${name}/`, body);

  test('one is set, shown in words, changed, and taken away', async () => {
    expect((await staff.call('GET', '/api/task/schedule/')).json()).toEqual([]);
    const first = await set({ schedule: 'auto' });
    expect(first.json()).toMatchObject({ name: 'counted', schedule: '0 12 *', config: { days: 90 } });
    expect(first.json().schedule_human).toMatch(/^At 12:00, /);
    expect((await set({ config: { days: '31' } })).json()).toMatchObject({ schedule: '0 12 *', config: { days: 31 } });
    expect((await set({ schedule: 'auto', config: {} })).json()).toMatchObject({ config: { days: 31 } });
    expect((await set({ config: { days: 30 } })).json()).toMatchObject({ schedule: '0 12 *', config: { days: 30 } });
    expect((await set({ schedule: '5 8,16 1-5' })).json()).toMatchObject({ schedule: '5 8,16 1-5', config: { days: 30 } });
    for (const schedule of ['0 8 mon', '0 8 Mon-FRI', '0 8 sat,sun', '0 */6 1-5/2'])
      expect((await set({ schedule })).json()).toMatchObject({ schedule });
    expect((await staff.call('DELETE', '/api/task/schedule/counted/')).statusCode).toBe(204);
    expect((await staff.call('GET', '/api/task/schedule/counted/')).statusCode).toBe(404);
  });

  test.each([
    [{}, 'expected schedule or config key'],
    [{ schedule: '0 8' }, 'expected three cron schedule fields'],
    [{ schedule: '*/5 8 *' }, 'Invalid value for minutes. Must be an integer.'],
    [{ schedule: '60 8 *' }, 'Invalid minutes. Must be between 0 and 59.'],
    [{ schedule: '0 25 *' }, 'invalid crontab: 0 25 *'],
    [{ schedule: '0 8 9' }, 'invalid crontab: 0 8 9'],
    [{ schedule: '0 8 $(id)' }, 'invalid crontab: 0 8 $(id)'],
    ...['5L', 'L', '5#2', 'friL', '1W', '?', 'monday', 'x', '1-sunset'].map((day): [object, string] => [
      { schedule: `0 8 ${day}` },
      `invalid crontab: 0 8 ${day}`,
    ]),
    [{ schedule: '0 8 *', config: { rotate: 3 } }, "invalid config key for task 'counted'"],
    [{ schedule: '0 8 *', config: { days: 'many' } }, 'days must be a whole number from 1 to 9999.'],
    ...[null, true, [4], { days: 4 }, '', ' ', 4.5, '0x10', '1e2', 0, 10_000].map((days): [object, string] => [
      { schedule: '0 8 *', config: { days } },
      'days must be a whole number from 1 to 9999.',
    ]),
    ...[null, false, '', []].map((spare): [object, string] => [
      { schedule: '0 8 *', config: { spare } },
      'spare must be a whole number from 0 to 9.',
    ]),
    [{ schedule: '0 8 *', config: { constructor: 3 } }, "invalid config key for task 'counted'"],
    [{ config: {} }, 'expected schedule or config key'],
    [{ schedule: '', config: {} }, 'expected schedule or config key'],
    [{ schedule: null, config: null }, 'expected schedule or config key'],
    [{ config: { days: 3 } }, "task 'counted' has no schedule yet; set one first"],
  ])('%j is refused: %s', async (body, sentence) => {
    const answer = await set(body);
    expect([answer.statusCode, answer.json().error]).toEqual([400, sentence]);
  });

  test('what is due runs once, with its config, however much was missed', async () => {
    await set({ schedule: '0 12 *', config: { days: 7 } });
    await t.archive.db.updateTable('schedule').set({ nextAt: 1000, lastRunAt: 900 }).execute();
    await Promise.all([runSchedules(t.archive), runSchedules(t.archive)]);
    await t.runner.idle();
    expect(ran).toEqual([{ days: 7 }]);
    const { last_run_at, next_run_at } = (await staff.call('GET', '/api/task/schedule/counted/')).json();
    expect(Date.now() - Date.parse(last_run_at)).toBeLessThan(60_000);
    expect(Date.parse(next_run_at)).toBeGreaterThan(Date.now());
    await runSchedules(t.archive);
    await t.runner.idle();
    expect(ran).toHaveLength(1);
  });

  test('what was cut off before its task was queued is due as before', async () => {
    await set({ schedule: '0 12 *', config: { days: 7 } });
    const { db } = t.archive;
    await db.updateTable('schedule').set({ nextAt: 1000, lastRunAt: 900 }).execute();
    const row = () => db.selectFrom('schedule').select(['nextAt', 'lastRunAt']).executeTakeFirst();
    await cutOff('task', () => runSchedules(t.archive));
    expect(await row()).toEqual({ nextAt: 1000, lastRunAt: 900 });
    await runSchedules(t.archive);
    await t.runner.idle();
    expect(ran).toEqual([{ days: 7 }]);
    expect((await row())!.nextAt).toBeGreaterThan(t.archive.now());
  });

  test('what is due runs also when what it does it with is changed just then', async () => {
    await set({ schedule: '0 12 *', config: { days: 7 } });
    await t.archive.db.updateTable('schedule').set({ nextAt: 1000, lastRunAt: 900 }).execute();
    await set({ config: { days: 5 } });
    await runSchedules(t.archive);
    await t.runner.idle();
    expect(ran).toEqual([{ days: 5 }]);
  });

  test('what is due while its task runs for something else waits for that; what it does already is not done twice', async () => {
    await set({ schedule: '0 12 *', config: { days: 7 } });
    const isDue = () => t.archive.db.updateTable('schedule').set({ nextAt: 1000, lastRunAt: 900 }).execute();
    holdUp = Promise.withResolvers();
    await t.archive.tasks.start(counted, { days: 1 });
    await isDue();
    await runSchedules(t.archive);
    expect((await staff.call('GET', '/api/task/schedule/counted/')).json().last_run_at).toMatch(/^1970/);
    letGo();
    await t.runner.idle();
    expect(ran).toEqual([{ days: 1 }]);

    holdUp = Promise.withResolvers();
    await runSchedules(t.archive);
    await isDue();
    await runSchedules(t.archive);
    letGo();
    await t.runner.idle();
    await runSchedules(t.archive);
    await t.runner.idle();
    expect(ran).toEqual([{ days: 1 }, { days: 7 }]);
  });

  test('a clock that was years ahead does not keep a schedule from coming', async () => {
    await set({ schedule: '0 12 *' });
    await t.archive.db
      .updateTable('schedule')
      .set({ nextAt: t.archive.now() + 400 * 86_400 })
      .execute();
    await runSchedules(t.archive);
    await t.runner.idle();
    expect(ran).toEqual([]);
    const { next_run_at } = (await staff.call('GET', '/api/task/schedule/counted/')).json();
    expect(Date.parse(next_run_at)).toBeLessThan(Date.now() + 2 * 86_400_000);
  });

  test('one that cannot be read stops no other', async () => {
    await set({ schedule: 'auto' });
    const { db } = t.archive;
    await db
      .insertInto('schedule')
      .values({ name: 'a broken one', schedule: 'at noon', config: '{', nextAt: 1, lastRunAt: null })
      .execute();
    await db.updateTable('schedule').set({ nextAt: 1, lastRunAt: null }).execute();
    await runSchedules(t.archive);
    await t.runner.idle();
    expect(ran).toEqual([{ days: 90 }]);
  });

  test('what is on from the first start can be taken away for good', async () => {
    await beginSchedules(t.archive, [counted] as TaskDefinition[]);
    expect((await staff.call('GET', '/api/task/schedule/')).json()).toHaveLength(1);
    await staff.call('DELETE', '/api/task/schedule/counted/');
    await beginSchedules(t.archive, [counted] as TaskDefinition[]);
    expect((await staff.call('GET', '/api/task/schedule/')).json()).toEqual([]);
  });

  test('what is on from the first start is so too when that start was cut off', async () => {
    await cutOff('schedule', () => beginSchedules(t.archive, [counted] as TaskDefinition[]));
    expect((await staff.call('GET', '/api/task/schedule/')).json()).toEqual([]);
    await beginSchedules(t.archive, [counted] as TaskDefinition[]);
    expect((await staff.call('GET', '/api/task/schedule/')).json()).toHaveLength(1);
  });

  test('a task that cannot run by itself says so', async () => {
    expect((await set({ schedule: '0 8 *' }, 'never')).json().error).toMatch(/cannot run by itself/);
    expect((await set({ schedule: '0 8 *' }, 'unknown')).statusCode).toBe(404);
  });
});

test('in the night of a clock change a schedule comes once', () => {
  const runs = [];
  // 2026-03-29 in Europe/Berlin has no 02:30; the time zone of the test run may be another, then it is an ordinary night.
  for (let at = Date.UTC(2026, 2, 28) / 1000; at < Date.UTC(2026, 2, 31) / 1000;) runs.push((at = nextRun('30 2 *', at)));
  expect(new Set(runs).size).toBe(runs.length);
  expect(runs.length).toBeLessThanOrEqual(4);
});

test('days of the week have their names, and a step is none of them', () => {
  const said = ['1-5', '0,7', '*/2', '1-5/2'].map((weekday) => inWords(`5 8 ${weekday}`).split(', ').slice(0, -1).join(', '));
  expect(said).toEqual(['Monday-Friday', 'Sunday, Sunday', '*/2', 'Monday-Friday/2'].map((days) => `At 08:05 on ${days}`));
});
