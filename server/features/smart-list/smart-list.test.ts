import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { SmartList } from '#contract/smart-list.ts';
import { createChannel, createUser, createVideo, engines, testApp, type TestApp } from '../../test-support/app.ts';

describe.each(engines)('smart lists on $engine', (on) => {
  let t: TestApp;
  let anna: Awaited<ReturnType<typeof createUser>>;
  let ben: Awaited<ReturnType<typeof createUser>>;
  beforeEach(async () => {
    t = await testApp({ on });
    [anna, ben] = [await createUser(t), await createUser(t, { isStaff: true })];
  });
  afterEach(() => t.close());

  const createList = async (user: typeof anna, name: string, filter: Record<string, string> = {}, fields = {}) => {
    const response = await user.call('POST', '/api/list/', { name, filter, ...fields });
    expect(response.statusCode, response.body).toBe(200);
    return response.json() as SmartList;
  };
  const readLists = async (user: typeof anna) => (await user.call('GET', '/api/list/')).json().data as SmartList[];
  const listNames = async (user: typeof anna) => (await readLists(user)).map(({ name }) => name);

  test('are sorted by name, and only their owner changes them', async () => {
    const filter = { watch: 'unwatched', tag: 'Tea', max_duration: '600', transcript: 'true', sort: 'duration', order: 'asc' };
    const { id } = await createList(anna, 'Über tea', filter);
    await createList(anna, 'ants');
    await createList(anna, 'Bees');
    await createList(ben, 'Of Ben');
    expect(await listNames(anna)).toEqual(['ants', 'Bees', 'Über tea']);
    expect(await listNames(ben)).toEqual(['Of Ben']);
    expect((await anna.call('GET', `/api/list/${id}/`)).json()).toMatchObject({ filter, is_own: true, is_shared: false });
    for (const [method, path] of [
      ['GET', ''],
      ['POST', ''],
      ['DELETE', ''],
      ['POST', 'visit/'],
    ] as const)
      expect(
        (await ben.call(method, `/api/list/${id}/${path}`, method === 'GET' ? undefined : { name: 'mine' })).statusCode,
      ).toBe(404);
    const changed = await anna.call('POST', `/api/list/${id}/`, { name: ' A cup ', filter: { tag: 'cup' } });
    expect(changed.json()).toMatchObject({ name: 'A cup', filter: { tag: 'cup' } });
    expect((await anna.call('DELETE', `/api/list/${id}/`)).statusCode).toBe(204);
    expect(await listNames(anna)).toEqual(['ants', 'Bees']);
    await t.app.db.deleteFrom('account').where('id', '=', anna.id).execute();
    expect(await t.app.db.selectFrom('smartList').select('name').execute()).toEqual([{ name: 'Of Ben' }]);
  });

  test('shared ones are visible to all with their own watch state, and changed by the owner only', async () => {
    await createVideo(t.app.db, { id: 'v' });
    const { id } = await createList(anna, 'For all', {}, { is_shared: true });
    expect(await readLists(ben)).toMatchObject([{ id, is_own: false, is_shared: true, owner: anna.name }]);
    for (const body of [{ name: 'Mine' }, { is_shared: false }, { filter: {} }])
      expect((await ben.call('POST', `/api/list/${id}/`, body)).statusCode).toBe(403);
    expect((await ben.call('DELETE', `/api/list/${id}/`)).statusCode).toBe(404);
    expect((await ben.call('POST', `/api/list/${id}/visit/`)).statusCode).toBe(204);
    await anna.call('POST', `/api/list/${id}/`, { is_shared: false });
    expect([await listNames(anna), await listNames(ben)]).toEqual([['For all'], []]);
  });

  test('count new matching unwatched videos since the last visit', async () => {
    const { db } = t.app;
    const now = t.app.now();
    for (const id of ['c1', 'c2']) await createChannel(db, { id });
    let nextPosition = 0;
    const createTaggedVideo = async (id: string, channelId: string, downloadedAt: number) => {
      await createVideo(db, { id, channelId, downloadedAt, tags: '["Tea"]' });
      await db
        .insertInto('playlistEntry')
        .values({ playlistId: 'PL', position: nextPosition++, videoId: id, title: '' })
        .execute();
    };
    await db.insertInto('playlist').values({ id: 'PL', kind: 'regular', name: 'P', sortName: 'p', refreshedAt: 0 }).execute();
    await createTaggedVideo('old', 'c1', now - 100);
    const filters = {
      channel: { channel: 'c1' },
      tag: { tag: 'tea' },
      playlist: { playlist: 'PL' },
      other: { tag: 'coffee' },
      begun: { watch: 'continue' },
    };
    for (const [name, filter] of Object.entries(filters)) await createList(anna, name, filter);
    const newVideoCounts = async (user = anna) =>
      Object.fromEntries((await readLists(user)).map((one) => [one.name, one.new_videos]));
    expect(await newVideoCounts()).toEqual({ begun: 0, channel: 0, other: 0, playlist: 0, tag: 0 });
    for (const [id, channelId] of [
      ['a', 'c1'],
      ['b', 'c1'],
      ['c', 'c2'],
    ] as const)
      await createTaggedVideo(id, channelId, now + 100);
    await anna.call('POST', '/api/video/b/progress/', { position: 20 });
    expect(await newVideoCounts()).toEqual({ begun: 1, channel: 2, other: 0, playlist: 3, tag: 3 });
    await anna.call('POST', '/api/watched/', { id: 'a', is_watched: true });
    expect(await newVideoCounts()).toEqual({ begun: 1, channel: 1, other: 0, playlist: 2, tag: 2 });
    const tag = (await readLists(anna)).find(({ name }) => name === 'tag')!;
    await anna.call('POST', `/api/list/${tag.id}/visit/`);
    await db
      .updateTable('smartListVisit')
      .set({ visitedAt: now + 200 })
      .execute();
    expect(await newVideoCounts()).toEqual({ begun: 1, channel: 1, other: 0, playlist: 2, tag: 0 });
    expect((await anna.call('GET', `/api/list/${tag.id}/`)).json().visited).toBe(now + 200);
  });

  test('accept valid filters, a name, and at most 200 lists', async () => {
    const filters = [
      { page: '2' },
      { tags: 'x' },
      { height: 'tall' },
      { from: '2026-02-30' },
      { sort: 'name' },
      { min_size: '-1' },
      { tag: 7 },
      [],
      'tag=x',
      null,
    ];
    for (const filter of filters)
      expect((await anna.call('POST', '/api/list/', { name: 'a', filter })).statusCode, JSON.stringify(filter)).toBe(400);
    for (const name of ['', '  ', 'x'.repeat(101), 'a\0b', undefined])
      expect((await anna.call('POST', '/api/list/', { name, filter: {} })).statusCode).toBe(400);
    const row = { accountId: anna.id, sortName: 'x', filter: '{"of":"later"}', createdAt: 1 };
    await t.app.db
      .insertInto('smartList')
      .values(Array.from({ length: 200 }, (_, n) => ({ ...row, name: `n${n}` })))
      .execute();
    expect((await anna.call('POST', '/api/list/', { name: 'one more', filter: {} })).json().error).toMatch(
      /maximum of 200 smart lists/,
    );
    await createList(ben, 'of another user');
    const { data, paginate } = (await anna.call('GET', '/api/list/?page=2')).json();
    expect([data.length, paginate.total_hits]).toEqual([100, 200]);
  });
});
