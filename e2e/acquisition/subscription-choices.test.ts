import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { pollFeeds } from '#server/features/subscription/poll-feeds.ts';
import { runSchedules } from '#server/platform/tasks/schedule.ts';
import { aCatalogue, aChannel, aPlaylist, aVideo } from '../../test-site/builders.ts';
import type { Video } from '../../test-site/catalogue.ts';
import { createArchive, inconsistencies, hasTools, queueOf, videoOf, type TestSiteArchive } from '../support/acquisition.ts';

const count = 60;
const channel = aChannel({ name: 'Back Catalogue' });
const videos = Array.from({ length: count }, (_, n) =>
  aVideo({
    id: `catalogue${String(n).padStart(2, '0')}`,
    channelId: channel.id,
    title: `Episode ${n}`,
    durationSeconds: 4,
    published: new Date(Date.now() - (n + 1) * 86_400_000),
  }),
);
const list = aPlaylist({ channelId: channel.id, title: 'Best of', videoIds: videos.slice(0, 3).map(({ id }) => id) });

describe.runIf(hasTools)('subscription choices', () => {
  let t: TestSiteArchive;
  beforeAll(async () => {
    t = await createArchive(aCatalogue({ channels: [channel], videos: [...videos], playlists: [list] }));
    await t.staff.call('POST', '/api/appsettings/config/', { subscriptions: { extract_flat: true } });
  });
  afterAll(() => t.close());
  afterEach(async () => expect(await inconsistencies(t)).toEqual([]));
  const subscribe = async (choices: object) => {
    await t.staff.call('DELETE', '/api/download/?filter=pending');
    const data = [{ channel_id: channel.handle, channel_subscribed: true }];
    await t.staff.call('POST', '/api/channel/', { data, ...choices });
    await t.runner.idle();
  };
  const total = async () => (await t.staff.call('GET', '/api/download/?filter=pending')).json().paginate.total_hits as number;
  const runDownloadSchedule = async () => {
    await t.staff.call('POST', '/api/task/schedule/download_pending/', { schedule: 'auto' });
    await t.app.db.updateTable('schedule').set({ nextAt: 1000 }).where('name', '=', 'download_pending').execute();
    await runSchedules(t.app);
    await t.runner.idle();
  };
  const scanAll = async () => {
    await t.app.db.updateTable('channel').set({ lastFullScanAt: null, backCatalogue: null }).execute();
    await t.staff.call('POST', '/api/task/by-name/update_subscribed/');
    await t.runner.idle();
  };

  test('queues no existing videos without the back catalogue, and downloads a new upload', async () => {
    await subscribe({ auto_start: true, back_catalogue: 'none' });
    expect(await total()).toBe(0);
    await scanAll();
    expect(await total()).toBe(0);
    const fresh = aVideo({ id: 'freshEpis01', channelId: channel.id, title: 'Fresh', published: new Date(), durationSeconds: 4 });
    t.testSite.catalogue.videos.push(fresh);
    await pollFeeds(t.app);
    await t.runner.idle();
    expect(await queueOf(t)).toEqual([]);
    expect(await videoOf(t, fresh.id)).not.toBeNull();
  });

  test('downloads videos in list-only mode not by schedule, but on request', async () => {
    await subscribe({ auto_start: false, back_catalogue: 'newest' });
    expect(await total()).toBe(49); // the newest 50; one of them is archived
    await runDownloadSchedule();
    expect(await total()).toBe(49);
    const [first] = await queueOf(t);
    await t.staff.call('POST', `/api/download/${first!.youtube_id}/`, { status: 'priority' });
    await t.runner.idle();
    expect(await videoOf(t, first!.youtube_id)).not.toBeNull();
  });

  test('does not bring back a deleted video, reports that once, and adds it by its URL', async () => {
    await t.staff.call('DELETE', '/api/download/?filter=pending');
    const [archived] = (await t.staff.call('GET', '/api/video/')).json().data as { youtube_id: string }[];
    const id = archived!.youtube_id;
    expect((await t.staff.call('DELETE', `/api/video/${id}/`)).statusCode).toBe(204);
    const notesOfScan = async () => {
      await t.staff.call('POST', '/api/task/by-name/update_subscribed/');
      await t.runner.idle();
      const [run] = (await t.staff.call('GET', '/api/task/runs/?name=update_subscribed')).json().data as { id: string }[];
      return (await t.staff.call('GET', `/api/task/runs/${run!.id}/`)).json().notes as { kind: string; youtube_id: string }[];
    };
    const readTabsAgain = (days: number) =>
      t.app.db
        .updateTable('channel')
        .set({ lastFullScanAt: t.app.now() - days * 86_400 })
        .execute();
    await readTabsAgain(8);
    expect(await notesOfScan()).toContainEqual(expect.objectContaining({ kind: 'left-out', youtube_id: id }));
    expect(await videoOf(t, id)).toBeNull();
    await t.app.db
      .updateTable('seenEntry')
      .set({ deletedAt: t.app.now() - 9 * 86_400 })
      .where('videoId', '=', id)
      .execute();
    await readTabsAgain(8);
    expect(await notesOfScan()).not.toContainEqual(expect.objectContaining({ youtube_id: id }));
    await t.staff.call('POST', '/api/download/?autostart=true', { data: [{ youtube_id: id }] });
    await t.runner.idle();
    expect(await videoOf(t, id)).not.toBeNull();
    await t.staff.call('DELETE', '/api/download/?filter=pending');
  });

  test('queues events of new, archived and failed videos', async () => {
    for (const task_name of ['subscription.new', 'video.archived', 'video.failed']) {
      const url = 'jsons://hooks.example/reelkeep';
      expect((await t.staff.call('POST', '/api/task/notification/', { task_name, url })).statusCode).toBe(200);
    }
    const [fresh, broken] = ['freshEpis02', 'freshEpis03'].map((id) =>
      aVideo({ id, channelId: channel.id, title: `Title of ${id}`, published: new Date(), durationSeconds: 4 }),
    ) as [Video, Video];
    broken.fails = 'removedByUploader';
    t.testSite.catalogue.videos.push(fresh, broken);
    await t.staff.call('POST', '/api/task/by-name/update_subscribed/');
    await t.runner.idle();
    for (const { id } of [fresh, broken]) await t.staff.call('POST', `/api/download/${id}/`, { status: 'priority' });
    await t.runner.idle();
    const messages = (await t.app.db.selectFrom('outbox').select('message').execute()).map(({ message }) => JSON.parse(message));
    const dataOf = (event: string) => messages.filter((one) => one.event === event).map(({ data }) => data);
    const videoRef = ({ id, title }: { id: string; title: string }) => ({ id, title });
    expect(dataOf('subscription.new')).toEqual([
      {
        subscription: { kind: 'channel', id: channel.id, name: channel.name },
        count: expect.any(Number),
        videos: expect.arrayContaining([videoRef(fresh), videoRef(broken)]),
      },
    ]);
    expect(dataOf('video.archived')).toContainEqual({
      video: expect.objectContaining({ ...videoRef(fresh), kind: 'videos', duration_seconds: expect.closeTo(4, 0) }),
      channel: { id: channel.id, name: channel.name },
    });
    expect(dataOf('video.failed')).toEqual([
      expect.objectContaining({ video: videoRef(broken), failure: 'gone', reason: expect.stringMatching(/removed/i) }),
    ]);
    await t.staff.call('DELETE', '/api/download/?filter=pending');
    for (const id of [fresh.id, broken.id])
      t.testSite.catalogue.videos.splice(
        t.testSite.catalogue.videos.findIndex((one) => one.id === id),
        1,
      );
  });

  test('queues the whole back catalogue', async () => {
    const archived = (await Promise.all(videos.map(({ id }) => videoOf(t, id)))).filter(Boolean).length;
    await subscribe({ auto_start: false, back_catalogue: 'all' });
    expect(await total()).toBe(count - archived); // those downloaded above
  });

  test('changes the choice of a channel later', async () => {
    const choose = (subscriptions_auto_start: boolean | null) =>
      t.staff.call('POST', `/api/channel/${channel.id}/`, { channel_overwrites: { subscriptions_auto_start } });
    expect((await choose(true)).json().channel_overwrites).toMatchObject({ subscriptions_auto_start: true });
    expect((await choose(null)).json().channel_overwrites).toMatchObject({ subscriptions_auto_start: null });
  });

  test('subscribes to a playlist without its existing videos', async () => {
    await t.staff.call('DELETE', '/api/download/?filter=pending');
    const data = [{ playlist_id: list.id, playlist_subscribed: true }];
    await t.staff.call('POST', '/api/playlist/', { data, auto_start: false, back_catalogue: 'none' });
    await t.runner.idle();
    expect(await total()).toBe(0);
    expect((await t.staff.call('GET', `/api/playlist/${list.id}/`)).json()).toMatchObject({ playlist_auto_start: false });
  });
});
