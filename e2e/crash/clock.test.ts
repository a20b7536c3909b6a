import { plainText } from '#contract/messages.ts';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { isCoolingDown, startCooldown } from '#server/archive/sites/site-cooldowns.ts';
import { claimNext, isAnyClaimable, recordFailure } from '#server/archive/queue/claims.ts';
import { runSchedules, setSchedule } from '#server/platform/tasks/schedule.ts';
import { findTask, leaseSeconds } from '#server/platform/tasks/store.ts';
import { defineTask, type TaskDefinition, type TaskWork } from '#server/platform/context/task.ts';
import { createQueueItem, createUser, engines, testTimeouts, testApp, type TestApp } from '#server/test-support/app.ts';

const day = 86_400;
const year = 365 * day;
const jumps: [name: string, seconds: number][] = [
  ['ten years behind', -10 * year],
  ['an hour behind', -3600],
  ['two minutes ahead, as after a suspend', 120],
  ['three days ahead', 3 * day],
  ['a year ahead', year],
];

const plain = { title: 'A test', group: 'setting:x', isStartable: true, isStoppable: true, input: z.looseObject({}) };

describe.each(engines)('when the clock jumps, on $engine', (on) => {
  let t: TestApp;
  let release = () => {};
  afterEach(async () => {
    release(); // a running task would block closing the archive
    await t.close();
  });
  const jump = (seconds: number) => {
    const before = t.app.now;
    t.app.now = () => before() + seconds;
  };
  const ended = (id: string) =>
    vi.waitFor(async () => expect((await findTask(t.app.db, id))?.endedAt).not.toBeNull(), testTimeouts);

  /** Defines a task that runs until it is released and a task that ends immediately, and counts their runs. */
  const defineTwoTasks = () => {
    const runCounts = { long: 0, short: 0 };
    const released = Promise.withResolvers<void>();
    release = released.resolve;
    let report: TaskWork<unknown>['report'] = () => {};
    const long = defineTask({
      ...plain,
      name: 'long',
      schedule: { auto: '0 12 *' },
      async run(work) {
        runCounts.long++;
        report = work.report;
        await released.promise;
      },
    });
    const short = defineTask({ ...plain, name: 'short', schedule: { auto: '0 12 *' }, run: async () => void runCounts.short++ });
    return {
      runCounts,
      released,
      long,
      short,
      reportLine: (text: string) => report({ messages: [plainText(text)] }),
      all: [long, short] as TaskDefinition[],
    };
  };

  test.each(jumps)('with a clock %s, a running task continues once, and new tasks run', async (_, seconds) => {
    const { runCounts, released, long, short, reportLine, all } = defineTwoTasks();
    t = await testApp({ on, tasks: all, heartbeatMs: 500 });
    const staff = await createUser(t, { isStaff: true });
    await t.runner.begin();
    const first = await t.app.tasks.start(long, {});
    await vi.waitFor(() => expect(runCounts.long).toBe(1), testTimeouts);
    jump(seconds);
    const second = await t.app.tasks.start(short, {}); // polls for tasks before the lease of the first one is renewed
    await ended(second.id);
    expect(runCounts).toEqual({ long: 1, short: 1 });
    reportLine('Still at it.');
    await vi.waitFor(async () => expect((await findTask(t.app.db, first.id))?.messages).toContain('Still at it.'), testTimeouts);
    const isLeaseRenewed = async () => {
      const { leaseUntil } = (await findTask(t.app.db, first.id))!;
      expect(Math.abs(leaseUntil! - t.app.now() - leaseSeconds)).toBeLessThan(5);
    };
    await vi.waitFor(isLeaseRenewed, testTimeouts);
    released.resolve();
    await ended(first.id);
    expect((await t.app.tasks.start(long, {})).wasRunning).toBe(false);
    await vi.waitFor(() => expect(runCounts.long).toBe(2), testTimeouts);
    await t.runner.idle();
    // Jumps back: notifications of ended tasks must still expire.
    jump(-seconds);
    const notifications = async () => (await staff.call('GET', '/api/notification/')).json() as object[];
    jump(Math.min(0, seconds) - 60);
    expect(await notifications()).toEqual([]);
  });

  test.each(jumps)('with a clock %s that is then corrected, a schedule runs once a day', async (_, seconds) => {
    const { runCounts, all } = defineTwoTasks();
    t = await testApp({ on, tasks: all });
    await t.runner.begin();
    const noon = Date.UTC(2026, 5, 10, 12, 0, 5) / 1000 + new Date(2026, 5, 10).getTimezoneOffset() * 60;
    let clock = noon - 3600;
    t.app.now = () => clock;
    const runSchedulesAt = async (now: number) => {
      clock = now;
      await runSchedules(t.app);
      await runSchedules(t.app);
      await t.runner.idle();
    };
    await setSchedule(t.app, 'short', { schedule: 'auto' });
    await runSchedulesAt(noon);
    expect(runCounts.short).toBe(1);
    await runSchedulesAt(noon + 600 + seconds); // with the wrong clock
    const inBetween = runCounts.short;
    expect(inBetween).toBeLessThanOrEqual(2); // after days or a year, the missed schedule runs once
    await runSchedulesAt(noon + 700); // with the corrected clock
    await runSchedulesAt(noon + day - 60);
    expect(runCounts.short).toBe(inBetween);
    await runSchedulesAt(noon + day);
    expect(runCounts.short).toBe(inBetween + 1);
  });

  test('with a clock set back by years, retries and cooldowns do not wait for years', async () => {
    t = await testApp({ on });
    const { db } = t.app;
    const wrongNow = t.app.now() + 10 * year; // the rows are written while the clock is wrong
    const failed = await createQueueItem(db);
    const claimed = await createQueueItem(db);
    const claim = (now: number) => claimNext(db, { runId: 'mine', now, autoOnly: false });
    const first = await claim(wrongNow);
    await recordFailure(db, first!, { kind: 'network', message: plainText('It broke.'), retryAt: wrongNow + 3600 });
    expect((await claim(wrongNow))!.id).toBe(claimed); // claimed by a process that then crashed
    const atWrongTime = { ...t.app, now: () => wrongNow };
    await startCooldown(atWrongTime, 'youtube', { kind: 'blocked', message: plainText('Go away.') });
    expect(await isCoolingDown(atWrongTime, 'youtube')).toBe(true);

    const now = t.app.now();
    expect(await isCoolingDown(t.app, 'youtube')).toBe(false);
    expect(await isAnyClaimable(db, { autoOnly: true }, [{ now }])).toBe(true);
    expect([(await claim(now))?.id, (await claim(now))?.id].sort()).toEqual([failed, claimed].sort());
    expect(await claim(now)).toBeUndefined();
    // A regular cooldown still applies.
    await startCooldown(t.app, 'youtube', { kind: 'blocked', message: plainText('Go away.') });
    expect(await isCoolingDown(t.app, 'youtube')).toBe(true);
  });
});

describe.each(engines)('twenty parallel starts, on $engine', (on) => {
  test('run a task once and return the same run', async () => {
    let runs = 0;
    const released = Promise.withResolvers<void>();
    const once = defineTask({ ...plain, name: 'once', run: () => (runs++, released.promise) });
    const t = await testApp({ on, tasks: [once] as TaskDefinition[] });
    try {
      await t.runner.begin();
      const staff = await createUser(t, { isStaff: true });
      const responses = await Promise.all(Array.from({ length: 20 }, () => staff.call('POST', '/api/task/by-name/once/')));
      expect(responses.map(({ statusCode }) => statusCode)).toEqual(Array(20).fill(200));
      expect(new Set(responses.map((response) => response.json().task_id)).size).toBe(1);
      await vi.waitFor(() => expect(runs).toBe(1), testTimeouts);
      released.resolve();
      await t.runner.idle();
      expect(runs).toBe(1);
    } finally {
      await t.close();
    }
  });
});
