import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { chunks } from '../db/db.ts';
import { makeCustom } from '../playlist/custom.ts';
import { aChannel, aUser, aVideo, engines, patience, testArchive, type TestArchive } from '../testing.ts';

describe.each(engines)('what is done to all that match, on $engine', (on) => {
  let t: TestArchive;
  let anna: Awaited<ReturnType<typeof aUser>>;
  let staff: Awaited<ReturnType<typeof aUser>>;
  beforeEach(async () => {
    t = await testArchive({ on });
    [anna, staff] = [await aUser(t), await aUser(t, { isStaff: true })];
  });
  afterEach(() => t.close());

  const all = '/api/video/matching/';
  const total = async (query: string, who = anna) =>
    (await who.call('GET', `/api/video/${query}`)).json().paginate.total_hits as number;

  /** Many videos of one channel, every fifth of them short, with what some other tests need of them. */
  async function many(count: number) {
    const channelId = await aChannel(t.archive.db);
    const ids = Array.from({ length: count }, (_, n) => `many${String(n).padStart(7, '0')}`);
    for (const some of chunks(ids, 200))
      await t.archive.db
        .insertInto('video')
        .values(
          some.map((id) => ({
            id,
            site: 'youtube',
            siteId: id,
            channelId,
            title: id,
            sortTitle: id,
            kind: Number(id.slice(4)) % 5 === 0 ? ('shorts' as const) : ('videos' as const),
            publishedAt: 1_700_000_000 + Number(id.slice(4)),
            downloadedAt: 1,
            refreshedAt: 1,
            durationSeconds: 60,
            sizeBytes: 10,
            sha256: '',
            mediaPath: `${channelId}/${id}.mp4`,
          })),
        )
        .execute();
    return { channelId, ids };
  }

  test('thousands are counted, marked, collected, kept and fetched again by one request each', async () => {
    await t.archive.db.updateTable('account').set({ isStaff: 1 }).where('id', '=', anna.id).execute();
    const { channelId } = await many(5_000);
    const other = await aVideo(t.archive.db);
    const filter = `?channel=${channelId}&type=videos&order=asc`;
    expect((await anna.call('GET', all + filter)).json()).toEqual({ videos: 4_000, media_size: 40_000 });

    await anna.call('POST', `/api/video/many0000001/progress/`, { position: 20 });
    expect((await anna.call('POST', `${all}watched/${filter}`, { is_watched: true })).json()).toMatchObject({ videos: 4_000 });
    expect([await total('?watch=watched'), await total('?watch=unwatched'), await total('?watch=watched', staff)]).toEqual([
      4_000, 1_001, 0,
    ]);
    expect((await anna.call('GET', `${all}?watch=watched`)).json()).toEqual({ videos: 4_000, media_size: 40_000 });
    await anna.call('POST', `${all}watched/?watch=watched&type=videos`, { is_watched: false });
    expect(await total('?watch=watched')).toBe(0);

    const list = await makeCustom(t.archive, 'All of it');
    await anna.call('POST', `/api/playlist/custom/${list}/`, { action: 'create', video_id: 'many0000003' });
    expect((await anna.call('POST', `${all}playlist/${filter}`, { playlist_id: list })).json()).toEqual({ videos: 3_999 });
    const { playlist_entries: entries } = (await anna.call('GET', `/api/playlist/${list}/`)).json();
    expect(entries).toHaveLength(4_000);
    expect(entries.slice(0, 3).map((one: { youtube_id: string }) => one.youtube_id)).toEqual([
      'many0000003',
      'many0000001',
      'many0000002',
    ]);
    expect(await total(`?playlist=${list}`)).toBe(4_000);

    expect((await anna.call('POST', `${all}keep/${filter}`, { is_kept: true })).json()).toEqual({ videos: 4_000 });
    const kept = async (id: string) => (await anna.call('GET', `/api/video/${id}/`)).json().is_kept;
    expect([await kept('many0004999'), await kept('many0000005'), await kept(other)]).toEqual([true, false, false]);

    expect((await anna.call('POST', `${all}redownload/${filter}`)).json()).toEqual({ videos: 4_000 });
    const queue = (await anna.call('GET', '/api/download/?filter=pending')).json();
    expect(queue.paginate.total_hits).toBe(4_000);
    expect(queue.data[0]).toMatchObject({ status: 'pending', auto_start: true });
  });

  test('a mark that was there before keeps its date, and nobody else’s is touched', async () => {
    const { channelId } = await many(3);
    const at = async (who: typeof anna, id: string) =>
      (await who.call('GET', `/api/video/${id}/`)).json().player.watched_date as number | undefined;
    await t.archive.db
      .insertInto('watch')
      .values({ accountId: anna.id, videoId: 'many0000001', watchedAt: 77, positionSeconds: null, updatedAt: 77 })
      .execute();
    await anna.call('POST', `${all}watched/?channel=${channelId}`, { is_watched: true });
    expect(await at(anna, 'many0000001')).toBe(77);
    expect(await at(anna, 'many0000002')).toBeGreaterThan(77);
    expect(await at(staff, 'many0000001')).toBeUndefined();
  });

  test('a mark is taken back: dates and places are as they were, what was touched since stays, and it is each person’s own', async () => {
    const { channelId, ids } = await many(5);
    const filter = `?channel=${channelId}`;
    const player = async (id: string) => (await anna.call('GET', `/api/video/${id}/`)).json().player;
    const states = () => Promise.all(ids.map(player));
    await anna.call('POST', `/api/video/${ids[1]}/progress/`, { position: 20 });
    await t.archive.db
      .insertInto('watch')
      .values({ accountId: anna.id, videoId: ids[2]!, watchedAt: 77, positionSeconds: null, updatedAt: 77 })
      .execute();
    const before = await states();
    for (const is_watched of [true, false]) {
      const { undo } = (await anna.call('POST', `${all}watched/${filter}`, { is_watched })).json();
      expect((await states()).map(({ watched }) => watched)).toEqual(ids.map(() => is_watched));
      const foreign = await staff.call('POST', `${all}undo/`, { undo });
      expect([foreign.statusCode, foreign.json().error]).toEqual([400, 'It is too late to take that back.']);
      expect((await anna.call('POST', `${all}undo/`, { undo })).json()).toEqual({ videos: is_watched ? 4 : 2 });
      expect(await states()).toEqual(before);
      expect((await anna.call('POST', `${all}undo/`, { undo })).statusCode).toBe(400);
    }
    expect([await total('?watch=watched'), await total('?watch=continue')]).toEqual([1, 1]);
    const { undo } = (await anna.call('POST', `${all}watched/${filter}`, { is_watched: true })).json();
    await anna.call('POST', `/api/video/${ids[3]}/progress/`, { position: 10 });
    await staff.call('DELETE', `/api/video/${ids[4]}/`);
    expect((await anna.call('POST', `${all}undo/`, { undo })).json()).toEqual({ videos: 2 });
    expect([await player(ids[1]!), await player(ids[3]!)]).toMatchObject([{ watched: false, position: 20 }, { watched: true }]);
  });

  test('what is deleted is what was counted: not more, not what comes to match later, and what is gone already does no harm', async () => {
    const { channelId, ids } = await many(30);
    const filter = `?channel=${channelId}&type=videos`;
    const remove = (body: object) => staff.call('POST', `${all}delete/${filter}`, body);
    const tooFew = await remove({ videos: 23 });
    expect([tooFew.statusCode, tooFew.json().error]).toEqual([400, '24 videos match by now, and not 23. Nothing was deleted.']);
    expect((await remove({})).statusCode).toBe(400);
    expect((await remove({ videos: 24, ignore: true })).statusCode).toBe(200);
    await aVideo(t.archive.db, { id: 'latecomer01', channelId });
    await staff.call('DELETE', `/api/video/${ids[1]}/`);
    await t.runner.begin();
    await expect.poll(() => total(`?channel=${channelId}`), patience).toBe(7);
    expect((await staff.call('GET', `/api/video/latecomer01/`)).statusCode).toBe(200);
    await expect
      .poll(async () => (await staff.call('GET', '/api/task/by-name/delete_videos/')).json()[0], patience)
      .toMatchObject({ status: 'SUCCESS', result: 'Deleted 23 video(s).' });
    expect((await staff.call('GET', '/api/download/?filter=ignore')).json().paginate.total_hits).toBe(23);
  });

  test('a filter that is misspelled means nothing instead of everything', async () => {
    await many(3);
    for (const [path, body] of [
      ['', undefined],
      ['watched/', { is_watched: true }],
      ['delete/', { videos: 10 }],
    ] as const) {
      const answer = await staff.call(body ? 'POST' : 'GET', `${all}${path}?chanel=x`, body);
      expect([answer.statusCode, answer.json().error]).toEqual([400, 'Unknown fields: chanel']);
    }
    expect((await staff.call('POST', `${all}watched/?playlist=none`, { is_watched: true })).statusCode).toBe(400);
    expect(await total('', staff)).toBe(3);
  });
});
