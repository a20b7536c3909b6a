import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { pollFeeds } from '#server/features/subscription/poll-feeds.ts';
import { engines } from '#server/test-support/app.ts';
import { aCatalogue, aChannel, aPlaylist, aVideo } from '../../test-site/builders.ts';
import { createArchive, inconsistencies, hasTools, queueOf, type TestSiteArchive } from '../support/acquisition.ts';

const day = 86_400_000;
const at = (daysAgo: number) => new Date(Date.now() - daysAgo * day);
const channel = aChannel({ name: 'Night Trains', subscribers: 4200 });
const quiet = aChannel({ name: 'Quiet Channel' });
const videos = Array.from({ length: 40 }, (_, n) =>
  aVideo({
    id: `trainVid${String(n).padStart(3, '0')}`,
    channelId: channel.id,
    title: n % 10 === 0 ? `Timetable ${n}` : `Journey ${n}`,
    durationSeconds: 4 + n,
    published: at(n + 1),
  }),
);
const short = aVideo({
  id: 'trainShort1',
  channelId: channel.id,
  title: 'Whistle',
  kind: 'short',
  width: 180,
  height: 320,
  durationSeconds: 5,
});
const list = aPlaylist({ channelId: channel.id, title: 'The line', videoIds: videos.slice(0, 6).map(({ id }) => id) });

