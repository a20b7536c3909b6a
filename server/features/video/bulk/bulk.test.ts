import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { chunks } from '../../../platform/db/db.ts';
import { createCustom } from '../../playlist/custom.ts';
import {
  createChannel,
  createUser,
  createVideo,
  engines,
  testTimeouts,
  testApp,
  type TestApp,
} from '../../../test-support/app.ts';

describe.each(engines)('bulk actions, on $engine', (on) => {
  let t: TestApp;
  let anna: Awaited<ReturnType<typeof createUser>>;
  let staff: Awaited<ReturnType<typeof createUser>>;
  beforeEach(async () => {
    t = await testApp({ on });
    [anna, staff] = [await createUser(t), await createUser(t, { isStaff: true })];
  });
  afterEach(() => t.close());

  const bulkUrl = '/api/video/bulk/';
  const countVideos = async (query: string, user = anna) =>
    (await user.call('GET', `/api/video/${query}`)).json().paginate.total_hits as number;

  /** Creates videos in one channel; every fifth one is a short. */
  async function createVideos(count: number) {
    const channelId = await createChannel(t.app.db);
    const ids = Array.from({ length: count }, (_, n) => `many${String(n).padStart(7, '0')}`);
    for (const batch of chunks(ids, 200))
      await t.app.db
        .insertInto('video')
        .values(
          batch.map((id) => ({
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

  test('count, mark, collect, protect and redownload thousands by one request each', async () => {
    await t.app.db.updateTable('account').set({ isStaff: 1 }).where('id', '=', anna.id).execute();
    const { channelId } = await createVideos(5_000);
    const other = await createVideo(t.app.db);
    const filter = `?channel=${channelId}&type=videos&order=asc`;
    expect((await anna.call('GET', bulkUrl + filter)).json()).toEqual({ videos: 4_000, media_size: 40_000 });

    await anna.call('POST', `/api/video/many0000001/progress/`, { position: 20 });
    expect((await anna.call('POST', `${bulkUrl}watched/${filter}`, { is_watched: true })).json()).toMatchObject({
      videos: 4_000,
    });
    expect([
      await countVideos('?watch=watched'),
      await countVideos('?watch=unwatched'),
      await countVideos('?watch=watched', staff),
    ]).toEqual([4_000, 1_001, 0]);
    expect((await anna.call('GET', `${bulkUrl}?watch=watched`)).json()).toEqual({ videos: 4_000, media_size: 40_000 });
    await anna.call('POST', `${bulkUrl}watched/?watch=watched&type=videos`, { is_watched: false });
    expect(await countVideos('?watch=watched')).toBe(0);

    const list = await createCustom(t.app, { name: 'All of it', ownerId: 0, isShared: true });
    await anna.call('POST', `/api/playlist/custom/${list}/`, { action: 'create', video_id: 'many0000003' });
    expect((await anna.call('POST', `${bulkUrl}playlist/${filter}`, { playlist_id: list })).json()).toEqual({ videos: 3_999 });
    const { playlist_entries: entries } = (await anna.call('GET', `/api/playlist/${list}/`)).json();
    expect(entries).toHaveLength(4_000);
    expect(entries.slice(0, 3).map((one: { youtube_id: string }) => one.youtube_id)).toEqual([
      'many0000003',
      'many0000001',
      'many0000002',
    ]);
    expect(await countVideos(`?playlist=${list}`)).toBe(4_000);

    expect((await anna.call('POST', `${bulkUrl}protect/${filter}`, { is_protected: true })).json()).toEqual({ videos: 4_000 });
    const isProtected = async (id: string) => (await anna.call('GET', `/api/video/${id}/`)).json().is_protected;
    expect([await isProtected('many0004999'), await isProtected('many0000005'), await isProtected(other)]).toEqual([
      true,
      false,
      false,
    ]);

    expect((await anna.call('POST', `${bulkUrl}redownload/${filter}`)).json()).toEqual({ videos: 4_000 });
    const queue = (await anna.call('GET', '/api/download/?filter=pending')).json();
    expect(queue.paginate.total_hits).toBe(4_000);
    expect(queue.data[0]).toMatchObject({ status: 'pending', auto_start: true });
  });

  test('keep the date of earlier marks, and those of other users', async () => {
    const { channelId } = await createVideos(3);
    const watchedDate = async (user: typeof anna, id: string) =>
      (await user.call('GET', `/api/video/${id}/`)).json().player.watched_date as number | undefined;
    await t.app.db
      .insertInto('watch')
      .values({ accountId: anna.id, videoId: 'many0000001', watchedAt: 77, positionSeconds: null, updatedAt: 77 })
      .execute();
    await anna.call('POST', `${bulkUrl}watched/?channel=${channelId}`, { is_watched: true });
    expect(await watchedDate(anna, 'many0000001')).toBe(77);
    expect(await watchedDate(anna, 'many0000002')).toBeGreaterThan(77);
    expect(await watchedDate(staff, 'many0000001')).toBeUndefined();
  });

  test('undo restores dates and positions of the own marks, except those changed since', async () => {
    const { channelId, ids } = await createVideos(5);
    const filter = `?channel=${channelId}`;
    const readPlayer = async (id: string) => (await anna.call('GET', `/api/video/${id}/`)).json().player;
    const readPlayers = () => Promise.all(ids.map(readPlayer));
    await anna.call('POST', `/api/video/${ids[1]}/progress/`, { position: 20 });
    await t.app.db
      .insertInto('watch')
      .values({ accountId: anna.id, videoId: ids[2]!, watchedAt: 77, positionSeconds: null, updatedAt: 77 })
      .execute();
    const before = await readPlayers();
    for (const is_watched of [true, false]) {
      const { undo } = (await anna.call('POST', `${bulkUrl}watched/${filter}`, { is_watched })).json();
      expect((await readPlayers()).map(({ watched }) => watched)).toEqual(ids.map(() => is_watched));
      const byOtherUser = await staff.call('POST', `${bulkUrl}undo/`, { undo });
      expect([byOtherUser.statusCode, byOtherUser.json().error]).toEqual([400, 'This action can no longer be undone.']);
      expect((await anna.call('POST', `${bulkUrl}undo/`, { undo })).json()).toEqual({ videos: is_watched ? 4 : 2 });
      expect(await readPlayers()).toEqual(before);
      expect((await anna.call('POST', `${bulkUrl}undo/`, { undo })).statusCode).toBe(400);
    }
    expect([await countVideos('?watch=watched'), await countVideos('?watch=continue')]).toEqual([1, 1]);
    const { undo } = (await anna.call('POST', `${bulkUrl}watched/${filter}`, { is_watched: true })).json();
    await anna.call('POST', `/api/video/${ids[3]}/progress/`, { position: 10 });
    await staff.call('DELETE', `/api/video/${ids[4]}/`);
    expect((await anna.call('POST', `${bulkUrl}undo/`, { undo })).json()).toEqual({ videos: 2 });
    expect([await readPlayer(ids[1]!), await readPlayer(ids[3]!)]).toMatchObject([
      { watched: false, position: 20 },
      { watched: true },
    ]);
  });

  test('delete exactly the counted videos', async () => {
    const { channelId, ids } = await createVideos(30);
    const filter = `?channel=${channelId}&type=videos`;
    const deleteVideos = (body: object) => staff.call('POST', `${bulkUrl}delete/${filter}`, body);
    const tooFew = await deleteVideos({ videos: 23 });
    expect([tooFew.statusCode, tooFew.json().error]).toEqual([
      400,
      'The number of matching videos has changed from 23 to 24. Nothing was deleted.',
    ]);
    expect((await deleteVideos({})).statusCode).toBe(400);
    expect((await deleteVideos({ videos: 24, ignore: true })).statusCode).toBe(200);
    await createVideo(t.app.db, { id: 'latecomer01', channelId });
    await staff.call('DELETE', `/api/video/${ids[1]}/`);
    await t.runner.begin();
    await expect.poll(() => countVideos(`?channel=${channelId}`), testTimeouts).toBe(7);
    expect((await staff.call('GET', `/api/video/latecomer01/`)).statusCode).toBe(200);
    await expect
      .poll(async () => (await staff.call('GET', '/api/task/by-name/delete_videos/')).json()[0], testTimeouts)
      .toMatchObject({ status: 'SUCCESS', result: 'Deleted 23 videos.' });
    expect((await staff.call('GET', '/api/download/?filter=ignore')).json().paginate.total_hits).toBe(23);
  });

  test('only staff filter by what all users have watched, and only cleanup candidates are deleted', async () => {
    const { ids } = await createVideos(4);
    const [finished, begun, isProtected] = ids;
    for (const id of [finished!, begun!, isProtected!]) await anna.call('POST', '/api/watched/', { id, is_watched: true });
    await staff.call('POST', `/api/video/${begun!}/progress/`, { position: 20 });
    await staff.call('POST', `/api/video/${isProtected!}/protect/`, { is_protected: true });
    const filter = '?cleanup=watched&active=true&min_size=10';
    expect((await staff.call('GET', `${bulkUrl}${filter}`)).json()).toEqual({ videos: 1, media_size: 10 });
    expect(await countVideos('?cleanup=unopened', staff)).toBe(1);
    for (const [method, path, body] of [
      ['GET', `/api/video/${filter}`, undefined],
      ['GET', `${bulkUrl}${filter}`, undefined],
      ['POST', '/api/list/', { name: 'Theirs', filter: { cleanup: 'watched' } }],
    ] as const)
      expect((await anna.call(method, path, body)).statusCode).toBe(403);
    const shared = { name: 'Shared', filter: { cleanup: 'any' }, is_shared: true };
    const { id: list } = (await staff.call('POST', '/api/list/', shared)).json();
    expect((await anna.call('GET', `/api/list/${list}/`)).json()).toMatchObject({ new_videos: 0 });
    await staff.call('POST', `${bulkUrl}delete/${filter}`, { videos: 1 });
    await t.runner.begin();
    await expect.poll(() => countVideos('', staff), testTimeouts).toBe(3);
    expect((await staff.call('GET', `/api/video/${finished!}/`)).statusCode).toBe(404);
  });

  test('a misspelled filter is rejected', async () => {
    await createVideos(3);
    for (const [path, body] of [
      ['', undefined],
      ['watched/', { is_watched: true }],
      ['delete/', { videos: 10 }],
    ] as const) {
      const response = await staff.call(body ? 'POST' : 'GET', `${bulkUrl}${path}?chanel=x`, body);
      expect([response.statusCode, response.json().error]).toEqual([400, 'Unknown fields: chanel']);
    }
    expect((await staff.call('POST', `${bulkUrl}watched/?playlist=none`, { is_watched: true })).statusCode).toBe(400);
    expect(await countVideos('', staff)).toBe(3);
  });
});
