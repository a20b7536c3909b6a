import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { aChannel, aQueueItem, aUser, aVideo, engines, testArchive, type TestArchive } from '../testing.ts';
import { retention } from './retention.ts';

const day = 86_400;

describe.each(engines)('what leaves the archive by a rule, on $engine', (on) => {
  let t: TestArchive;
  let staff: Awaited<ReturnType<typeof aUser>>;
  let other: Awaited<ReturnType<typeof aUser>>;
  let channelId: string;
  beforeEach(async () => {
    t = await testArchive({ on });
    await t.runner.begin();
    staff = await aUser(t, { isStaff: true });
    other = await aUser(t);
    channelId = await aChannel(t.archive.db, { isSubscribed: 1, name: 'Bread' });
  });
  afterEach(() => t.close());
  const settings = (some: object) => staff.call('POST', '/api/appsettings/config/', some);
  const watched = async (id: string, daysAgo: number, by = staff) => {
    await by.call('POST', '/api/watched/', { id, is_watched: true });
    await t.archive.db
      .updateTable('watch')
      .set({ watchedAt: t.archive.now() - daysAgo * day })
      .where('videoId', '=', id)
      .where('accountId', '=', by.id)
      .execute();
  };
  const leaving = async () =>
    ((await staff.call('GET', '/api/video/leaving/')).json().data as { youtube_id: string }[])
      .map((one) => one.youtube_id)
      .sort();
  const clean = async () => {
    await t.archive.tasks.start(retention, {});
    await t.runner.idle();
  };
  const left = async () => (await t.archive.db.selectFrom('video').select('id').orderBy('id').execute()).map(({ id }) => id);

  test('nothing, until somebody sets a rule', async () => {
    await watched(await aVideo(t.archive.db, { channelId }), 1000);
    expect(await leaving()).toEqual([]);
    await clean();
    expect(await left()).toHaveLength(1);
  });

  test('what was watched long enough ago goes, is ignored from then on, and the preview said so', async () => {
    const [old, fresh, unseen] = [
      await aVideo(t.archive.db, { channelId, id: 'oldVideo001' }),
      await aVideo(t.archive.db, { channelId, id: 'newVideo001' }),
      await aVideo(t.archive.db, { channelId, id: 'unseenVid01' }),
    ];
    await watched(old, 31);
    await watched(fresh, 29);
    await settings({ downloads: { autodelete_days: 30 } });
    expect(await leaving()).toEqual([old]);
    expect(await left()).toHaveLength(3);
    await clean();
    expect(await left()).toEqual([fresh, unseen].sort());
    const ignored = (await staff.call('GET', '/api/download/?filter=ignore')).json().data;
    expect(ignored).toMatchObject([{ youtube_id: old, channel_name: 'Bread', status: 'ignore' }]);
  });

  test('never what is marked, what somebody else is in the middle of, or has put into a playlist of their own', async () => {
    const ids = ['keptVideo01', 'begunVideo1', 'listVideo01', 'goesVideo01'];
    for (const id of ids) {
      await aVideo(t.archive.db, { channelId, id, durationSeconds: 600 });
      await watched(id, 100);
    }
    expect((await staff.call('POST', `/api/video/${ids[0]}/keep/`, { is_kept: true })).json()).toEqual({ is_kept: true });
    await other.call('POST', `/api/video/${ids[1]}/progress/`, { position: 100 });
    const { playlist_id: list } = (await other.call('POST', '/api/playlist/custom/', { playlist_name: 'Mine' })).json();
    await other.call('POST', `/api/playlist/custom/${list}/`, { action: 'create', video_id: ids[2] });
    await settings({ downloads: { autodelete_days: 1 } });
    expect(await leaving()).toEqual(['goesVideo01']);
    await clean();
    expect(await left()).toEqual(ids.slice(0, 3).sort());
  });

  test('never what is marked, begun, collected or unwatched while the run is at others, nor by a rule that was taken back', async () => {
    const ids = ['aGoesVideo1', 'bKeptVideo1', 'cBegunVide1', 'dListVideo1', 'eUnseenVid1'];
    for (const id of ids) {
      await aVideo(t.archive.db, { channelId, id, durationSeconds: 600, publishedAt: 1000 });
      await watched(id, 100);
    }
    const elsewhere = await aChannel(t.archive.db, { name: 'Cake' });
    await watched(await aVideo(t.archive.db, { channelId: elsewhere, id: 'fOtherVide1' }), 100);
    await settings({ downloads: { autodelete_days: 1 } });
    expect(await leaving()).toEqual([...ids, 'fOtherVide1']);
    const [reached, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    Object.defineProperty(t.archive, 'recovered', { get: () => (reached.resolve(), goOn.promise) }); // the first waits for it
    await t.archive.tasks.start(retention, {});
    await reached.promise;
    await staff.call('POST', `/api/video/${ids[1]}/keep/`, { is_kept: true });
    await other.call('POST', `/api/video/${ids[2]}/progress/`, { position: 100 });
    const { playlist_id: list } = (await other.call('POST', '/api/playlist/custom/', { playlist_name: 'Mine' })).json();
    await other.call('POST', `/api/playlist/custom/${list}/`, { action: 'create', video_id: ids[3] });
    await staff.call('POST', '/api/watched/', { id: ids[4], is_watched: false });
    await staff.call('POST', `/api/channel/${elsewhere}/`, { channel_overwrites: { autodelete_days: 500 } });
    goOn.resolve();
    await t.runner.idle();
    expect(await left()).toEqual([...ids.slice(1), 'fOtherVide1']);
  });

  test('never what somebody watches again, until they are through or have let it be for a week', async () => {
    const id = await aVideo(t.archive.db, { channelId, durationSeconds: 600 });
    await watched(id, 100);
    await settings({ downloads: { autodelete_days: 30 } });
    const stopAt = (position: number) => staff.call('POST', `/api/video/${id}/progress/`, { position });
    await stopAt(100);
    expect(await leaving()).toEqual([]);
    await stopAt(595);
    expect(await leaving()).toEqual([id]);
    await stopAt(100);
    const { db, now } = t.archive;
    await db
      .updateTable('watch')
      .set({ updatedAt: now() - 8 * day })
      .execute();
    expect(await leaving()).toEqual([id]);
  });

  test('the last one who watched it counts', async () => {
    const id = await aVideo(t.archive.db, { channelId });
    await watched(id, 100);
    await watched(id, 2, other);
    await settings({ downloads: { autodelete_days: 30 } });
    expect(await leaving()).toEqual([]);
  });

  test("a channel's own choice goes before the one for all: at once, or longer", async () => {
    const id = await aVideo(t.archive.db, { channelId });
    await watched(id, 0);
    await staff.call('POST', `/api/channel/${channelId}/`, { channel_overwrites: { autodelete_days: 0 } });
    expect(await leaving()).toEqual([id]);
    await settings({ downloads: { autodelete_days: 1 } });
    await staff.call('POST', `/api/channel/${channelId}/`, { channel_overwrites: { autodelete_days: 500 } });
    expect(await leaving()).toEqual([]);
  });

  test('only the newest are kept of what is subscribed to; what was fetched by hand stays', async () => {
    const byHand = await aChannel(t.archive.db);
    const { db, now } = t.archive;
    for (const [n, id] of ['first000001', 'second00001', 'third000001'].entries()) {
      await aVideo(db, { channelId, id, publishedAt: now() - n * (day + 60) });
      await aVideo(db, { channelId: byHand, id: `h${id.slice(1)}`, publishedAt: now() - n * (day + 60) });
    }
    await staff.call('PUT', `/api/channel/${channelId}/rules/`, { keep_newest: 2 });
    expect(await leaving()).toEqual(['third000001']);
    await settings({ rules: { keep_days: 1 } });
    expect(await leaving()).toEqual(['second00001', 'third000001']);
    const own = await staff.call('PUT', `/api/channel/${channelId}/rules/`, { keep_days: null });
    expect(own.json()).toMatchObject({ own: { keep_days: null }, effective: { keep_days: null, keep_newest: null } });
    expect(await leaving()).toEqual([]);
  });

  test('a preview says what rules would take, leave out and delete, and changes nothing', async () => {
    const { db, now } = t.archive;
    await aVideo(db, { channelId, id: 'archived001', title: 'Bread 1', durationSeconds: 60, publishedAt: now() - 9 * day });
    await aQueueItem(db, { id: 'waiting0001', channelId, title: 'Bread 2', durationSeconds: 900 });
    await db
      .insertInto('listed')
      .values({ videoId: 'listed00001', channelId, title: 'Cake', kind: 'videos', isMembersOnly: 1, listedAt: now() })
      .execute();
    const preview = (rules: object) => staff.call('POST', `/api/channel/${channelId}/rules/preview/`, rules);
    expect((await preview({ title_include: 'bread', min_seconds: 100, keep_days: 8 })).json()).toMatchObject({
      taken: 1,
      left_out: 2,
      archived: 1,
      waiting: 1,
      listed: 1,
      reasons: expect.arrayContaining([expect.objectContaining({ rule: 'title_include', count: 1 })]),
      leaving: [{ youtube_id: 'archived001' }],
    });
    expect((await preview({ skip_members_only: true })).json()).toMatchObject({ taken: 2, left_out: 1, leaving: [] });
    expect((await preview({ title_include: '/(/' })).json().error).toMatch(/not understood/);
    expect((await staff.call('GET', `/api/channel/${channelId}/rules/`)).json().own).toEqual({});
    expect(await left()).toEqual(['archived001']);
  });

  test('an expression that is none is refused also in the settings', async () => {
    expect((await settings({ rules: { title_exclude: '/[/' } })).json().error).toMatch(/not understood/);
  });

  test('rules that together want nothing are refused: of one source, of all, and of both', async () => {
    const url = `/api/channel/${await aChannel(t.archive.db)}/rules/`;
    const none = /^Nothing is at least as long/;
    const both = { min_seconds: 600, max_seconds: 300 };
    expect((await staff.call('PUT', url, both)).json().error).toMatch(none);
    expect((await staff.call('POST', `${url}preview/`, both)).json().error).toMatch(none);
    expect((await settings({ rules: both })).json().error).toMatch(none);
    expect((await settings({ rules: { max_seconds: 300 } })).statusCode).toBe(200);
    expect((await settings({ rules: { min_seconds: 301 } })).json().error).toMatch(none);
    expect((await staff.call('PUT', url, { min_seconds: 301 })).json().error).toMatch(none);
    expect((await staff.call('PUT', url, { min_seconds: 300 })).statusCode).toBe(200);
  });
});
