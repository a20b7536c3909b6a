import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  createChannel,
  createQueueItem,
  createUser,
  createVideo,
  engines,
  testApp,
  type TestApp,
} from '../../../test-support/app.ts';
import { retention } from './retention.ts';

const day = 86_400;

describe.each(engines)('retention rules, on $engine', (on) => {
  let t: TestApp;
  let staff: Awaited<ReturnType<typeof createUser>>;
  let other: Awaited<ReturnType<typeof createUser>>;
  let channelId: string;
  beforeEach(async () => {
    t = await testApp({ on });
    await t.runner.begin();
    staff = await createUser(t, { isStaff: true });
    other = await createUser(t);
    channelId = await createChannel(t.app.db, { isSubscribed: 1, name: 'Bread' });
  });
  afterEach(() => t.close());
  const settings = (values: object) => staff.call('POST', '/api/appsettings/config/', values);
  const markWatched = async (id: string, daysAgo: number, user = staff) => {
    await user.call('POST', '/api/watched/', { id, is_watched: true });
    await t.app.db
      .updateTable('watch')
      .set({ watchedAt: t.app.now() - daysAgo * day })
      .where('videoId', '=', id)
      .where('accountId', '=', user.id)
      .execute();
  };
  const expiringIds = async () =>
    ((await staff.call('GET', '/api/video/expiring/')).json().data as { youtube_id: string }[])
      .map((one) => one.youtube_id)
      .sort();
  const runRetention = async () => {
    await t.app.tasks.start(retention, {});
    await t.runner.idle();
  };
  const remainingIds = async () => (await t.app.db.selectFrom('video').select('id').orderBy('id').execute()).map(({ id }) => id);

  test('delete nothing by default', async () => {
    await markWatched(await createVideo(t.app.db, { channelId }), 1000);
    expect(await expiringIds()).toEqual([]);
    await runRetention();
    expect(await remainingIds()).toHaveLength(1);
  });

  test('delete and ignore videos watched long ago, as previewed', async () => {
    const [old, recent, unwatched] = [
      await createVideo(t.app.db, { channelId, id: 'oldVideo001' }),
      await createVideo(t.app.db, { channelId, id: 'newVideo001' }),
      await createVideo(t.app.db, { channelId, id: 'unseenVid01' }),
    ];
    await markWatched(old, 31);
    await markWatched(recent, 29);
    await settings({ downloads: { autodelete_days: 30 } });
    expect(await expiringIds()).toEqual([old]);
    expect(await remainingIds()).toHaveLength(3);
    await runRetention();
    expect(await remainingIds()).toEqual([recent, unwatched].sort());
    const ignored = (await staff.call('GET', '/api/download/?filter=ignore')).json().data;
    expect(ignored).toMatchObject([{ youtube_id: old, channel_name: 'Bread', status: 'ignore' }]);
  });

  test('delete only large watched videos that are still available, as previewed', async () => {
    const gigabyte = 1_000_000_000;
    const create = (id: string, sizeBytes: number, more: object = {}) =>
      createVideo(t.app.db, { channelId, id, sizeBytes, ...more });
    const rule = { autodelete_days: 7, autodelete_min_size: 2 * gigabyte, autodelete_available_only: true };
    const preview = async (body: object) => (await staff.call('POST', '/api/video/expiring/preview/', body)).json();
    await create('largeVideo1', 2 * gigabyte);
    await create('smallVideo1', 2 * gigabyte - 1);
    await create('goneVideo01', 3 * gigabyte, { isActive: 0 });
    await create('newVideo001', 3 * gigabyte);
    await create('unseenVid01', 3 * gigabyte);
    for (const id of ['largeVideo1', 'smallVideo1', 'goneVideo01']) await markWatched(id, 8);
    await markWatched('newVideo001', 6);
    expect(await preview(rule)).toMatchObject({ total: 1, media_size: 2 * gigabyte, data: [{ youtube_id: 'largeVideo1' }] });
    expect(await preview({ ...rule, channel: channelId })).toMatchObject({ total: 1 });
    expect(await preview({ ...rule, channel: await createChannel(t.app.db) })).toMatchObject({ total: 0 });
    expect(await preview({ ...rule, channel: 'unknown' })).toMatchObject({ error: expect.stringContaining('hannel') });
    expect(await expiringIds()).toEqual([]);

    expect((await settings({ downloads: rule })).json().downloads).toMatchObject(rule);
    expect(await expiringIds()).toEqual(['largeVideo1']);
    const override = (channel_overwrites: object) => staff.call('POST', `/api/channel/${channelId}/`, { channel_overwrites });
    await override({ autodelete_min_size: 0, autodelete_available_only: false });
    expect(await expiringIds()).toEqual(['goneVideo01', 'largeVideo1', 'smallVideo1']);
    await override({ autodelete_min_size: 3 * gigabyte });
    await runRetention();
    expect(await remainingIds()).toEqual(['largeVideo1', 'newVideo001', 'smallVideo1', 'unseenVid01']);
  });

  test('a preview of the rule for watched videos leaves out other rules', async () => {
    const { db, now } = t.app;
    await createVideo(db, { channelId, id: 'oldVideo001', publishedAt: now() - 30 * day });
    await staff.call('PUT', `/api/channel/${channelId}/rules/`, { keep_days: 20 });
    expect(await expiringIds()).toEqual(['oldVideo001']);
    const rule = { autodelete_days: 1, autodelete_min_size: 0, autodelete_available_only: false };
    expect((await staff.call('POST', '/api/video/expiring/preview/', rule)).json()).toMatchObject({ total: 0 });
  });

  test('keep protected videos, and those another user is watching or has in a playlist', async () => {
    const ids = ['keptVideo01', 'begunVideo1', 'listVideo01', 'goesVideo01'];
    for (const id of ids) {
      await createVideo(t.app.db, { channelId, id, durationSeconds: 600 });
      await markWatched(id, 100);
    }
    expect((await staff.call('POST', `/api/video/${ids[0]}/protect/`, { is_protected: true })).json()).toEqual({
      is_protected: true,
    });
    await other.call('POST', `/api/video/${ids[1]}/progress/`, { position: 100 });
    const { playlist_id: list } = (await other.call('POST', '/api/playlist/custom/', { playlist_name: 'Mine' })).json();
    await other.call('POST', `/api/playlist/custom/${list}/`, { action: 'create', video_id: ids[2] });
    await settings({ downloads: { autodelete_days: 1 } });
    expect(await expiringIds()).toEqual(['goesVideo01']);
    await runRetention();
    expect(await remainingIds()).toEqual(ids.slice(0, 3).sort());
  });

  test('check each video again during the run, and stop when the rule is removed', async () => {
    const ids = ['aGoesVideo1', 'bKeptVideo1', 'cBegunVide1', 'dListVideo1', 'eUnseenVid1'];
    for (const id of ids) {
      await createVideo(t.app.db, { channelId, id, durationSeconds: 600, publishedAt: 1000 });
      await markWatched(id, 100);
    }
    const otherChannelId = await createChannel(t.app.db, { name: 'Cake' });
    await markWatched(await createVideo(t.app.db, { channelId: otherChannelId, id: 'fOtherVide1' }), 100);
    await settings({ downloads: { autodelete_days: 1 } });
    expect(await expiringIds()).toEqual([...ids, 'fOtherVide1']);
    const [started, resume] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    Object.defineProperty(t.app, 'recovered', { get: () => (started.resolve(), resume.promise) }); // blocks before the first deletion
    await t.app.tasks.start(retention, {});
    await started.promise;
    await staff.call('POST', `/api/video/${ids[1]}/protect/`, { is_protected: true });
    await other.call('POST', `/api/video/${ids[2]}/progress/`, { position: 100 });
    const { playlist_id: list } = (await other.call('POST', '/api/playlist/custom/', { playlist_name: 'Mine' })).json();
    await other.call('POST', `/api/playlist/custom/${list}/`, { action: 'create', video_id: ids[3] });
    await staff.call('POST', '/api/watched/', { id: ids[4], is_watched: false });
    await staff.call('POST', `/api/channel/${otherChannelId}/`, { channel_overwrites: { autodelete_days: 500 } });
    resume.resolve();
    await t.runner.idle();
    expect(await remainingIds()).toEqual([...ids.slice(1), 'fOtherVide1']);
  });

  test('keep a video that a user watches again until it is finished or idle for a week', async () => {
    const id = await createVideo(t.app.db, { channelId, durationSeconds: 600 });
    await markWatched(id, 100);
    await settings({ downloads: { autodelete_days: 30 } });
    const savePosition = (position: number) => staff.call('POST', `/api/video/${id}/progress/`, { position });
    await savePosition(100);
    expect(await expiringIds()).toEqual([]);
    await savePosition(595);
    expect(await expiringIds()).toEqual([id]);
    await savePosition(100);
    const { db, now } = t.app;
    await db
      .updateTable('watch')
      .set({ updatedAt: now() - 8 * day })
      .execute();
    expect(await expiringIds()).toEqual([id]);
  });

  test('count from the last user who watched it', async () => {
    const id = await createVideo(t.app.db, { channelId });
    await markWatched(id, 100);
    await markWatched(id, 2, other);
    await settings({ downloads: { autodelete_days: 30 } });
    expect(await expiringIds()).toEqual([]);
  });

  test('a channel overrides the global rule', async () => {
    const id = await createVideo(t.app.db, { channelId });
    await markWatched(id, 0);
    await staff.call('POST', `/api/channel/${channelId}/`, { channel_overwrites: { autodelete_days: 0 } });
    expect(await expiringIds()).toEqual([id]);
    await settings({ downloads: { autodelete_days: 1 } });
    await staff.call('POST', `/api/channel/${channelId}/`, { channel_overwrites: { autodelete_days: 500 } });
    expect(await expiringIds()).toEqual([]);
  });

  test('keep the newest subscribed videos, and all manual downloads', async () => {
    const manualChannelId = await createChannel(t.app.db);
    const { db, now } = t.app;
    for (const [n, id] of ['first000001', 'second00001', 'third000001'].entries()) {
      await createVideo(db, { channelId, id, publishedAt: now() - n * (day + 60) });
      await createVideo(db, { channelId: manualChannelId, id: `h${id.slice(1)}`, publishedAt: now() - n * (day + 60) });
    }
    await staff.call('PUT', `/api/channel/${channelId}/rules/`, { keep_newest: 2 });
    expect(await expiringIds()).toEqual(['third000001']);
    await settings({ rules: { keep_days: 1 } });
    expect(await expiringIds()).toEqual(['second00001', 'third000001']);
    const ownRules = await staff.call('PUT', `/api/channel/${channelId}/rules/`, { keep_days: null });
    expect(ownRules.json()).toMatchObject({ own: { keep_days: null }, effective: { keep_days: null, keep_newest: null } });
    expect(await expiringIds()).toEqual([]);
  });

  test('a preview lists matched, skipped and deleted videos without changes', async () => {
    const { db, now } = t.app;
    await createVideo(db, { channelId, id: 'archived001', title: 'Bread 1', durationSeconds: 60, publishedAt: now() - 9 * day });
    await createQueueItem(db, { id: 'waiting0001', channelId, title: 'Bread 2', durationSeconds: 900 });
    await db
      .insertInto('seenEntry')
      .values({ videoId: 'listed00001', channelId, title: 'Cake', kind: 'videos', isMembersOnly: 1, seenAt: now() })
      .execute();
    const preview = (rules: object) => staff.call('POST', `/api/channel/${channelId}/rules/preview/`, rules);
    expect((await preview({ title_include: 'bread', min_seconds: 100, keep_days: 8 })).json()).toMatchObject({
      taken: 1,
      left_out: 2,
      archived: 1,
      waiting: 1,
      listed: 1,
      reasons: expect.arrayContaining([expect.objectContaining({ rule: 'title_include', count: 1 })]),
      expiring: [{ youtube_id: 'archived001' }],
    });
    expect((await preview({ skip_members_only: true })).json()).toMatchObject({ taken: 2, left_out: 1, expiring: [] });
    expect((await preview({ title_include: '/(/' })).json().error).toMatch(/is invalid/);
    expect((await staff.call('GET', `/api/channel/${channelId}/rules/`)).json().own).toEqual({});
    expect(await remainingIds()).toEqual(['archived001']);
  });

  test('reject an invalid expression in the settings', async () => {
    expect((await settings({ rules: { title_exclude: '/[/' } })).json().error).toMatch(/is invalid/);
  });

  test('reject combinations that exclude everything, per source, globally and mixed', async () => {
    const url = `/api/channel/${await createChannel(t.app.db)}/rules/`;
    const expectedError = /^The minimum length is greater/;
    const both = { min_seconds: 600, max_seconds: 300 };
    expect((await staff.call('PUT', url, both)).json().error).toMatch(expectedError);
    expect((await staff.call('POST', `${url}preview/`, both)).json().error).toMatch(expectedError);
    expect((await settings({ rules: both })).json().error).toMatch(expectedError);
    expect((await settings({ rules: { max_seconds: 300 } })).statusCode).toBe(200);
    expect((await settings({ rules: { min_seconds: 301 } })).json().error).toMatch(expectedError);
    expect((await staff.call('PUT', url, { min_seconds: 301 })).json().error).toMatch(expectedError);
    expect((await staff.call('PUT', url, { min_seconds: 300 })).statusCode).toBe(200);
  });
});