describe.runIf(hasTools).each(engines)('subscriptions, on $engine', (on) => {
  let t: TestSiteArchive;
  beforeAll(async () => {
    t = await createArchive(aCatalogue({ channels: [channel, quiet], videos: [...videos, short], playlists: [list] }), { on });
    await saveSettings({ subscriptions: { channel_size: 12, extract_flat: true } });
  });
  afterAll(() => t.close());
  afterEach(async () => expect(await inconsistencies(t)).toEqual([]));
  const saveSettings = (changes: object) => t.staff.call('POST', '/api/appsettings/config/', changes);
  const scan = async () => {
    const { task_id: id } = (await t.staff.call('POST', '/api/task/by-name/update_subscribed/')).json();
    await t.runner.idle();
    return (await t.staff.call('GET', `/api/task/by-id/${id}/`)).json() as { status: string; result: string | null };
  };
  const queued = async () => {
    const { data } = (await t.staff.call('GET', '/api/download/?filter=pending')).json();
    return (data as { youtube_id: string }[]).map((item) => item.youtube_id);
  };
  const total = async () => (await t.staff.call('GET', '/api/download/?filter=pending')).json().paginate.total_hits as number;
  const channelOf = async (id = channel.id) => (await t.staff.call('GET', `/api/channel/${id}/`)).json();
  const clearQueue = () => t.staff.call('DELETE', '/api/download/?filter=pending');

  test('subscribes to channels by handle, URL or video, several at once, and reports invalid lines', async () => {
    const data = [
      { channel_id: `https://www.youtube.com/watch?v=${videos[3]!.id}`, channel_subscribed: true },
      { channel_id: `${quiet.handle}\nnot a channel!!`, channel_subscribed: true },
    ];
    const response = await t.staff.call('POST', '/api/channel/', { data });
    expect(response.json()).toEqual({ data, task_id: expect.any(String) });
    await t.runner.idle();
    expect(await channelOf()).toMatchObject({
      channel_name: 'Night Trains',
      channel_subscribed: true,
      channel_subs: 4200,
      channel_description: 'Night Trains shows things.',
      channel_thumb_url: expect.stringContaining(channel.id),
      channel_banner_url: expect.stringContaining(channel.id),
    });
    expect((await t.staff.call('GET', '/api/channel/?filter=subscribed')).json().paginate.total_hits).toBe(2);
    const [task] = (await t.staff.call('GET', '/api/notification/')).json();
    expect(task.messages.join('\n')).toContain('not a channel!!: Not a valid ID, @handle or URL.');
  });

  test('queues as many videos of each kind as configured on the first scan, newest first', async () => {
    expect(await scan()).toMatchObject({ status: 'SUCCESS', result: 'Found 13 videos to add to the queue.' });
    expect(await queued()).toEqual(videos.slice(0, 12).map(({ id }) => id));
    expect(await total()).toBe(13);
    expect((await t.staff.call('GET', `/api/download/${short.id}/`)).json().vid_type).toBe('shorts');
    expect((await channelOf()).channel_tabs).toEqual(['videos', 'shorts']);
  });

  test('requests only the feed on a second scan, and adds nothing twice', async () => {
    t.testSite.requests.length = 0;
    expect(await scan()).toMatchObject({ status: 'SUCCESS', result: null });
    const requestedPaths = t.testSite.requests.map(({ path }) => path.split('?')[0]);
    expect(requestedPaths).toContain('/feeds/videos.xml');
    expect(requestedPaths.filter((path) => path !== '/feeds/videos.xml')).toEqual([]);
  });

  test('queues an upload that appears in the feed without a schedule', async () => {
    const fresh = aVideo({ id: 'freshTrain1', channelId: channel.id, title: 'Fresh', published: new Date(), durationSeconds: 4 });
    t.testSite.catalogue.videos.push(fresh);
    await pollFeeds(t.app);
    await t.runner.idle();
    expect((await t.staff.call('GET', `/api/download/${fresh.id}/`)).statusCode).toBe(200);
  });

  test('keeps ignored videos ignored, and queues forgotten ones again', async () => {
    await t.staff.call('POST', `/api/download/${videos[0]!.id}/`, { status: 'ignore' });
    await t.app.db.updateTable('channel').set({ lastFullScanAt: null }).execute();
    await t.staff.call('DELETE', `/api/download/${videos[1]!.id}/`);
    await scan();
    expect(await queued()).not.toContain(videos[0]!.id);
    expect(await total()).toBe(13);
    expect((await t.staff.call('GET', `/api/download/${videos[1]!.id}/`)).statusCode).toBe(200);
  });

  test('prefers the limits of a channel to the global ones, and 0 skips a kind', async () => {
    await clearQueue();
    const overwrites = { subscriptions_channel_size: 3, subscriptions_shorts_channel_size: 0 };
    const response = await t.staff.call('POST', `/api/channel/${channel.id}/`, { channel_overwrites: overwrites });
    expect(response.json().channel_overwrites).toMatchObject({ ...overwrites, download_format: null });
    await t.app.db.updateTable('channel').set({ lastFullScanAt: null }).execute();
    await scan();
    expect(await total()).toBe(2); // three videos, of which one is ignored, plus the fresh one, and no short
    const unknownKey = await t.staff.call('POST', `/api/channel/${channel.id}/`, { channel_overwrites: { no_such: 1 } });
    expect(unknownKey.statusCode).toBe(400);
    await t.staff.call('POST', `/api/channel/${channel.id}/`, {
      channel_overwrites: { subscriptions_channel_size: null, subscriptions_shorts_channel_size: null },
    });
    expect((await channelOf()).channel_overwrites).toBeUndefined();
  });

  test('skips videos that filter rules exclude, and does not look them up again', async () => {
    await clearQueue();
    await saveSettings({ rules: { title_exclude: '/^timetable/', min_seconds: 7 } });
    await t.app.db.updateTable('channel').set({ lastFullScanAt: null }).execute();
    await scan();
    const ids = await queued();
    expect(ids).not.toContain(videos[10]!.id); // a timetable, excluded by its title
    expect(ids).not.toContain(videos[2]!.id); // six seconds, too short
    expect(ids).toContain(videos[4]!.id);
    t.testSite.requests.length = 0;
    await scan();
    expect(t.testSite.requests.every(({ path }) => path.startsWith('/feeds/'))).toBe(true);
    await saveSettings({ rules: { title_exclude: null, min_seconds: null } });
  });

  test('marks a channel as gone only after a second report on another day, and unmarks it when it is back', async () => {
    const siteChannel = t.testSite.catalogue.channels.find(({ id }) => id === quiet.id)!;
    siteChannel.gone = 'terminated';
    await t.app.db.updateTable('channel').set({ lastFullScanAt: null }).execute();
    await scan();
    expect((await channelOf(quiet.id)).channel_active).toBe(true);
    await scan();
    expect((await channelOf(quiet.id)).channel_active).toBe(true);
    await t.app.db
      .updateTable('channel')
      .set({ unavailableSince: t.app.now() - 21 * 3600 })
      .where('id', '=', quiet.id)
      .execute();
    await scan();
    expect((await channelOf(quiet.id)).channel_active).toBe(false);
    delete siteChannel.gone;
    await scan();
    expect((await channelOf(quiet.id)).channel_active).toBe(true);
  });

  test('subscribes to a playlist, keeps its order, and reverses it', async () => {
    await clearQueue();
    const data = [{ playlist_id: `https://www.youtube.com/playlist?list=${list.id}`, playlist_subscribed: true }];
    expect((await t.staff.call('POST', '/api/playlist/', { data })).json()).toMatchObject({
      message: 'playlist subscribe task started',
    });
    await t.runner.idle();
    const found = async () => (await t.staff.call('GET', `/api/playlist/${list.id}/`)).json();
    const order = async () => (await found()).playlist_entries.map((entry: { youtube_id: string }) => entry.youtube_id);
    expect(await found()).toMatchObject({
      playlist_subscribed: true,
      playlist_name: 'The line',
      playlist_channel_id: channel.id,
    });
    expect(
      (await t.server.inject({ url: (await found()).playlist_thumbnail, headers: t.staff.headers })).headers['content-type'],
    ).toBe('image/jpeg');
    expect(await order()).toEqual(list.videoIds);
    await t.staff.call('POST', `/api/playlist/${list.id}/`, { playlist_sort_order: 'bottom' });
    expect(await order()).toEqual(list.videoIds.toReversed());
    await saveSettings({ subscriptions: { playlist_size: 2 } });
    await t.staff.call('POST', `/api/channel/${channel.id}/`, { channel_subscribed: false });
    await scan();
    expect(await queued()).toEqual(list.videoIds.toReversed().slice(0, 2));
    expect(await order()).toEqual(list.videoIds.toReversed());
  });

  test('finds a channel by its handle, and reports a missing one with the message of TubeArchivist', async () => {
    const found = await t.staff.call('GET', `/api/channel/search/?q=${encodeURIComponent(channel.handle.toUpperCase())}`);
    expect(found.json()).toMatchObject({ channel_id: channel.id, channel_subscribed: false });
    const missing = await t.staff.call('GET', '/api/channel/search/?q=@nobodyhere');
    expect([missing.statusCode, missing.json()]).toMatchObject([
      404,
      { error: 'channel not found: @nobodyhere', channel_subscribed: false },
    ]);
    expect((await t.staff.call('GET', `/api/channel/search/?q=${videos[0]!.id}`)).json().error).toBe('expected channel data');
    expect((await t.staff.call('GET', '/api/channel/search/')).statusCode).toBe(400);
  });

  test('continues a scan when one site blocks, and starts its cooldown', async () => {
    await t.staff.call('POST', `/api/channel/${channel.id}/`, { channel_subscribed: true });
    await t.app.db.updateTable('channel').set({ lastFullScanAt: null }).execute();
    t.testSite.catalogue.faults.push({ host: 'youtube.com', does: 'tooMany' });
    expect((await scan()).status).toBe('SUCCESS');
    t.testSite.catalogue.faults.length = 0;
    expect((await t.staff.call('GET', '/api/download/cooldowns/')).json()).toMatchObject([
      { site: 'youtube', failure: 'rate-limited' },
    ]);
    t.testSite.requests.length = 0;
    await scan();
    await pollFeeds(t.app);
    expect(t.testSite.requests).toEqual([]);
    expect((await channelOf()).channel_active).toBe(true);
    await t.app.db.deleteFrom('siteCooldown').execute();
  });

  test('indexes the playlists of a channel when one of their videos is archived', async () => {
    await t.staff.call('DELETE', `/api/playlist/${list.id}/`);
    const index = () => t.staff.call('POST', `/api/channel/${channel.id}/`, { channel_overwrites: { index_playlists: true } });
    await index();
    await t.runner.idle();
    expect((await t.staff.call('GET', `/api/playlist/${list.id}/`)).statusCode).toBe(404);
    await t.staff.call('POST', `/api/download/?autostart=true`, { data: [{ youtube_id: list.videoIds[3] }] });
    await t.runner.idle();
    await index();
    await t.runner.idle();
    expect((await t.staff.call('GET', `/api/playlist/?channel=${channel.id}`)).json().data).toMatchObject([
      { playlist_id: list.id },
    ]);
  });

  test('deletes a channel with its videos and files, and keeps foreign files', async () => {
    expect((await t.staff.call('DELETE', `/api/channel/${channel.id}/`)).statusCode).toBe(204);
    expect((await t.staff.call('GET', `/api/channel/${channel.id}/`)).statusCode).toBe(404);
    expect((await t.staff.call('GET', `/api/video/?channel=${channel.id}`)).json().data).toEqual([]);
    expect((await t.staff.call('DELETE', `/api/channel/${channel.id}/`)).statusCode).toBe(404);
    expect(await queueOf(t)).not.toEqual([]);
  });
});
