import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { aChannel, aQueueItem, aUser, aVideo, engines, testArchive, type TestArchive } from '../testing.ts';
import type { Quality } from '#contract/stats.ts';
import { dayBegins } from '../day-begins.ts';
import { countAnswer, countFailure, dayOf } from '../download/site-day.ts';
import { pauseSite } from '../download/site-pause.ts';
import { noteYtdlp } from '../service/ytdlp-use.ts';
import { byDay } from './download-history.ts';

describe.each(engines)('statistics on $engine', (on) => {
  let t: TestArchive;
  let anna: Awaited<ReturnType<typeof aUser>>;
  beforeEach(async () => {
    t = await testArchive({ on });
    anna = await aUser(t);
  });
  afterEach(() => t.close());
  const ask = async (path: string, who = anna) => (await who.call('GET', `/api/stats/${path}`)).json();

  test('an empty archive has nothing, and says so without a fault', async () => {
    const group = { type_videos: null, type_shorts: null, type_streams: null, active_true: null, active_false: null };
    expect(await ask('video/')).toEqual({ doc_count: 0, media_size: 0, duration: 0, duration_str: 'NA', ...group });
    const none = { doc_count: 0, active_true: 0, active_false: 0, subscribed_true: 0, subscribed_false: 0 };
    expect(await ask('channel/')).toEqual(none);
    expect(await ask('playlist/')).toEqual(none);
    expect(await ask('download/')).toEqual({ pending: 0, ignore: 0, pending_videos: 0, pending_shorts: 0, pending_streams: 0 });
    expect(await ask('watch/')).toEqual({ total: { duration: 0, duration_str: 'NA', items: 0 }, unwatched: null, watched: null });
    expect(await ask('downloadhist/')).toEqual([]);
    expect(await ask('biggestchannels/')).toEqual([]);
    expect([await ask('growth/'), await ask('quality/'), await ask('health/'), await ask('events/')]).toEqual([[], [], [], []]);
    expect(await ask('awkward/')).toEqual({ pack: 0, fetch: 0 });
    expect(await ask('shares/')).toEqual({ channels: [], others: { channels: 0, media_size: 0, count: 0 } });
  });

  test('videos are counted by kind and by whether their site still has them', async () => {
    const { db } = t.archive;
    await aVideo(db, { durationSeconds: 3600, sizeBytes: 1000 });
    await aVideo(db, { durationSeconds: 61, sizeBytes: 10, isActive: 0 });
    await aVideo(db, { durationSeconds: 30, sizeBytes: 1, kind: 'shorts' });
    expect(await ask('video/')).toEqual({
      doc_count: 3,
      media_size: 1011,
      duration: 3691,
      duration_str: '1h 01m 31s',
      type_videos: { doc_count: 2, media_size: 1010, duration: 3661, duration_str: '1h 01m 01s' },
      type_shorts: { doc_count: 1, media_size: 1, duration: 30, duration_str: '30s' },
      type_streams: null,
      active_true: { doc_count: 2, media_size: 1001, duration: 3630, duration_str: '1h 30s' },
      active_false: { doc_count: 1, media_size: 10, duration: 61, duration_str: '1m 01s' },
    });
  });

  test('channels, playlists and the queue are counted', async () => {
    const { db } = t.archive;
    await aChannel(db, { isSubscribed: 1 });
    await aChannel(db, { isActive: 0 });
    expect(await ask('channel/')).toEqual({
      doc_count: 2,
      active_true: 1,
      active_false: 1,
      subscribed_true: 1,
      subscribed_false: 1,
    });
    await anna.call('POST', '/api/playlist/custom/', { playlist_name: 'Mine' });
    expect(await ask('playlist/')).toMatchObject({ doc_count: 1, subscribed_true: 0, subscribed_false: 1 });
    await aQueueItem(db, { kind: 'shorts' });
    await aQueueItem(db, { kind: 'unknown' });
    await aQueueItem(db, { status: 'ignore' });
    expect(await ask('download/')).toEqual({ pending: 2, ignore: 1, pending_videos: 0, pending_shorts: 1, pending_streams: 0 });
  });

  test('what has been watched is each person’s own, as a share of the whole', async () => {
    const { db } = t.archive;
    const seen = await aVideo(db, { durationSeconds: 900 });
    for (let n = 0; n < 3; n++) await aVideo(db, { durationSeconds: 900 });
    await anna.call('POST', '/api/watched/', { id: seen, is_watched: true });
    expect(await ask('watch/')).toEqual({
      total: { duration: 3600, duration_str: '1h', items: 4 },
      unwatched: { duration: 2700, duration_str: '45m', items: 3, progress: 0.75 },
      watched: { duration: 900, duration_str: '15m', items: 1, progress: 0.25 },
    });
    expect((await ask('watch/', await aUser(t))).watched).toBeNull();
  });

  test('the biggest channels come first, by what is asked', async () => {
    const { db } = t.archive;
    const many = await aChannel(db, { name: "Tom Scott's" });
    const long = await aChannel(db);
    for (let n = 0; n < 3; n++) await aVideo(db, { channelId: many, durationSeconds: 1, sizeBytes: 5 });
    await aVideo(db, { channelId: long, durationSeconds: 100, sizeBytes: 20 });
    await aChannel(db);
    const idsBy = async (order: string) => (await ask(`biggestchannels/${order}`)).map(({ id }: { id: string }) => id);
    expect((await ask('biggestchannels/'))[0]).toEqual({
      id: many,
      name: "Tom Scott's",
      doc_count: 3,
      duration: 3,
      duration_str: '3s',
      media_size: 15,
    });
    expect(await idsBy('?order=duration')).toEqual([long, many]);
    expect(await idsBy('?order=media_size')).toEqual([long, many]);
    expect((await anna.call('GET', '/api/stats/biggestchannels/?order=name')).statusCode).toBe(400);
  });

  test('what came is told by day, from the first on', async () => {
    const { db } = t.archive;
    const day = 86_400;
    await aVideo(db, { downloadedAt: 20_000 * day + 5, sizeBytes: 10 });
    await aVideo(db, { downloadedAt: 20_000 * day + day - 1, sizeBytes: 5 });
    await aVideo(db, { downloadedAt: 20_100 * day, sizeBytes: 7 });
    expect(await ask('growth/')).toEqual([
      { date: '2024-10-04', count: 2, media_size: 15 },
      { date: '2025-01-12', count: 1, media_size: 7 },
    ]);
  });

  test('videos are counted by height and codec; an upright one by its width', async () => {
    const { db } = t.archive;
    const add = async (width: number, height: number, codec: string, sizeBytes: number) => {
      const videoId = await aVideo(db, { width, height, sizeBytes });
      const audio = { videoId, position: 1, type: 'audio' as const, codec: 'opus', bitrate: 1, width: null, height: null };
      await db
        .insertInto('stream')
        .values([{ videoId, position: 0, type: 'video', codec, bitrate: 1, width, height }, audio])
        .execute();
    };
    await add(1920, 1080, 'avc1', 10);
    await add(1080, 1920, 'avc1', 5);
    await add(1920, 804, 'avc1', 1);
    await add(3840, 2160, 'av01', 100);
    await add(426, 240, 'vp9', 2);
    const found = (await ask('quality/')).map(({ height, codec, count, media_size }: Quality) => [
      height,
      codec,
      count,
      media_size,
    ]);
    expect(found).toEqual([
      [2160, 'av01', 1, 100],
      [1080, 'avc1', 2, 15],
      [720, 'avc1', 1, 1],
      [240, 'vp9', 1, 2],
    ]);
  });

  test('what not every iPhone plays is counted by what helps, listed, and counted no more when it has been mended', async () => {
    const { db } = t.archive;
    const add = async (ending: string, ...codecs: ['video' | 'audio', string][]) => {
      const id = await aVideo(db, { mediaPath: `${ending}.${ending}` });
      for (const [position, [type, codec]] of codecs.entries())
        await db
          .insertInto('stream')
          .values({ videoId: id, position, type, codec, bitrate: 1, width: 1920, height: 1080 })
          .execute();
      return id;
    };
    await add('mp4', ['video', 'h264'], ['audio', 'aac']);
    await add('mov', ['video', 'hevc']);
    const packed = await add('mkv', ['video', 'h264'], ['audio', 'aac']);
    const foreign = await add('webm', ['video', 'vp9'], ['audio', 'opus']);
    await aVideo(db);
    expect(await ask('awkward/')).toEqual({ pack: 1, fetch: 1 });
    const list = async (query: string) => {
      const { data, paginate } = (await anna.call('GET', `/api/video/?${query}`)).json();
      return [data.map((video: { youtube_id: string }) => video.youtube_id), paginate.total_hits];
    };
    expect(await list('awkward=pack')).toEqual([[packed], 1]);
    expect(await list('awkward=fetch&sort=mediasize&watch=unwatched')).toEqual([[foreign], 1]);
    expect((await anna.call('GET', '/api/video/?awkward=no')).statusCode).toBe(400);
    await db.updateTable('video').set({ mediaPath: 'now.mp4' }).where('id', '=', packed).execute();
    await db.deleteFrom('video').where('id', '=', foreign).execute();
    expect(await ask('awkward/')).toEqual({ pack: 0, fetch: 0 });
  });

  test('how sites answered is told for fourteen days; being turned away and another yt-dlp are events', async () => {
    const { db, tools } = t.archive;
    const now = t.archive.now();
    const day = 86_400;
    const away = { kind: 'blocked' as const, message: 'No.' };
    await countAnswer(db, 'youtube', 'archived', now);
    await countAnswer(db, 'youtube', 'archived', now);
    await pauseSite(db, 'youtube', away, now);
    await pauseSite(db, 'youtube', away, now); // the same refusal, met by a second download
    await countFailure(db, 'youtube', 'network', now - 13 * day);
    await countFailure(db, 'youtube', 'private', now);
    await countAnswer(db, 'vimeo', 'archived', now - 14 * day);
    const strips = await ask('health/');
    expect(strips.map(({ site }: { site: string }) => site)).toEqual(['youtube']);
    const { days } = strips[0];
    expect(days).toHaveLength(14);
    expect(days[0]).toMatchObject({ archived: 0, blocked: 0, failed: 1 });
    expect(days[13]).toEqual({ date: new Date(now * 1000).toISOString().slice(0, 10), archived: 2, blocked: 1, failed: 0 });

    tools.ytdlp = { command: 'yt-dlp', args: [], version: '2026.10.26' } as unknown as NonNullable<typeof tools.ytdlp>;
    await noteYtdlp(t.archive);
    await noteYtdlp(t.archive);
    const date = new Date(dayOf(now) * day * 1000).toISOString().slice(0, 10);
    expect(await ask('events/')).toEqual([
      { date, kind: 'ytdlp', what: '2026.10.26' },
      { date, kind: 'block', what: 'youtube' },
    ]);
  });

  test('a list of what came on a day has what the history counts on it', async () => {
    const { db } = t.archive;
    const now = t.archive.now();
    const ids = [await aVideo(db, { downloadedAt: now - 60 }), await aVideo(db, { downloadedAt: now - 3 * 86_400 })];
    for (const { date, count } of await ask('downloadhist/')) {
      const query = `downloaded_from=${date}&downloaded_to=${date}`;
      const { data, paginate } = (await anna.call('GET', `/api/video/?${query}&sort=views`)).json();
      expect([data.length, paginate.total_hits]).toEqual([count, count]);
    }
    const [{ date }] = await ask('downloadhist/');
    const latest = (await anna.call('GET', `/api/video/?downloaded_from=${date}`)).json().data;
    expect(latest.map((video: { youtube_id: string }) => video.youtube_id)).toEqual([ids[0]]);
    expect((await anna.call('GET', '/api/video/?downloaded_to=2026-02-30')).statusCode).toBe(400);
  });

  test('what channels take up is told for the sixty largest, the others together', async () => {
    const { db } = t.archive;
    const large = await aChannel(db, { name: 'Large' });
    await aVideo(db, { channelId: large, sizeBytes: 1000 });
    for (let n = 0; n < 61; n++) await aVideo(db, { sizeBytes: 1 });
    await aChannel(db);
    const { channels, others } = await ask('shares/');
    expect(channels).toHaveLength(60);
    expect(channels[0]).toEqual({ id: large, name: 'Large', media_size: 1000, count: 1 });
    expect(others).toEqual({ channels: 2, media_size: 2, count: 2 });
  });

  test('how full the disk is, and when something last went wrong', async () => {
    await aVideo(t.archive.db, { sizeBytes: 12 });
    const { free, total, ...rest } = await ask('storage/');
    expect(free).toBeGreaterThan(0);
    expect(total).toBeGreaterThanOrEqual(free);
    expect(rest).toEqual({ media_size: 12, bin_size: 0, last_problem: null });
    const row = { id: 'a', name: 'verify', input: '{}', queuedAt: 1 };
    await t.archive.db
      .insertInto('task')
      .values({ ...row, status: 'failure', endedAt: 77 })
      .execute();
    await t.archive.db
      .insertInto('task')
      .values({ ...row, id: 'b', status: 'success', endedAt: 99 })
      .execute();
    expect((await ask('storage/')).last_problem).toBe(77);
  });

  test('the last week of downloads is told by day', async () => {
    const now = t.archive.now();
    const day = 86_400;
    await aVideo(t.archive.db, { downloadedAt: now - 60, sizeBytes: 7 });
    await aVideo(t.archive.db, { downloadedAt: now - 3 * day, sizeBytes: 5 });
    await aVideo(t.archive.db, { downloadedAt: now - 30 * day });
    const days = await ask('downloadhist/');
    expect(days.map(({ count }: { count: number }) => count)).toEqual([1, 0, 0, 1]);
    expect(days[0].media_size).toBe(7);
  });
});

