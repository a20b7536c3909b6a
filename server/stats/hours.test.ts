import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { aUser, aVideo, engines, testArchive, type TestArchive } from '../testing.ts';
import { periodsIn } from './clock.ts';
import { byHour, daysOf, inDays, inOneWeek } from './hours.ts';

const day = 86_400;

describe.each(engines)('the hours of the week on $engine', (on) => {
  let t: TestArchive;
  let anna: Awaited<ReturnType<typeof aUser>>;
  beforeEach(async () => {
    t = await testArchive({ on });
    anna = await aUser(t);
  });
  afterEach(() => t.close());
  const ask = async () => (await anna.call('GET', '/api/stats/hours/')).json();

  test('what a person finishes is told by hour and by day; what was marked together was not watched then', async () => {
    const { db } = t.archive;
    const now = t.archive.now();
    const finish = async (watchedAt: number, { who = anna, durationSeconds = 600 } = {}) => {
      const videoId = await aVideo(db, { durationSeconds, downloadedAt: now - 60 * 7 * day });
      await db
        .insertInto('watch')
        .values({ accountId: who.id, videoId, watchedAt, positionSeconds: null, updatedAt: watchedAt })
        .execute();
    };
    expect(await ask()).toEqual({ watched: [], downloaded: [], days: [] });
    const at = Math.floor((now - 10 * day) / 3600) * 3600 + 600;
    await finish(at);
    await finish(at + 1, { durationSeconds: 300 });
    await finish(at - 2 * day);
    for (let n = 0; n < 3; n++) await finish(at - 5); // all that match
    await finish(at + 7, { who: await aUser(t) });
    await finish(now - 60 * 7 * day);
    const { watched, days, downloaded } = await ask();
    const here = new Date(at * 1000);
    const hour = { weekday: here.getDay() || 7, hour: here.getHours() };
    expect(watched).toHaveLength(2);
    expect(watched).toContainEqual({ ...hour, count: 2, duration: 900 });
    expect(days.map(({ count, duration }: { count: number; duration: number }) => [count, duration])).toEqual([
      [1, 600],
      [2, 900],
    ]);
    expect(downloaded).toEqual([]);
    await aVideo(db, { downloadedAt: at });
    expect((await ask()).downloaded).toEqual([{ ...hour, count: 1 }]);
  });

  test('what changes today is seen, and so is what changes of the days before', async () => {
    const { db } = t.archive;
    const now = t.archive.now();
    const sum = (list: { count: number }[]) => list.reduce((all, { count }) => all + count, 0);
    const told = async () => {
      const { watched, days, downloaded } = await ask();
      return [sum(watched), sum(days), sum(downloaded)];
    };
    const id = await aVideo(db, { downloadedAt: now - 3 * day });
    await aVideo(db, { downloadedAt: now - 5 * day });
    expect(await told()).toEqual([0, 0, 2]);
    const watch = (watchedAt: number | null) =>
      db
        .insertInto('watch')
        .values({ accountId: anna.id, videoId: id, watchedAt, positionSeconds: null, updatedAt: now })
        .onConflict((c) => c.columns(['accountId', 'videoId']).doUpdateSet({ watchedAt }))
        .execute();
    await watch(now - 2 * day);
    expect(await told()).toEqual([1, 1, 2]);
    await watch(now);
    expect(await told()).toEqual([1, 1, 2]);
    const late = await aVideo(db, { downloadedAt: now });
    expect(await told()).toEqual([1, 1, 3]);
    await db.deleteFrom('video').where('id', '=', late).execute();
    await watch(null);
    expect(await told()).toEqual([0, 0, 2]);
    // As many as before, and yet not the same.
    const where = async () => (await ask()).downloaded.map(({ weekday }: { weekday: number }) => weekday).toSorted();
    const before = await where();
    await db
      .updateTable('video')
      .set({ downloadedAt: now - 4 * day })
      .where('id', '=', id)
      .execute();
    expect(await where()).not.toEqual(before);
    await db.deleteFrom('video').execute();
    expect(await told()).toEqual([0, 0, 0]);
  });
});

/** What the clock of a zone shows at a time, by its calendar alone. One format for all: to make one takes as long as to use it often. */
function clockOf(timeZone: string): (at: number) => string {
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
])('every quarter of an hour of two years is in a period of %s in which clocks are so far ahead', (zone) => {
  const since = Date.parse('2011-06-01T00:10:00Z') / 1000;
  const to = since + 730 * day;
  const periods = periodsIn(zone, since, to);
  expect(periods.length).toBeLessThan(14);
  let next = periods[0]!.from;
  const wrong: string[] = [];
  const clockAt = clockOf(zone);
  for (const { from, to: end, ahead } of periods) {
    expect(from).toBe(next);
    for (let at = from; at < end; at += 900) {
      const said = new Date((at + ahead) * 1000).toISOString().slice(0, 16).replace('T', ' ');
      if (said !== clockAt(at)) wrong.push(`${at}: ${said}`);
    }
    next = end;
  }
  expect(next).toBe(to);
  expect(wrong).toEqual([]);
});

test('hours are those of the week from Monday on, and days those of the local clock', () => {
  const sunday = Date.parse('2026-03-29T01:00:00Z') / 3_600_000; // as a clock there says it
  const hours = [0, 2, 24, 7 * 24].map((later) => ({ hour: sunday + later, count: 1, durationSeconds: 60 }));
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
