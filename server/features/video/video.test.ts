import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { exists } from '../../platform/files/files.ts';
import { createChannel, createUser, createVideo, engines, testApp, type TestApp } from '../../test-support/app.ts';
import { deleteVideo } from '../trash/delete-video.ts';
import { watchedThreshold } from './watch/save-progress.ts';

describe.each(engines)('videos on $engine', (on) => {
  let t: TestApp;
  let anna: Awaited<ReturnType<typeof createUser>>;
  beforeEach(async () => {
    t = await testApp({ on });
    anna = await createUser(t);
  });
  afterEach(() => t.close());
  const list = async (query: string, user = anna) => (await user.call('GET', `/api/video/${query}`)).json();
  const idsOf = (response: { data: { youtube_id: string }[] }) => response.data.map((video) => video.youtube_id);

  test('lists videos newest first, in pages without gaps and duplicates', async () => {
    const channelId = await createChannel(t.app.db);
    // All have one date: the order of ties must be the same on every page.
    for (let n = 0; n < 30; n++)
      await createVideo(t.app.db, { channelId, id: `same${String(n).padStart(7, '0')}`, publishedAt: 1_700_000_000 });
    const pages = [await list(''), await list('?page=2'), await list('?page=3')];
    const ids = pages.flatMap(idsOf);
    expect(ids).toHaveLength(30);
    expect(new Set(ids).size).toBe(30);
    expect(pages[0].paginate).toMatchObject({ page_size: 12, total_hits: 30, last_page: 3 });
  });

  test('filters by channel, kind and watch state', async () => {
    const channelId = await createChannel(t.app.db);
    const short = await createVideo(t.app.db, { channelId, kind: 'shorts' });
    const seen = await createVideo(t.app.db, { channelId });
    const started = await createVideo(t.app.db, { durationSeconds: 1000 });
    await anna.call('POST', '/api/watched/', { id: seen, is_watched: true });
    await anna.call('POST', `/api/video/${started}/progress/`, { position: 100 });
    expect(idsOf(await list('?type=shorts'))).toEqual([short]);
    expect(idsOf(await list(`?channel=${channelId}`)).sort()).toEqual([seen, short].sort());
    expect(idsOf(await list('?watch=watched'))).toEqual([seen]);
    expect(idsOf(await list('?watch=continue'))).toEqual([started]);
    const shorter = await createVideo(t.app.db, { durationSeconds: 500 });
    await anna.call('POST', `/api/video/${shorter}/progress/`, { position: 50 });
    for (const [order, ids] of [
      ['asc', [shorter, started]],
      ['desc', [started, shorter]],
    ] as const)
      expect(idsOf(await list(`?watch=continue&sort=duration&order=${order}`)), order).toEqual(ids);
    const ben = await createUser(t);
    expect(idsOf(await list('?watch=watched', ben))).toEqual([]);
  });

  test('an unknown playlist filter returns 404', async () => {
    await createVideo(t.app.db);
    const reply = await anna.call('GET', '/api/video/?playlist=PLunknown');
    expect([reply.statusCode, reply.json().error]).toEqual([404, 'playlist not found']);
  });

  test('an unknown channel filter returns 404, also with the name of a default', async () => {
    await createVideo(t.app.db);
    const totals = async (query: string) => (await list(query)).paginate.total_hits;
    for (const channel of ['undefined', 'null', ''])
      for (const watch of ['', '&watch=unwatched'])
        expect(await totals(`?channel=${channel}${watch}`), channel + watch).toBe(channel === '' ? 1 : 0);
    expect(await totals('')).toBe(1);
    expect(await totals('?watch=unwatched')).toBe(1);
  });

  test('filters by inclusive dates and durations, combined with others', async () => {
    const { db } = t.app;
    const secondsOf = (time: string) => Date.parse(time) / 1000;
    const first = await createVideo(db, { publishedAt: secondsOf('2026-03-01T00:00:00Z'), durationSeconds: 60 });
    const last = await createVideo(db, { publishedAt: secondsOf('2026-03-31T23:59:59Z'), durationSeconds: 600 });
    const after = await createVideo(db, {
      publishedAt: secondsOf('2026-04-01T00:00:00Z'),
      durationSeconds: 601,
      kind: 'streams',
    });
    expect(idsOf(await list('?from=2026-03-01&to=2026-03-31'))).toEqual([last, first]);
    expect(idsOf(await list('?from=2026-03-02'))).toEqual([after, last]);
    expect(idsOf(await list('?min_duration=600'))).toEqual([after, last]);
    expect(idsOf(await list('?max_duration=600&sort=duration&order=asc'))).toEqual([first, last]);
    expect(idsOf(await list('?min_duration=100&max_duration=600&to=2026-04-30'))).toEqual([last]);
    expect((await list('?from=2026-03-02&type=streams')).paginate.total_hits).toBe(1);
    await anna.call('POST', '/api/watched/', { id: last, is_watched: true });
    expect(idsOf(await list('?from=2026-03-02&watch=unwatched'))).toEqual([after]);
    expect(idsOf(await list('?from=2026-03-02&watch=watched'))).toEqual([last]);
    for (const invalid of ['from=2026-02-30', 'to=yesterday', 'min_duration=-1', 'max_duration=long'])
      expect((await anna.call('GET', `/api/video/?${invalid}`)).statusCode).toBe(400);
  });

  test('marks a video as watched near its end, and deletes its position', async () => {
    const id = await createVideo(t.app.db, { durationSeconds: 600 });
    const savePosition = async (position: number) => (await anna.call('POST', `/api/video/${id}/progress/`, { position })).json();
    expect(await savePosition(300)).toMatchObject({ watched: false, position: 300 });
    expect((await anna.call('GET', `/api/video/${id}/`)).json().player).toMatchObject({
      watched: false,
      position: 300,
      progress: 50,
    });
    expect(await savePosition(541)).toMatchObject({ watched: true });
    const { player } = (await anna.call('GET', `/api/video/${id}/`)).json();
    expect(player).toMatchObject({ watched: true });
    expect(player.position).toBeUndefined();
  });

  test.each([
    [59, 29.5],
    [60, 54],
    [900, 810],
    [901, 721],
    [3600, 3420],
    [0, null],
  ])('a video of %d s counts as watched from %s s', (duration, from) => expect(watchedThreshold(duration)).toBe(from));

  test('marking a channel or playlist keeps earlier dates, and accepts an empty one', async () => {
    const channelId = await createChannel(t.app.db);
    const [seen, other] = [await createVideo(t.app.db, { channelId }), await createVideo(t.app.db, { channelId })];
    const startedAt = t.app.now();
    let clock = startedAt;
    Object.assign(t.app, { now: () => clock });
    const mark = (id: string, is_watched = true) => anna.call('POST', '/api/watched/', { id, is_watched });
    const dates = async () =>
      Promise.all(
        [seen, other].map(async (id) => (await anna.call('GET', `/api/video/${id}/`)).json().player.watched_date ?? null),
      );
    await mark(seen);
    clock += 100;
    expect((await mark(channelId)).json()).toEqual({ id: channelId, is_watched: true });
    expect(await dates()).toEqual([startedAt, startedAt + 100]);
    clock += 100;
    await mark(seen); // marks this video again
    expect(await dates()).toEqual([startedAt + 200, startedAt + 100]);
    await mark(channelId, false);
    expect(await dates()).toEqual([null, null]);

    const empty = [
      await createChannel(t.app.db),
      (await anna.call('POST', '/api/playlist/custom/', { playlist_name: 'Empty' })).json().playlist_id,
    ];
    for (const id of empty) {
      const response = await mark(id);
      expect([response.statusCode, response.json()]).toEqual([200, { id, is_watched: true }]);
    }
    expect((await mark('nothing')).statusCode).toBe(404);
  });

  test('skips only sponsor segments by default, and reports unlocked segments', async () => {
    const createSegment = (category: string, locked: 0 | 1) => ({
      UUID: category,
      category,
      actionType: 'skip',
      segment: [1, 2],
      videoDuration: 9,
      votes: 1,
      locked,
    });
    const readActions = async (...segments: object[]) => {
      const id = await createVideo(t.app.db, {
        sponsorblock: JSON.stringify({ is_enabled: true, last_refresh: 7, has_unlocked: true, segments }),
      });
      const { sponsorblock } = (await anna.call('GET', `/api/video/${id}/`)).json();
      const actions = sponsorblock.segments.map((one: { actionType: string }) => one.actionType);
      return [actions, sponsorblock.has_unlocked];
    };
    expect(await readActions(createSegment('sponsor', 1), createSegment('intro', 0))).toEqual([['skip', 'none'], false]);
    expect(await readActions(createSegment('music_offtopic', 0), createSegment('sponsor', 0))).toEqual([['none', 'skip'], true]);
    expect(await readActions()).toEqual([[], undefined]);
  });

  test('deletes rows and files, and nothing else', async () => {
    const staff = await createUser(t, { isStaff: true });
    const channelId = await createChannel(t.app.db);
    const [deleted, remaining] = [await createVideo(t.app.db, { channelId }), await createVideo(t.app.db, { channelId })];
    const pathOf = (id: string, ending: string) => join(t.app.config.mediaFolder, channelId, `${id}${ending}`);
    await mkdir(dirname(pathOf(deleted, '')), { recursive: true });
    for (const id of [deleted, remaining]) for (const ending of ['.mp4', '.info.json']) await writeFile(pathOf(id, ending), 'x');
    expect((await anna.call('DELETE', `/api/video/${deleted}/`)).statusCode).toBe(403);
    expect(await exists(pathOf(deleted, '.mp4'))).toBe(true);
    expect((await staff.call('DELETE', `/api/video/${deleted}/`)).statusCode).toBe(204);
    expect((await staff.call('GET', `/api/video/${deleted}/`)).statusCode).toBe(404);
    expect(
      await Promise.all(
        [pathOf(deleted, '.mp4'), pathOf(deleted, '.info.json'), pathOf(remaining, '.mp4'), pathOf(remaining, '.info.json')].map(
          exists,
        ),
      ),
    ).toEqual([false, false, true, true]);
    expect((await staff.call('DELETE', `/api/video/${deleted}/`)).statusCode).toBe(404);
  });

  test('ignores a deleted video only on request', async () => {
    const staff = await createUser(t, { isStaff: true });
    const [ignoredId, notIgnoredId] = [await createVideo(t.app.db), await createVideo(t.app.db)];
    expect((await staff.call('DELETE', `/api/video/${ignoredId}/?ignore=true`)).statusCode).toBe(204);
    expect((await staff.call('DELETE', `/api/video/${notIgnoredId}/`)).statusCode).toBe(204);
    expect(idsOf((await staff.call('GET', '/api/download/?filter=ignore')).json())).toEqual([ignoredId]);
  });

  test('a deletion right after startup waits for the recovery', async () => {
    const channelId = await createChannel(t.app.db);
    const id = await createVideo(t.app.db, { channelId });
    const isListed = async () => (await anna.call('GET', `/api/video/${id}/`)).statusCode === 200;
    const recovery = Promise.withResolvers<void>();
    const deletion = deleteVideo({ ...t.app, recovered: recovery.promise }, id);
    const timeout = new Promise((resolve) => setTimeout(resolve, 100, 'waits'));
    expect(await Promise.race([deletion, timeout])).toBe('waits');
    expect(await isListed()).toBe(true);
    recovery.resolve();
    await deletion;
    expect(await isListed()).toBe(false);
  });

  test.each(['channel', 'playlist'] as const)(
    'two parallel deletions of a %s with its videos leave none of them',
    async (what) => {
      const { db } = t.app;
      const staff = await createUser(t, { isStaff: true });
      const channelId = await createChannel(db);
      await db.insertInto('playlist').values({ id: 'PLboth', kind: 'regular', name: 'Both', sortName: 'both', refreshedAt: 1 }).execute(); // prettier-ignore
      for (let position = 0; position < 12; position++) {
        const videoId = await createVideo(db, { channelId });
        await db.insertInto('playlistEntry').values({ playlistId: 'PLboth', position, videoId, title: 't', uploader: null }).execute(); // prettier-ignore
      }
      const url = what === 'channel' ? `/api/channel/${channelId}/` : '/api/playlist/PLboth/?delete_videos=true';
      const responses = await Promise.all(Array.from({ length: 2 }, () => staff.call('DELETE', url)));
      expect(responses.map(({ statusCode }) => statusCode)).toEqual([204, 204]);
      expect((await list('')).paginate.total_hits).toBe(0);
      expect((await staff.call('GET', '/api/trash/')).json().paginate.total_hits).toBe(12);
      expect((await staff.call('GET', url.split('?')[0]!)).statusCode).toBe(404);
    },
  );

  test('serves a file whole, in ranges, and as a download with its title', async () => {
    const channelId = await createChannel(t.app.db);
    const id = await createVideo(t.app.db, { channelId, title: 'Über/Brücken: "ein" Film 🎬' });
    const path = join(t.app.config.mediaFolder, channelId, `${id}.mp4`);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, '0123456789');
    const get = (headers: Record<string, string> = {}, query = '') =>
      t.server.inject({ url: `/youtube/${channelId}/${id}.mp4${query}`, headers: { ...anna.headers, ...headers } });
    const whole = await get();
    expect([whole.statusCode, whole.body, whole.headers['content-type'], whole.headers['accept-ranges']]).toEqual([
      200,
      '0123456789',
      'video/mp4',
      'bytes',
    ]);
    const createSegment = await get({ range: 'bytes=2-4' });
    expect([createSegment.statusCode, createSegment.body, createSegment.headers['content-range']]).toEqual([
      206,
      '234',
      'bytes 2-4/10',
    ]);
    expect((await get({ range: 'bytes=20-' })).statusCode).toBe(416);
    expect((await get({ 'if-none-match': whole.headers.etag as string })).statusCode).toBe(304);
    const disposition = (await get({}, '?download')).headers['content-disposition'] as string;
    expect(disposition).toContain(`filename*=UTF-8''${encodeURIComponent('Über Brücken ein Film 🎬.mp4')}`);
  });
});
