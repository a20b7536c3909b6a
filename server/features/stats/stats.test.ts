import { plainText } from '#contract/messages.ts';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  createChannel,
  createQueueItem,
  createUser,
  createVideo,
  engines,
  testApp,
  type TestApp,
} from '../../test-support/app.ts';
import type { Quality } from '#contract/stats.ts';
import { startOfDay } from '../../platform/lib/start-of-day.ts';
import { countResponse, countFailure, dayOf } from '../../archive/sites/site-stats.ts';
import { startCooldown } from '../../archive/sites/site-cooldowns.ts';
import { recordYtdlpVersion } from '../system/ytdlp-history.ts';
import { timeZone } from '../../platform/lib/format-time.ts';
import { byDay } from './download-history.ts';

describe.each(engines)('statistics on $engine', (on) => {
  let t: TestApp;
  let anna: Awaited<ReturnType<typeof createUser>>;
  beforeEach(async () => {
    t = await testApp({ on });
    anna = await createUser(t);
  });
  afterEach(() => t.close());
  const readStats = async (path: string, user = anna) => (await user.call('GET', `/api/stats/${path}`)).json();

  test('of an empty archive are zero', async () => {
    const group = { type_videos: null, type_shorts: null, type_streams: null, active_true: null, active_false: null };
    expect(await readStats('video/')).toEqual({ doc_count: 0, media_size: 0, duration: 0, duration_str: 'NA', ...group });
    const none = { doc_count: 0, active_true: 0, active_false: 0, subscribed_true: 0, subscribed_false: 0 };
    expect(await readStats('channel/')).toEqual(none);
    expect(await readStats('playlist/')).toEqual(none);
    expect(await readStats('download/')).toEqual({
      pending: 0,
      ignore: 0,
      pending_videos: 0,
      pending_shorts: 0,
      pending_streams: 0,
    });
    expect(await readStats('watch/')).toEqual({
      total: { duration: 0, duration_str: 'NA', items: 0 },
      unwatched: null,
      watched: null,
    });
    expect(await readStats('downloadhist/')).toEqual([]);
    expect(await readStats('biggestchannels/')).toEqual([]);
    expect([
      await readStats('growth/'),
      await readStats('quality/'),
      await readStats('health/'),
      await readStats('events/'),
    ]).toEqual([[], [], [], []]);
    expect(await readStats('incompatible/')).toEqual({ remux: 0, redownload: 0 });
    expect(await readStats('shares/')).toEqual({ channels: [], others: { channels: 0, media_size: 0, count: 0 } });
  });

  test('count videos by kind and availability', async () => {
    const { db } = t.app;
    await createVideo(db, { durationSeconds: 3600, sizeBytes: 1000 });
    await createVideo(db, { durationSeconds: 61, sizeBytes: 10, isActive: 0 });
    await createVideo(db, { durationSeconds: 30, sizeBytes: 1, kind: 'shorts' });
    expect(await readStats('video/')).toEqual({
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

  test('count channels, playlists and queue items', async () => {
    const { db } = t.app;
    await createChannel(db, { isSubscribed: 1 });
    await createChannel(db, { isActive: 0 });
    expect(await readStats('channel/')).toEqual({
      doc_count: 2,
      active_true: 1,
      active_false: 1,
      subscribed_true: 1,
      subscribed_false: 1,
    });
    await anna.call('POST', '/api/playlist/custom/', { playlist_name: 'Mine' });
    expect(await readStats('playlist/')).toMatchObject({ doc_count: 1, subscribed_true: 0, subscribed_false: 1 });
    await createQueueItem(db, { kind: 'shorts' });
    await createQueueItem(db, { kind: 'unknown' });
    await createQueueItem(db, { status: 'ignore' });
    expect(await readStats('download/')).toEqual({
      pending: 2,
      ignore: 1,
      pending_videos: 0,
      pending_shorts: 1,
      pending_streams: 0,
    });
  });

  test('count watched videos per user, as a share of all', async () => {
    const { db } = t.app;
    const watchedId = await createVideo(db, { durationSeconds: 900 });
    for (let n = 0; n < 3; n++) await createVideo(db, { durationSeconds: 900 });
    await anna.call('POST', '/api/watched/', { id: watchedId, is_watched: true });
    expect(await readStats('watch/')).toEqual({
      total: { duration: 3600, duration_str: '1h', items: 4 },
      unwatched: { duration: 2700, duration_str: '45m', items: 3, progress: 0.75 },
      watched: { duration: 900, duration_str: '15m', items: 1, progress: 0.25 },
    });
    expect((await readStats('watch/', await createUser(t))).watched).toBeNull();
  });

  test('list the biggest channels by each measure', async () => {
    const { db } = t.app;
    const many = await createChannel(db, { name: "Tom Scott's" });
    const long = await createChannel(db);
    for (let n = 0; n < 3; n++) await createVideo(db, { channelId: many, durationSeconds: 1, sizeBytes: 5 });
    await createVideo(db, { channelId: long, durationSeconds: 100, sizeBytes: 20 });
    await createChannel(db);
    const idsBy = async (order: string) => (await readStats(`biggestchannels/${order}`)).map(({ id }: { id: string }) => id);
    expect((await readStats('biggestchannels/'))[0]).toEqual({
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

  test('list additions by day from the first one', async () => {
    const { db } = t.app;
    const day = 86_400;
    await createVideo(db, { downloadedAt: 20_000 * day + 5, sizeBytes: 10 });
    await createVideo(db, { downloadedAt: 20_000 * day + day - 1, sizeBytes: 5 });
    await createVideo(db, { downloadedAt: 20_100 * day, sizeBytes: 7 });
    expect(await readStats('growth/')).toEqual([
      { date: '2024-10-04', count: 2, media_size: 15 },
      { date: '2025-01-12', count: 1, media_size: 7 },
    ]);
  });

  test('count videos by height and codec, upright ones by width', async () => {
    const { db } = t.app;
    const add = async (width: number, height: number, codec: string, sizeBytes: number) => {
      const videoId = await createVideo(db, { width, height, sizeBytes });
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
    const found = (await readStats('quality/')).map(({ height, codec, count, media_size }: Quality) => [
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

  test('count files incompatible with iPhones by remedy until they are fixed', async () => {
    const { db } = t.app;
    const add = async (ending: string, ...codecs: ['video' | 'audio', string][]) => {
      const id = await createVideo(db, { mediaPath: `${ending}.${ending}` });
      for (const [position, [type, codec]] of codecs.entries())
        await db
          .insertInto('stream')
          .values({ videoId: id, position, type, codec, bitrate: 1, width: 1920, height: 1080 })
          .execute();
      return id;
    };
    await add('mp4', ['video', 'h264'], ['audio', 'aac']);
    await add('mov', ['video', 'hevc']);
    const mkvId = await add('mkv', ['video', 'h264'], ['audio', 'aac']);
    const webmId = await add('webm', ['video', 'vp9'], ['audio', 'opus']);
    await createVideo(db);
    expect(await readStats('incompatible/')).toEqual({ remux: 1, redownload: 1 });
    const list = async (query: string) => {
      const { data, paginate } = (await anna.call('GET', `/api/video/?${query}`)).json();
      return [data.map((video: { youtube_id: string }) => video.youtube_id), paginate.total_hits];
    };
    expect(await list('incompatible=remux')).toEqual([[mkvId], 1]);
    expect(await list('incompatible=redownload&sort=mediasize&watch=unwatched')).toEqual([[webmId], 1]);
    expect((await anna.call('GET', '/api/video/?incompatible=no')).statusCode).toBe(400);
    await db.updateTable('video').set({ mediaPath: 'now.mp4' }).where('id', '=', mkvId).execute();
    await db.deleteFrom('video').where('id', '=', webmId).execute();
    expect(await readStats('incompatible/')).toEqual({ remux: 0, redownload: 0 });
  });

  test('list site results of fourteen days, with blocks and yt-dlp updates as events', async () => {
    const { db, tools } = t.app;
    const now = t.app.now();
    const day = 86_400;
    const failure = { kind: 'blocked' as const, message: plainText('No.') };
    await countResponse(db, 'youtube', 'archived', now);
    await countResponse(db, 'youtube', 'archived', now);
    await startCooldown(t.app, 'youtube', failure);
    await startCooldown(t.app, 'youtube', failure); // the same block, reported by a concurrent download
    await countFailure(db, 'youtube', 'network', now - 13 * day);
    await countFailure(db, 'youtube', 'private', now);
    await countResponse(db, 'vimeo', 'archived', now - 14 * day);
    const sites = await readStats('health/');
    expect(sites.map(({ site }: { site: string }) => site)).toEqual(['youtube']);
    const { days } = sites[0];
    expect(days).toHaveLength(14);
    expect(days[0]).toMatchObject({ archived: 0, blocked: 0, failed: 1 });
    expect(days[13]).toEqual({ date: new Date(now * 1000).toISOString().slice(0, 10), archived: 2, blocked: 1, failed: 0 });

    tools.ytdlp = { command: 'yt-dlp', args: [], version: '2026.10.26' } as unknown as NonNullable<typeof tools.ytdlp>;
    await recordYtdlpVersion(t.app);
    await recordYtdlpVersion(t.app);
    const date = new Date(dayOf(now) * day * 1000).toISOString().slice(0, 10);
    expect(await readStats('events/')).toEqual([
      { date, kind: 'ytdlp', what: '2026.10.26' },
      { date, kind: 'block', what: 'youtube' },
    ]);
  });

  test('a list of a day contains what the history counts', async () => {
    const { db } = t.app;
    const now = t.app.now();
    const ids = [await createVideo(db, { downloadedAt: now - 60 }), await createVideo(db, { downloadedAt: now - 3 * 86_400 })];
    for (const { date, count } of await readStats('downloadhist/')) {
      const query = `downloaded_from=${date}&downloaded_to=${date}`;
      const { data, paginate } = (await anna.call('GET', `/api/video/?${query}&sort=views`)).json();
      expect([data.length, paginate.total_hits]).toEqual([count, count]);
    }
    const [{ date }] = await readStats('downloadhist/');
    const latest = (await anna.call('GET', `/api/video/?downloaded_from=${date}`)).json().data;
    expect(latest.map((video: { youtube_id: string }) => video.youtube_id)).toEqual([ids[0]]);
    expect((await anna.call('GET', '/api/video/?downloaded_to=2026-02-30')).statusCode).toBe(400);
  });

  test('list the size of the sixty largest channels, and the rest together', async () => {
    const { db } = t.app;
    const large = await createChannel(db, { name: 'Large' });
    await createVideo(db, { channelId: large, sizeBytes: 1000 });
    for (let n = 0; n < 61; n++) await createVideo(db, { sizeBytes: 1 });
    await createChannel(db);
    const { channels, others } = await readStats('shares/');
    expect(channels).toHaveLength(60);
    expect(channels[0]).toEqual({ id: large, name: 'Large', media_size: 1000, count: 1 });
    expect(others).toEqual({ channels: 2, media_size: 2, count: 2 });
  });

  test('show disk usage', async () => {
    await createVideo(t.app.db, { sizeBytes: 12 });
    const { free, total, ...rest } = await readStats('storage/');
    expect(free).toBeGreaterThan(0);
    expect(total).toBeGreaterThanOrEqual(free);
    expect(rest).toEqual({ is_bucket: false, media_size: 12, trash_size: 0 });
  });

  test('list the downloads of the last week by day', async () => {
    const now = t.app.now();
    const day = 86_400;
    await createVideo(t.app.db, { downloadedAt: now - 60, sizeBytes: 7 });
    await createVideo(t.app.db, { downloadedAt: now - 3 * day, sizeBytes: 5 });
    await createVideo(t.app.db, { downloadedAt: now - 30 * day });
    const days = await readStats('downloadhist/');
    expect(days.map(({ count }: { count: number }) => count)).toEqual([1, 0, 0, 1]);
    expect(days[0].media_size).toBe(7);
  });

  test('count the whole first day of the last seven', async () => {
    const first = startOfDay('2026-06-01', timeZone());
    Object.assign(t.app, { now: () => startOfDay('2026-06-08', timeZone()) + 20 * 3600 });
    for (const downloadedAt of [first - 1, first, first + 19 * 3600]) await createVideo(t.app.db, { downloadedAt });
    expect(await readStats('downloadhist/')).toEqual([{ date: '2026-06-01', count: 2, media_size: 2_000_000 }]);
  });
});

test('a day is one entry across clock changes, and empty days are listed', () => {
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

test('a day starts at local midnight, also when clocks change then', () => {
  expect(startOfDay('2026-06-01', 'UTC')).toBe(Date.parse('2026-06-01T00:00:00Z') / 1000);
  expect(startOfDay('2026-06-01', 'Europe/Berlin')).toBe(Date.parse('2026-05-31T22:00:00Z') / 1000);
  expect(startOfDay('2026-03-29', 'Europe/Berlin')).toBe(Date.parse('2026-03-28T23:00:00Z') / 1000);
  expect(startOfDay('2026-03-29', 'Europe/Berlin', 1)).toBe(Date.parse('2026-03-29T22:00:00Z') / 1000);
  expect(startOfDay('2026-06-01', 'America/New_York')).toBe(Date.parse('2026-06-01T04:00:00Z') / 1000);
});
