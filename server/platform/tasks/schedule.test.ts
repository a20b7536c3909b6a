import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createUser, engines, testApp, type TestApp } from '../../test-support/app.ts';
import { describeSchedule, nextRun } from './cron.ts';
import { initializeSchedules, runSchedules } from './schedule.ts';
import { defineTask, type TaskDefinition } from '../context/task.ts';

describe.each(engines)('schedules on $engine', (on) => {
  const inputs: unknown[] = [];
  let blocker: PromiseWithResolvers<void> | undefined;
  const countedTask = defineTask({
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
      inputs.push(input);
      await blocker?.promise;
    },
  });
  const never = defineTask({ ...countedTask, name: 'never', schedule: undefined } as unknown as typeof countedTask);
  let t: TestApp;
  let staff: Awaited<ReturnType<typeof createUser>>;
  beforeEach(async () => {
    inputs.length = 0;
    t = await testApp({ on, tasks: [countedTask, never] as TaskDefinition[] });
    await t.runner.begin();
    staff = await createUser(t, { isStaff: true });
  });
  afterEach(async () => {
    unblock();
    await t.close();
  });
  const unblock = () => {
    blocker?.resolve();
    blocker = undefined;
  };
  /** Runs `work` with inserts into this table failing, as if it was killed there. */
  const interruptAt = async (table: 'task' | 'schedule', work: () => Promise<void>) => {
    const { db } = t.app;
    const isSqlite = on.engine === 'sqlite';
    const body = isSqlite ? sql`begin select raise(abort, 'cut off'); end` : sql`for each row execute function cut_off()`;
    if (!isSqlite)
      await sql`create function cut_off() returns trigger language plpgsql as $$ begin raise 'cut off'; end $$`.execute(db);
    await sql`create trigger cut_off before insert on ${sql.table(table)} ${body}`.execute(db);
    await work().catch(() => {});
    await sql`drop trigger cut_off ${isSqlite ? sql`` : sql`on ${sql.table(table)}`}`.execute(db);
  };
  const saveSchedule = (body: object, name = 'counted') => staff.call('POST', `/api/task/schedule/${name}/`, body);

  test('creates, describes, changes and deletes a schedule', async () => {
    expect((await staff.call('GET', '/api/task/schedule/')).json()).toEqual([]);
    const first = await saveSchedule({ schedule: 'auto' });
    expect(first.json()).toMatchObject({ name: 'counted', schedule: '0 12 *', config: { days: 90 } });
    expect(first.json().schedule_human).toMatch(/^At 12:00, /);
    expect((await saveSchedule({ config: { days: '31' } })).json()).toMatchObject({ schedule: '0 12 *', config: { days: 31 } });
    expect((await saveSchedule({ schedule: 'auto', config: {} })).json()).toMatchObject({ config: { days: 31 } });
    expect((await saveSchedule({ config: { days: 30 } })).json()).toMatchObject({ schedule: '0 12 *', config: { days: 30 } });
    expect((await saveSchedule({ schedule: '5 8,16 1-5' })).json()).toMatchObject({
      schedule: '5 8,16 1-5',
      config: { days: 30 },
    });
    for (const schedule of ['0 8 mon', '0 8 Mon-FRI', '0 8 sat,sun', '0 */6 1-5/2'])
      expect((await saveSchedule({ schedule })).json()).toMatchObject({ schedule });
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
    [{ schedule: '0 8 *', config: { days: 'many' } }, 'days must be a whole number from 1 to 9,999.'],
    ...[null, true, [4], { days: 4 }, '', ' ', 4.5, '0x10', '1e2', 0, 10_000].map((days): [object, string] => [
      { schedule: '0 8 *', config: { days } },
      'days must be a whole number from 1 to 9,999.',
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
  ])('rejects %j: %s', async (body, expectedError) => {
    const response = await saveSchedule(body);
    expect([response.statusCode, response.json().error]).toEqual([400, expectedError]);
  });

  test('runs a due task once with its config, however many runs were missed', async () => {
    await saveSchedule({ schedule: '0 12 *', config: { days: 7 } });
    await t.app.db.updateTable('schedule').set({ nextAt: 1000, lastRunAt: 900 }).execute();
    await Promise.all([runSchedules(t.app), runSchedules(t.app)]);
    await t.runner.idle();
    expect(inputs).toEqual([{ days: 7 }]);
    const { last_run_at, next_run_at } = (await staff.call('GET', '/api/task/schedule/counted/')).json();
    expect(Date.now() - Date.parse(last_run_at)).toBeLessThan(60_000);
    expect(Date.parse(next_run_at)).toBeGreaterThan(Date.now());
    await runSchedules(t.app);
    await t.runner.idle();
    expect(inputs).toHaveLength(1);
  });

  test('a run interrupted before it was queued is still due', async () => {
    await saveSchedule({ schedule: '0 12 *', config: { days: 7 } });
    const { db } = t.app;
    await db.updateTable('schedule').set({ nextAt: 1000, lastRunAt: 900 }).execute();
    const row = () => db.selectFrom('schedule').select(['nextAt', 'lastRunAt']).executeTakeFirst();
    await interruptAt('task', () => runSchedules(t.app));
    expect(await row()).toEqual({ nextAt: 1000, lastRunAt: 900 });
    await runSchedules(t.app);
    await t.runner.idle();
    expect(inputs).toEqual([{ days: 7 }]);
    expect((await row())!.nextAt).toBeGreaterThan(t.app.now());
  });

  test('runs a due task after a change of its config', async () => {
    await saveSchedule({ schedule: '0 12 *', config: { days: 7 } });
    await t.app.db.updateTable('schedule').set({ nextAt: 1000, lastRunAt: 900 }).execute();
    await saveSchedule({ config: { days: 5 } });
    await runSchedules(t.app);
    await t.runner.idle();
    expect(inputs).toEqual([{ days: 5 }]);
  });

  test('waits for a run with another input and does not repeat one with the same input', async () => {
    await saveSchedule({ schedule: '0 12 *', config: { days: 7 } });
    const makeDue = () => t.app.db.updateTable('schedule').set({ nextAt: 1000, lastRunAt: 900 }).execute();
    blocker = Promise.withResolvers();
    await t.app.tasks.start(countedTask, { days: 1 });
    await makeDue();
    await runSchedules(t.app);
    expect(await t.app.db.selectFrom('schedule').select('lastRunAt').execute()).toEqual([{ lastRunAt: 900 }]);
    unblock();
    await t.runner.idle();
    expect(inputs).toEqual([{ days: 1 }]);

    blocker = Promise.withResolvers();
    await runSchedules(t.app);
    await makeDue();
    await runSchedules(t.app);
    unblock();
    await t.runner.idle();
    await runSchedules(t.app);
    await t.runner.idle();
    expect(inputs).toEqual([{ days: 1 }, { days: 7 }]);
  });

  test('last_run_at changes with manual runs and not with saving a schedule', async () => {
    const lastRun = async () => (await staff.call('GET', '/api/task/schedule/counted/')).json().last_run_at;
    await saveSchedule({ schedule: 'auto' });
    expect(await lastRun()).toBeNull();
    await t.app.tasks.start(countedTask, { days: 1 });
    await t.runner.idle();
    expect(Date.now() - Date.parse(await lastRun())).toBeLessThan(60_000);
  });

  test('lists the tasks with their schedules and last runs', async () => {
    const overview = async () => (await staff.call('GET', '/api/task/overview/')).json();
    expect(await overview()).toEqual({
      time_zone: expect.any(String),
      tasks: [
        {
          name: 'counted',
          title: 'Counted',
          can_start: true,
          can_schedule: true,
          options: countedTask.schedule!.config,
          schedule: null,
          next_run_at: null,
          last_run: null,
        },
        expect.objectContaining({ name: 'never', can_schedule: false, options: {} }),
      ],
    });
    await saveSchedule({ schedule: '0 12 *' });
    for (const days of [1, 2]) {
      await t.app.tasks.start(countedTask, { days });
      await t.runner.idle();
    }
    await t.app.db.updateTable('task').set({ queuedAt: 1000 }).where('input', 'like', '%1%').execute();
    const newest = await t.app.db.selectFrom('task').select('id').where('queuedAt', '>', 1000).executeTakeFirstOrThrow();
    const [counted, never] = (await overview()).tasks;
    expect(counted).toMatchObject({ schedule: { schedule: '0 12 *' }, last_run: { id: newest.id, status: 'success' } });
    expect(never.last_run).toBeNull();
  });

  test('previews the next run of a schedule without saving it', async () => {
    const preview = (schedule: string) =>
      staff.call('GET', `/api/task/schedule-preview/?schedule=${encodeURIComponent(schedule)}`);
    const { next_run_at } = (await preview('30 20 1-5')).json();
    expect(Date.parse(next_run_at) / 1000).toBe(nextRun('30 20 1-5', t.app.now()));
    expect((await preview('0 25 *')).json().error).toBe('invalid crontab: 0 25 *');
    expect((await staff.call('GET', '/api/task/schedule/')).json()).toEqual([]);
  });

  test('a clock that was years ahead does not block a schedule', async () => {
    await saveSchedule({ schedule: '0 12 *' });
    await t.app.db
      .updateTable('schedule')
      .set({ nextAt: t.app.now() + 400 * 86_400 })
      .execute();
    await runSchedules(t.app);
    await t.runner.idle();
    expect(inputs).toEqual([]);
    const { next_run_at } = (await staff.call('GET', '/api/task/schedule/counted/')).json();
    expect(Date.parse(next_run_at)).toBeLessThan(Date.now() + 2 * 86_400_000);
  });

  test('an invalid schedule does not affect others', async () => {
    await saveSchedule({ schedule: 'auto' });
    const { db } = t.app;
    await db
      .insertInto('schedule')
      .values({ name: 'a broken one', schedule: 'at noon', config: '{', nextAt: 1, lastRunAt: null })
      .execute();
    await db.updateTable('schedule').set({ nextAt: 1, lastRunAt: null }).execute();
    await runSchedules(t.app);
    await t.runner.idle();
    expect(inputs).toEqual([{ days: 90 }]);
  });

  test('a deleted default schedule is not created again', async () => {
    await initializeSchedules(t.app, [countedTask] as TaskDefinition[]);
    expect((await staff.call('GET', '/api/task/schedule/')).json()).toHaveLength(1);
    await staff.call('DELETE', '/api/task/schedule/counted/');
    await initializeSchedules(t.app, [countedTask] as TaskDefinition[]);
    expect((await staff.call('GET', '/api/task/schedule/')).json()).toEqual([]);
  });

  test('creates default schedules after an interrupted first start', async () => {
    await interruptAt('schedule', () => initializeSchedules(t.app, [countedTask] as TaskDefinition[]));
    expect((await staff.call('GET', '/api/task/schedule/')).json()).toEqual([]);
    await initializeSchedules(t.app, [countedTask] as TaskDefinition[]);
    expect((await staff.call('GET', '/api/task/schedule/')).json()).toHaveLength(1);
  });

  test('rejects a schedule for a task that cannot be scheduled', async () => {
    expect((await saveSchedule({ schedule: '0 8 *' }, 'never')).json().error).toMatch(/cannot be scheduled/);
    expect((await saveSchedule({ schedule: '0 8 *' }, 'unknown')).statusCode).toBe(404);
  });
});

test('runs once in the night of a clock change', () => {
  const runs = [];
  // 02:30 does not exist on 2026-03-29 in Europe/Berlin. In other time zones it does.
  for (let at = Date.UTC(2026, 2, 28) / 1000; at < Date.UTC(2026, 2, 31) / 1000;) runs.push((at = nextRun('30 2 *', at)));
  expect(new Set(runs).size).toBe(runs.length);
  expect(runs.length).toBeLessThanOrEqual(4);
});

test('describes weekdays by name, but not steps', () => {
  const descriptions = ['1-5', '0,7', '*/2', '1-5/2'].map((weekday) =>
    describeSchedule(`5 8 ${weekday}`).split(', ').slice(0, -1).join(', '),
  );
  expect(descriptions).toEqual(
    ['Monday-Friday', 'Sunday, Sunday', '*/2', 'Monday-Friday/2'].map((days) => `At 08:05 on ${days}`),
  );
});
