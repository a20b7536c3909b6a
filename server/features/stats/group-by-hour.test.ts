import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createUser, createVideo, engines, testApp, type TestApp } from '../../test-support/app.ts';
import { periodsIn } from './clock.ts';
import { byHour, daysOf, inDays, inOneWeek } from './group-by-hour.ts';

const day = 86_400;

describe.each(engines)('activity by hour on $engine', (on) => {
  let t: TestApp;
  let anna: Awaited<ReturnType<typeof createUser>>;
  beforeEach(async () => {
    t = await testApp({ on });
    anna = await createUser(t);
  });
  afterEach(() => t.close());
  const readHours = async () => (await anna.call('GET', '/api/stats/hours/')).json();

  test('counts finished videos by hour and day, and no bulk marks', async () => {
    const { db } = t.app;
    const now = t.app.now();
    const createWatched = async (watchedAt: number, { user = anna, durationSeconds = 600 } = {}) => {
      const videoId = await createVideo(db, { durationSeconds, downloadedAt: now - 60 * 7 * day });
      await db
        .insertInto('watch')
        .values({ accountId: user.id, videoId, watchedAt, positionSeconds: null, updatedAt: watchedAt })
        .execute();
    };
    expect(await readHours()).toEqual({ watched: [], downloaded: [], days: [] });
    const at = Math.floor((now - 10 * day) / 3600) * 3600 + 600;
    await createWatched(at);
    await createWatched(at + 1, { durationSeconds: 300 });
    await createWatched(at - 2 * day);
    for (let n = 0; n < 3; n++) await createWatched(at - 5); // one bulk mark
    await createWatched(at + 7, { user: await createUser(t) });
    await createWatched(now - 60 * 7 * day);
    const { watched, days, downloaded } = await readHours();
    const localDate = new Date(at * 1000);
    const hour = { weekday: localDate.getDay() || 7, hour: localDate.getHours() };
    expect(watched).toHaveLength(2);
    expect(watched).toContainEqual({ ...hour, count: 2, duration: 900 });
    expect(days.map(({ count, duration }: { count: number; duration: number }) => [count, duration])).toEqual([
      [1, 600],
      [2, 900],
    ]);
    expect(downloaded).toEqual([]);
    await createVideo(db, { downloadedAt: at });
    expect((await readHours()).downloaded).toEqual([{ ...hour, count: 1 }]);
  });

  test('reflects changes of today and of earlier days', async () => {
    const { db } = t.app;
    const now = t.app.now();
    const sum = (list: { count: number }[]) => list.reduce((all, { count }) => all + count, 0);
    const readTotals = async () => {
      const { watched, days, downloaded } = await readHours();
      return [sum(watched), sum(days), sum(downloaded)];
    };
    const id = await createVideo(db, { downloadedAt: now - 3 * day });
    await createVideo(db, { downloadedAt: now - 5 * day });
    expect(await readTotals()).toEqual([0, 0, 2]);
    const watch = (watchedAt: number | null) =>
      db
        .insertInto('watch')
        .values({ accountId: anna.id, videoId: id, watchedAt, positionSeconds: null, updatedAt: now })
        .onConflict((c) => c.columns(['accountId', 'videoId']).doUpdateSet({ watchedAt }))
        .execute();
    await watch(now - 2 * day);
    expect(await readTotals()).toEqual([1, 1, 2]);
    await watch(now);
    expect(await readTotals()).toEqual([1, 1, 2]);
    const newVideoId = await createVideo(db, { downloadedAt: now });
    expect(await readTotals()).toEqual([1, 1, 3]);
    await db.deleteFrom('video').where('id', '=', newVideoId).execute();
    await watch(null);
    expect(await readTotals()).toEqual([0, 0, 2]);
    // The count is unchanged, but the days differ.
    const weekdays = async () => (await readHours()).downloaded.map(({ weekday }: { weekday: number }) => weekday).toSorted();
    const before = await weekdays();
    await db
      .updateTable('video')
      .set({ downloadedAt: now - 4 * day })
      .where('id', '=', id)
      .execute();
    expect(await weekdays()).not.toEqual(before);
    await db.deleteFrom('video').execute();
    expect(await readTotals()).toEqual([0, 0, 0]);
  });
});

/** Formats times as local times of a zone, independently of the tested code. The formatter is reused because creating it is slow. */
function localTimeOf(timeZone: string): (at: number) => string {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' });
  return (at) => format.format(at * 1000);
}

test.each([
  'UTC',
  'Europe/Berlin',
  'America/St_Johns',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'Africa/Casablanca',
  'Pacific/Apia',
])('every quarter of an hour of two years is in a period of %s with the right offset', (zone) => {
  const since = Date.parse('2011-06-01T00:10:00Z') / 1000;
  const to = since + 730 * day;
  const periods = periodsIn(zone, since, to);
  expect(periods.length).toBeLessThan(14);
  let next = periods[0]!.from;
  const wrong: string[] = [];
  const localTimeAt = localTimeOf(zone);
  for (const { from, to: end, ahead } of periods) {
    expect(from).toBe(next);
    for (let at = from; at < end; at += 900) {
      const computed = new Date((at + ahead) * 1000).toISOString().slice(0, 16).replace('T', ' ');
      if (computed !== localTimeAt(at)) wrong.push(`${at}: ${computed}`);
    }
    next = end;
  }
  expect(next).toBe(to);
  expect(wrong).toEqual([]);
});

test('hours belong to a week from Monday, and days to the local clock', () => {
  const sunday = Date.parse('2026-03-29T01:00:00Z') / 3_600_000; // in hours of local time
  const hours = [0, 2, 24, 7 * 24].map((offset) => ({ hour: sunday + offset, count: 1, durationSeconds: 60 }));
  const one = { count: 1, duration: 60 };
  expect(byHour(hours)).toEqual([
    { weekday: 1, hour: 1, ...one },
    { weekday: 7, hour: 1, count: 2, duration: 120 },
    { weekday: 7, hour: 3, ...one },
  ]);
  expect(byHour(inOneWeek(hours))).toEqual(byHour(hours));
  expect(daysOf(inDays(hours))).toEqual(daysOf(hours));
  expect(daysOf(hours)).toEqual([
    { date: '2026-03-29', count: 2, duration: 120 },
    { date: '2026-03-30', ...one },
    { date: '2026-04-05', ...one },
  ]);
});
