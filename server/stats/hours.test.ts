import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { aUser, aVideo, engines, testArchive, type TestArchive } from '../testing.ts';
import { byHour, daysOf } from './hours.ts';

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
});

test('hours and days are those of the time zone, also where clocks are put forward', () => {
  const before = Date.parse('2026-03-29T00:45:00Z') / 1000; // a Sunday; a quarter of an hour later it is three in Berlin
  const quarters = [0, 900].map((later) => ({ at: before + later, count: 1, durationSeconds: 60 }));
  const one = { count: 1, duration: 60 };
  expect(byHour(quarters, 'Europe/Berlin')).toEqual([
    { weekday: 7, hour: 1, ...one },
    { weekday: 7, hour: 3, ...one },
  ]);
  expect(byHour(quarters, 'America/New_York')).toEqual([
    { weekday: 6, hour: 20, ...one },
    { weekday: 6, hour: 21, ...one },
  ]);
  expect(daysOf(quarters, 'America/New_York')).toEqual([{ date: '2026-03-28', count: 2, duration: 120 }]);
});
