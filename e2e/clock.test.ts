import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { isPaused, pauseSite } from '#server/download/site-pause.ts';
import { claimNext, isAnyDue, noteFailure } from '#server/download/store.ts';
import { runSchedules, setSchedule } from '#server/task/schedule.ts';
import { findTask } from '#server/task/store.ts';
import { defineTask, type TaskDefinition, type Work } from '#server/task/task.ts';
import { aQueueItem, aUser, engines, patience, testArchive, type TestArchive } from '#server/testing.ts';

const day = 86_400;
const year = 365 * day;
const jumps: [name: string, seconds: number][] = [
  ['ten years back', -10 * year],
  ['an hour back', -3600],
  ['two minutes on, as after a sleep', 120],
  ['three days on', 3 * day],
  ['a year on', year],
];

const plain = { title: 'A test', group: 'setting:x', isStartable: true, isStoppable: true, input: z.looseObject({}) };

describe.each(engines)('when the clock jumps, on $engine', (on) => {
  let t: TestArchive;
  let letGo = () => {};
  afterEach(async () => {
    letGo(); // what runs keeps an archive from closing
    await t.close();
  });
  const jump = (seconds: number) => {
    const before = t.archive.now;
    t.archive.now = () => before() + seconds;
  };
  const ended = (id: string) =>
    vi.waitFor(async () => expect((await findTask(t.archive.db, id))?.endedAt).not.toBeNull(), patience);

  /** A task that runs until it is let go, one that is over at once, and how often each ran. */
  const twoTasks = () => {
    const ran = { long: 0, short: 0 };
    const go = Promise.withResolvers<void>();
    letGo = go.resolve;
    let report: Work<unknown>['report'] = () => {};
    const long = defineTask({
      ...plain,
      name: 'long',
      schedule: { auto: '0 12 *' },
      async run(work) {
        ran.long++;
        report = work.report;
        await go.promise;
      },
    });
    const short = defineTask({ ...plain, name: 'short', schedule: { auto: '0 12 *' }, run: async () => void ran.short++ });
    return { ran, go, long, short, tell: (text: string) => report({ messages: [text] }), all: [long, short] as TaskDefinition[] };
  };

  test.each(jumps)('%s, what runs goes on and is not begun a second time, and what is started then runs', async (_, seconds) => {
    const { ran, go, long, short, tell, all } = twoTasks();
    t = await testArchive({ on, tasks: all });
    const staff = await aUser(t, { isStaff: true });
    await t.runner.begin();
    const first = await t.archive.tasks.start(long, {});
    await vi.waitFor(() => expect(ran.long).toBe(1), patience);
    jump(seconds);
    const second = await t.archive.tasks.start(short, {}); // looks for work before the lease of the first is renewed
    await ended(second.id);
    expect(ran).toEqual({ long: 1, short: 1 });
    tell('Still at it.');
    await vi.waitFor(async () => expect((await findTask(t.archive.db, first.id))?.messages).toContain('Still at it.'), patience);
    await wait(5500); // until its lease was renewed
    expect((await findTask(t.archive.db, first.id))?.leaseUntil).toBeGreaterThan(t.archive.now());
    go.resolve();
    await ended(first.id);
    expect((await t.archive.tasks.start(long, {})).wasRunning).toBe(false);
    await vi.waitFor(() => expect(ran.long).toBe(2), patience);
    await t.runner.idle();
    // And back again: no notice of what is over stays for ever.
    jump(-seconds);
    const shown = async () => (await staff.call('GET', '/api/notification/')).json() as object[];
    jump(Math.min(0, seconds) - 60);
    expect(await shown()).toEqual([]);
  });

  test.each(jumps)('%s and back, a schedule comes once a day and does not wait for years', async (_, seconds) => {
    const { ran, all } = twoTasks();
    t = await testArchive({ on, tasks: all });
    await t.runner.begin();
    const noon = Date.UTC(2026, 5, 10, 12, 0, 5) / 1000 + new Date(2026, 5, 10).getTimezoneOffset() * 60;
    let clock = noon - 3600;
    t.archive.now = () => clock;
    const rounds = async (at: number) => {
      clock = at;
      await runSchedules(t.archive);
      await runSchedules(t.archive);
      await t.runner.idle();
    };
    await setSchedule(t.archive, 'short', { schedule: 'auto' });
    await rounds(noon);
    expect(ran.short).toBe(1);
    await rounds(noon + 600 + seconds); // the clock is wrong
    const inBetween = ran.short;
    expect(inBetween).toBeLessThanOrEqual(2); // after days or a year, what was missed runs, once
    await rounds(noon + 700); // and is right again
    await rounds(noon + day - 60);
    expect(ran.short).toBe(inBetween);
    await rounds(noon + day);
    expect(ran.short).toBe(inBetween + 1);
  });

  test('years back, what was to be tried again and a site that was left alone do not wait for those years', async () => {
    t = await testArchive({ on });
    const { db } = t.archive;
    const ahead = t.archive.now() + 10 * year; // somebody's clock was wrong when this was written
    const failed = await aQueueItem(db);
    const held = await aQueueItem(db);
    const claim = (now: number) => claimNext(db, { runId: 'mine', now, autoOnly: false });
    const first = await claim(ahead);
    await noteFailure(db, first!.number, { kind: 'network', message: 'It broke.', retryAt: ahead + 3600 });
    expect((await claim(ahead))!.id).toBe(held); // and its program died
    await pauseSite(db, 'youtube', { kind: 'blocked', message: 'Go away.' }, ahead);
    expect(await isPaused(db, 'youtube', ahead)).toBe(true);

    const now = t.archive.now();
    expect(await isPaused(db, 'youtube', now)).toBe(false);
    expect(await isAnyDue(db, now)).toBe(true);
    expect([(await claim(now))?.id, (await claim(now))?.id].sort()).toEqual([failed, held].sort());
    expect(await claim(now)).toBeUndefined();
    // What is put off for a sound reason still waits.
    await pauseSite(db, 'youtube', { kind: 'blocked', message: 'Go away.' }, now);
    expect(await isPaused(db, 'youtube', now)).toBe(true);
  });
});

describe.each(engines)('started twenty times at once on $engine', (on) => {
  test('a task runs once, and everybody hears of the same run', async () => {
    let runs = 0;
    const go = Promise.withResolvers<void>();
    const once = defineTask({ ...plain, name: 'once', run: () => (runs++, go.promise) });
    const t = await testArchive({ on, tasks: [once] as TaskDefinition[] });
    try {
      await t.runner.begin();
      const staff = await aUser(t, { isStaff: true });
      const answers = await Promise.all(Array.from({ length: 20 }, () => staff.call('POST', '/api/task/by-name/once/')));
      expect(answers.map(({ statusCode }) => statusCode)).toEqual(Array(20).fill(200));
      expect(new Set(answers.map((answer) => answer.json().task_id)).size).toBe(1);
      await vi.waitFor(() => expect(runs).toBe(1), patience);
      go.resolve();
      await t.runner.idle();
      expect(runs).toBe(1);
    } finally {
      await t.close();
    }
  });
});