test('a day is told as one, also across a change of the clocks; a day without any is told between others', () => {
  const one = { count: 1, sizeBytes: 10 };
  expect(
    byDay([
      { day: 20_540, ...one },
      { day: 20_542, ...one },
      { day: 20_542, ...one },
    ]),
  ).toEqual([
    { date: '2026-03-30', count: 2, media_size: 20 },
    { date: '2026-03-29', count: 0, media_size: 0 },
    { date: '2026-03-28', count: 1, media_size: 10 },
  ]);
  expect(byDay([])).toEqual([]);
});

test('a day begins when it does in a zone, also when the clocks change that night', () => {
  expect(dayBegins('2026-06-01', 'UTC')).toBe(Date.parse('2026-06-01T00:00:00Z') / 1000);
  expect(dayBegins('2026-06-01', 'Europe/Berlin')).toBe(Date.parse('2026-05-31T22:00:00Z') / 1000);
  expect(dayBegins('2026-03-29', 'Europe/Berlin')).toBe(Date.parse('2026-03-28T23:00:00Z') / 1000);
  expect(dayBegins('2026-03-29', 'Europe/Berlin', 1)).toBe(Date.parse('2026-03-29T22:00:00Z') / 1000);
  expect(dayBegins('2026-06-01', 'America/New_York')).toBe(Date.parse('2026-06-01T04:00:00Z') / 1000);
});
