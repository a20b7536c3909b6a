import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { watchFeeds } from '#server/channel/watch-feeds.ts';
import { engines } from '#server/testing.ts';
import { aCatalogue, aChannel, aPlaylist, aVideo } from '#standin/builders.ts';
import { anArchiveWith, complaints, hasTools, queueOf, type Acquiring } from './acquiring.ts';

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
  let t: Acquiring;
  beforeAll(async () => {
    t = await anArchiveWith(aCatalogue({ channels: [channel, quiet], videos: [...videos, short], playlists: [list] }), { on });
    await settings({ subscriptions: { channel_size: 12, extract_flat: true } });
  });
  afterAll(() => t.close());
  afterEach(async () => expect(await complaints(t)).toEqual([]));
  const settings = (some: object) => t.staff.call('POST', '/api/appsettings/config/', some);
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
  const forget = () => t.staff.call('DELETE', '/api/download/?filter=pending');

  test('channels are subscribed to by handle, address or one of their videos, many at once, and strange words are told', async () => {
    const data = [
      { channel_id: `https://www.youtube.com/watch?v=${videos[3]!.id}`, channel_subscribed: true },
      { channel_id: `${quiet.handle} nonsense!`, channel_subscribed: true },
    ];
    const answer = await t.staff.call('POST', '/api/channel/', { data });
    expect(answer.json()).toEqual({ data });
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
    expect(task.messages.join('\n')).toContain('nonsense!: Not understood');
  });

  test('the first scan takes as many of each kind as the settings say, newest first, each as what it is', async () => {
    expect(await scan()).toMatchObject({ status: 'SUCCESS', result: 'Found 13 videos to add to the queue.' });
    expect(await queued()).toEqual(videos.slice(0, 12).map(({ id }) => id));
    expect(await total()).toBe(13);
    expect((await t.staff.call('GET', `/api/download/${short.id}/`)).json().vid_type).toBe('shorts');
    expect((await channelOf()).channel_tabs).toEqual(['videos', 'shorts']);
  });

  test('a second scan asks the small feed alone, and adds nothing twice', async () => {
    t.standin.requests.length = 0;
    expect(await scan()).toMatchObject({ status: 'SUCCESS', result: null });
    const asked = t.standin.requests.map(({ path }) => path.split('?')[0]);
    expect(asked).toContain('/feeds/videos.xml');
    expect(asked.filter((path) => path !== '/feeds/videos.xml')).toEqual([]);
  });

  test('what is uploaded shows in the feed, and is queued without a schedule', async () => {
    const fresh = aVideo({ id: 'freshTrain1', channelId: channel.id, title: 'Fresh', published: new Date(), durationSeconds: 4 });
    t.standin.catalogue.videos.push(fresh);
    await watchFeeds(t.archive);
    await t.runner.idle();
    expect((await t.staff.call('GET', `/api/download/${fresh.id}/`)).statusCode).toBe(200);
  });

  test('ignored stays ignored, and what was forgotten comes again', async () => {
    await t.staff.call('POST', `/api/download/${videos[0]!.id}/`, { status: 'ignore' });
    await t.archive.db.updateTable('channel').set({ listedAt: null }).execute();
    await t.staff.call('DELETE', `/api/download/${videos[1]!.id}/`);
    await scan();
    expect(await queued()).not.toContain(videos[0]!.id);
    expect(await total()).toBe(13);
    expect((await t.staff.call('GET', `/api/download/${videos[1]!.id}/`)).statusCode).toBe(200);
  });

  test("a channel's own sizes go before those for all, and 0 leaves a kind out", async () => {
    await forget();
    const overwrites = { subscriptions_channel_size: 3, subscriptions_shorts_channel_size: 0 };
    const answer = await t.staff.call('POST', `/api/channel/${channel.id}/`, { channel_overwrites: overwrites });
    expect(answer.json().channel_overwrites).toMatchObject({ ...overwrites, download_format: null });
    await t.archive.db.updateTable('channel').set({ listedAt: null }).execute();
    await scan();
    expect(await total()).toBe(2); // three of which one is ignored, plus the fresh one, and no short
    const strange = await t.staff.call('POST', `/api/channel/${channel.id}/`, { channel_overwrites: { no_such: 1 } });
    expect(strange.statusCode).toBe(400);
    await t.staff.call('POST', `/api/channel/${channel.id}/`, {
      channel_overwrites: { subscriptions_channel_size: null, subscriptions_shorts_channel_size: null },
    });
    expect((await channelOf()).channel_overwrites).toBeUndefined();
  });

  test('rules leave out what is not wanted, and it is not asked for again', async () => {
    await forget();
    await settings({ rules: { title_exclude: '/^timetable/', min_seconds: 7 } });
    await t.archive.db.updateTable('channel').set({ listedAt: null }).execute();
    await scan();
    const ids = await queued();
    expect(ids).not.toContain(videos[10]!.id); // a timetable
    expect(ids).not.toContain(videos[2]!.id); // six seconds
    expect(ids).toContain(videos[4]!.id);
    t.standin.requests.length = 0;
    await scan();
    expect(t.standin.requests.every(({ path }) => path.startsWith('/feeds/'))).toBe(true);
    await settings({ rules: { title_exclude: null, min_seconds: null } });
  });

  test('a channel that is gone is marked only when its site says so again on another day, and comes back', async () => {
    const there = t.standin.catalogue.channels.find(({ id }) => id === quiet.id)!;
    there.gone = 'terminated';
    await t.archive.db.updateTable('channel').set({ listedAt: null }).execute();
    await scan();
    expect((await channelOf(quiet.id)).channel_active).toBe(true);
    await scan();
    expect((await channelOf(quiet.id)).channel_active).toBe(true);
    await t.archive.db
      .updateTable('channel')
      .set({ goneSince: t.archive.now() - 21 * 3600 })
      .where('id', '=', quiet.id)
      .execute();
    await scan();
    expect((await channelOf(quiet.id)).channel_active).toBe(false);
    delete there.gone;
    await scan();
    expect((await channelOf(quiet.id)).channel_active).toBe(true);
  });

  test('a playlist is subscribed to, keeps its order, and turns around', async () => {
    await forget();
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
      (await t.app.inject({ url: (await found()).playlist_thumbnail, headers: t.staff.headers })).headers['content-type'],
    ).toBe('image/jpeg');
    expect(await order()).toEqual(list.videoIds);
    await t.staff.call('POST', `/api/playlist/${list.id}/`, { playlist_sort_order: 'bottom' });
    expect(await order()).toEqual(list.videoIds.toReversed());
    await settings({ subscriptions: { playlist_size: 2 } });
    await t.staff.call('POST', `/api/channel/${channel.id}/`, { channel_subscribed: false });
    await scan();
    expect(await queued()).toEqual(list.videoIds.toReversed().slice(0, 2));
    expect(await order()).toEqual(list.videoIds.toReversed());
  });

  test('a channel is found by its handle, and one that is not here is said so in the words that clients read', async () => {
    const found = await t.staff.call('GET', `/api/channel/search/?q=${encodeURIComponent(channel.handle.toUpperCase())}`);
    expect(found.json()).toMatchObject({ channel_id: channel.id, channel_subscribed: false });
    const none = await t.staff.call('GET', '/api/channel/search/?q=@nobodyhere');
    expect([none.statusCode, none.json()]).toEqual([404, { error: 'channel not found: @nobodyhere', channel_subscribed: false }]);
    expect((await t.staff.call('GET', `/api/channel/search/?q=${videos[0]!.id}`)).json().error).toBe('expected channel data');
    expect((await t.staff.call('GET', '/api/channel/search/')).statusCode).toBe(400);
  });

  test('one site that turns us away does not fail the scan, and is left alone', async () => {
    await t.staff.call('POST', `/api/channel/${channel.id}/`, { channel_subscribed: true });
    await t.archive.db.updateTable('channel').set({ listedAt: null }).execute();
    t.standin.catalogue.faults.push({ host: 'youtube.com', does: 'tooMany' });
    expect((await scan()).status).toBe('SUCCESS');
    t.standin.catalogue.faults.length = 0;
    expect((await t.staff.call('GET', '/api/download/pauses/')).json()).toMatchObject([
      { site: 'youtube', failure: 'rate-limited' },
    ]);
    t.standin.requests.length = 0;
    await scan();
    await watchFeeds(t.archive);
    expect(t.standin.requests).toEqual([]);
    expect((await channelOf()).channel_active).toBe(true);
    await t.archive.db.deleteFrom('sitePause').execute();
  });

  test('the playlists of a channel are indexed when something of them is archived', async () => {
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

  test('a channel is deleted with its videos and files; a file that is not ours stays', async () => {
    expect((await t.staff.call('DELETE', `/api/channel/${channel.id}/`)).statusCode).toBe(204);
    expect((await t.staff.call('GET', `/api/channel/${channel.id}/`)).statusCode).toBe(404);
    expect((await t.staff.call('GET', `/api/video/?channel=${channel.id}`)).json().data).toEqual([]);
    expect((await t.staff.call('DELETE', `/api/channel/${channel.id}/`)).statusCode).toBe(404);
    expect(await queueOf(t)).not.toEqual([]);
  });
});
