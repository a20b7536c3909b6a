import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { exists } from '../media/shelf.ts';
import { aChannel, aUser, aVideo, engines, testArchive, type TestArchive } from '../testing.ts';
import { deleteVideo } from './delete-video.ts';
import { watchedFrom } from './save-progress.ts';

describe.each(engines)('videos on $engine', (on) => {
  let t: TestArchive;
  let anna: Awaited<ReturnType<typeof aUser>>;
  beforeEach(async () => {
    t = await testArchive({ on });
    anna = await aUser(t);
  });
  afterEach(() => t.close());
  const list = async (query: string, who = anna) => (await who.call('GET', `/api/video/${query}`)).json();
  const idsOf = (answer: { data: { youtube_id: string }[] }) => answer.data.map((video) => video.youtube_id);

  test('the newest video comes first, page by page, none twice and none left out', async () => {
    const channelId = await aChannel(t.archive.db);
    // All of one date: the order between them must not change from page to page.
    for (let n = 0; n < 30; n++)
      await aVideo(t.archive.db, { channelId, id: `same${String(n).padStart(7, '0')}`, publishedAt: 1_700_000_000 });
    const pages = [await list(''), await list('?page=2'), await list('?page=3')];
    const ids = pages.flatMap(idsOf);
    expect(ids).toHaveLength(30);
    expect(new Set(ids).size).toBe(30);
    expect(pages[0].paginate).toMatchObject({ page_size: 12, total_hits: 30, last_page: 3 });
  });

  test('a list is narrowed by channel, kind and what this person has watched', async () => {
    const channelId = await aChannel(t.archive.db);
    const short = await aVideo(t.archive.db, { channelId, kind: 'shorts' });
    const seen = await aVideo(t.archive.db, { channelId });
    const begun = await aVideo(t.archive.db, { durationSeconds: 1000 });
    await anna.call('POST', '/api/watched/', { id: seen, is_watched: true });
    await anna.call('POST', `/api/video/${begun}/progress/`, { position: 100 });
    expect(idsOf(await list('?type=shorts'))).toEqual([short]);
    expect(idsOf(await list(`?channel=${channelId}`)).sort()).toEqual([seen, short].sort());
    expect(idsOf(await list('?watch=watched'))).toEqual([seen]);
    expect(idsOf(await list('?watch=continue'))).toEqual([begun]);
    const ben = await aUser(t);
    expect(idsOf(await list('?watch=watched', ben))).toEqual([]);
  });

  test('a channel by the name of what is left out elsewhere is still a channel that does not exist', async () => {
    await aVideo(t.archive.db);
    const totals = async (query: string) => (await list(query)).paginate.total_hits;
    for (const nobody of ['undefined', 'null', ''])
      for (const watch of ['', '&watch=unwatched'])
        expect(await totals(`?channel=${nobody}${watch}`), nobody + watch).toBe(nobody === '' ? 1 : 0);
    expect(await totals('')).toBe(1);
    expect(await totals('?watch=unwatched')).toBe(1);
  });

  test('a list is bounded by days and lengths, both ends within, together with the rest', async () => {
    const { db } = t.archive;
    const at = (time: string) => Date.parse(time) / 1000;
    const first = await aVideo(db, { publishedAt: at('2026-03-01T00:00:00Z'), durationSeconds: 60 });
    const last = await aVideo(db, { publishedAt: at('2026-03-31T23:59:59Z'), durationSeconds: 600 });
    const after = await aVideo(db, { publishedAt: at('2026-04-01T00:00:00Z'), durationSeconds: 601, kind: 'streams' });
    expect(idsOf(await list('?from=2026-03-01&to=2026-03-31'))).toEqual([last, first]);
    expect(idsOf(await list('?from=2026-03-02'))).toEqual([after, last]);
    expect(idsOf(await list('?min_duration=600'))).toEqual([after, last]);
    expect(idsOf(await list('?max_duration=600&sort=duration&order=asc'))).toEqual([first, last]);
    expect(idsOf(await list('?min_duration=100&max_duration=600&to=2026-04-30'))).toEqual([last]);
    expect((await list('?from=2026-03-02&type=streams')).paginate.total_hits).toBe(1);
    await anna.call('POST', '/api/watched/', { id: last, is_watched: true });
    expect(idsOf(await list('?from=2026-03-02&watch=unwatched'))).toEqual([after]);
    expect(idsOf(await list('?from=2026-03-02&watch=watched'))).toEqual([last]);
    for (const strange of ['from=2026-02-30', 'to=yesterday', 'min_duration=-1', 'max_duration=long'])
      expect((await anna.call('GET', `/api/video/?${strange}`)).statusCode).toBe(400);
  });

  test('near its end a video is watched by itself, and its position forgotten', async () => {
    const id = await aVideo(t.archive.db, { durationSeconds: 600 });
    const at = async (position: number) => (await anna.call('POST', `/api/video/${id}/progress/`, { position })).json();
    expect(await at(300)).toMatchObject({ watched: false, position: 300 });
    expect((await anna.call('GET', `/api/video/${id}/`)).json().player).toMatchObject({
      watched: false,
      position: 300,
      progress: 50,
    });
    expect(await at(541)).toMatchObject({ watched: true });
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
  ])('a video of %d s counts as watched from %s s', (duration, from) => expect(watchedFrom(duration)).toBe(from));

  test('marking a channel or a playlist leaves the date of what was marked before, and is no fault where there is nothing', async () => {
    const channelId = await aChannel(t.archive.db);
    const [seen, other] = [await aVideo(t.archive.db, { channelId }), await aVideo(t.archive.db, { channelId })];
    const began = t.archive.now();
    let clock = began;
    Object.assign(t.archive, { now: () => clock });
    const mark = (id: string, is_watched = true) => anna.call('POST', '/api/watched/', { id, is_watched });
    const dates = async () =>
      Promise.all(
        [seen, other].map(async (id) => (await anna.call('GET', `/api/video/${id}/`)).json().player.watched_date ?? null),
      );
    await mark(seen);
    clock += 100;
    expect((await mark(channelId)).json()).toEqual({ id: channelId, is_watched: true });
    expect(await dates()).toEqual([began, began + 100]);
    clock += 100;
    await mark(seen); // this one, once more
    expect(await dates()).toEqual([began + 200, began + 100]);
    await mark(channelId, false);
    expect(await dates()).toEqual([null, null]);

    const empty = [
      await aChannel(t.archive.db),
      (await anna.call('POST', '/api/playlist/custom/', { playlist_name: 'Empty' })).json().playlist_id,
    ];
    for (const id of empty) {
      const answer = await mark(id);
      expect([answer.statusCode, answer.json()]).toEqual([200, { id, is_watched: true }]);
    }
    expect((await mark('nothing')).statusCode).toBe(404);
  });

  test('of what others marked in a video only sponsors are told to skip by themselves, and unlocked is where none is locked', async () => {
    const part = (category: string, locked: 0 | 1) => ({
      UUID: category,
      category,
      actionType: 'skip',
      segment: [1, 2],
      videoDuration: 9,
      votes: 1,
      locked,
    });
    const shown = async (...segments: object[]) => {
      const id = await aVideo(t.archive.db, {
        sponsorblock: JSON.stringify({ is_enabled: true, last_refresh: 7, has_unlocked: true, segments }),
      });
      const { sponsorblock } = (await anna.call('GET', `/api/video/${id}/`)).json();
      const actions = sponsorblock.segments.map((one: { actionType: string }) => one.actionType);
      return [actions, sponsorblock.has_unlocked];
    };
    expect(await shown(part('sponsor', 1), part('intro', 0))).toEqual([['skip', 'none'], false]);
    expect(await shown(part('music_offtopic', 0), part('sponsor', 0))).toEqual([['none', 'skip'], true]);
    expect(await shown()).toEqual([[], undefined]);
  });

  test('deleting takes the rows and the files, and leaves the rest of the shelf alone', async () => {
    const staff = await aUser(t, { isStaff: true });
    const channelId = await aChannel(t.archive.db);
    const [gone, stays] = [await aVideo(t.archive.db, { channelId }), await aVideo(t.archive.db, { channelId })];
    const pathOf = (id: string, ending: string) => join(t.archive.config.mediaFolder, channelId, `${id}${ending}`);
    await mkdir(dirname(pathOf(gone, '')), { recursive: true });
    for (const id of [gone, stays]) for (const ending of ['.mp4', '.info.json']) await writeFile(pathOf(id, ending), 'x');
    expect((await anna.call('DELETE', `/api/video/${gone}/`)).statusCode).toBe(403);
    expect(await exists(pathOf(gone, '.mp4'))).toBe(true);
    expect((await staff.call('DELETE', `/api/video/${gone}/`)).statusCode).toBe(204);
    expect((await staff.call('GET', `/api/video/${gone}/`)).statusCode).toBe(404);
    expect(
      await Promise.all(
        [pathOf(gone, '.mp4'), pathOf(gone, '.info.json'), pathOf(stays, '.mp4'), pathOf(stays, '.info.json')].map(exists),
      ),
    ).toEqual([false, false, true, true]);
    expect((await staff.call('DELETE', `/api/video/${gone}/`)).statusCode).toBe(404);
  });

  test('what is deleted comes on the ignore list when that is asked, and only then', async () => {
    const staff = await aUser(t, { isStaff: true });
    const [away, again] = [await aVideo(t.archive.db), await aVideo(t.archive.db)];
    expect((await staff.call('DELETE', `/api/video/${away}/?ignore=true`)).statusCode).toBe(204);
    expect((await staff.call('DELETE', `/api/video/${again}/`)).statusCode).toBe(204);
    expect(idsOf((await staff.call('GET', '/api/download/?filter=ignore')).json())).toEqual([away]);
  });

  test('what is deleted just after a start waits until what an earlier run left is put right, which could bring it back', async () => {
    const channelId = await aChannel(t.archive.db);
    const id = await aVideo(t.archive.db, { channelId });
    const isThere = async () => (await anna.call('GET', `/api/video/${id}/`)).statusCode === 200;
    const recovery = Promise.withResolvers<void>();
    const deletion = deleteVideo({ ...t.archive, recovered: recovery.promise }, id);
    const soon = new Promise((resolve) => setTimeout(resolve, 100, 'waits'));
    expect(await Promise.race([deletion, soon])).toBe('waits');
    expect(await isThere()).toBe(true);
    recovery.resolve();
    await deletion;
    expect(await isThere()).toBe(false);
  });

  test.each(['channel', 'playlist'] as const)(
    'two who delete a %s with its videos at once leave none of them behind',
    async (what) => {
      const { db } = t.archive;
      const staff = await aUser(t, { isStaff: true });
      const channelId = await aChannel(db);
      await db.insertInto('playlist').values({ id: 'PLboth', kind: 'regular', name: 'Both', sortName: 'both', refreshedAt: 1 }).execute(); // prettier-ignore
      for (let position = 0; position < 12; position++) {
        const videoId = await aVideo(db, { channelId });
        await db.insertInto('playlistEntry').values({ playlistId: 'PLboth', position, videoId, title: 't', uploader: null }).execute(); // prettier-ignore
      }
      const url = what === 'channel' ? `/api/channel/${channelId}/` : '/api/playlist/PLboth/?delete_videos=true';
      const answers = await Promise.all(Array.from({ length: 2 }, () => staff.call('DELETE', url)));
      expect(answers.map(({ statusCode }) => statusCode)).toEqual([204, 204]);
      expect((await list('')).paginate.total_hits).toBe(0);
      expect((await staff.call('GET', '/api/bin/')).json().paginate.total_hits).toBe(12);
      expect((await staff.call('GET', url.split('?')[0]!)).statusCode).toBe(404);
    },
  );

  test('a file is sent whole, in ranges, and as a download under its title', async () => {
    const channelId = await aChannel(t.archive.db);
    const id = await aVideo(t.archive.db, { channelId, title: 'Über/Brücken: "ein" Film 🎬' });
    const path = join(t.archive.config.mediaFolder, channelId, `${id}.mp4`);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, '0123456789');
    const get = (headers: Record<string, string> = {}, query = '') =>
      t.app.inject({ url: `/youtube/${channelId}/${id}.mp4${query}`, headers: { ...anna.headers, ...headers } });
    const whole = await get();
    expect([whole.statusCode, whole.body, whole.headers['content-type'], whole.headers['accept-ranges']]).toEqual([
      200,
      '0123456789',
      'video/mp4',
      'bytes',
    ]);
    const part = await get({ range: 'bytes=2-4' });
    expect([part.statusCode, part.body, part.headers['content-range']]).toEqual([206, '234', 'bytes 2-4/10']);
    expect((await get({ range: 'bytes=20-' })).statusCode).toBe(416);
    expect((await get({ 'if-none-match': whole.headers.etag as string })).statusCode).toBe(304);
    const named = (await get({}, '?download')).headers['content-disposition'] as string;
    expect(named).toContain(`filename*=UTF-8''${encodeURIComponent('Über Brücken ein Film 🎬.mp4')}`);
  });
});
