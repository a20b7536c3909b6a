import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as row from '#server/test-support/app.ts';
import { aCatalogue, aChannel, aClip, aPlaylist, aVideo } from '../../test-site/builders.ts';
import { createArchive, hasTools, type TestSiteArchive } from '../support/acquisition.ts';

// Number of newest videos that a scan reads: a limit, none (0), or all (empty).

const day = 86_400_000;
const channel = aChannel({ name: 'Long Lines' });
const otherChannel = aChannel({ name: 'Other Lines' });
const createVideos = (channelId: string, name: string) =>
  Array.from({ length: 60 }, (_, n) =>
    aVideo({
      id: `${name}${String(n).padStart(3, '0')}`,
      channelId,
      durationSeconds: 4,
      published: new Date(Date.now() - (n + 1) * day),
    }),
  );
const uploads = createVideos(channel.id, 'longLine');
const listed = createVideos(otherChannel.id, 'listLine');
const list = aPlaylist({ channelId: otherChannel.id, title: 'All of it', videoIds: listed.map(({ id }) => id) });

const clip = aClip({ title: 'Of another site', durationSeconds: 4 });
describe.runIf(hasTools)('scan limits', () => {
  let t: TestSiteArchive;
  beforeAll(async () => {
    t = await createArchive(
      aCatalogue({ channels: [channel, otherChannel], videos: [...uploads, ...listed], playlists: [list], clips: [clip] }),
    );
    await saveSettings({ extract_flat: true });
  });
  afterAll(() => t.close());
  const saveSettings = async (subscriptions: object) => {
    const response = await t.staff.call('POST', '/api/appsettings/config/', { subscriptions });
    expect([response.statusCode, response.json().subscriptions]).toMatchObject([200, subscriptions]);
  };
  const countFound = async () => {
    await t.staff.call('POST', '/api/task/by-name/update_subscribed/');
    await t.runner.idle();
    return (await t.staff.call('GET', '/api/download/?filter=pending')).json().paginate.total_hits as number;
  };

  test('scans a whole channel when the limit is empty, also if it was lower before', async () => {
    const data = [{ channel_id: channel.id, channel_subscribed: true }];
    await t.staff.call('POST', '/api/channel/', { data });
    await t.runner.idle();
    await t.staff.call('POST', `/api/channel/${channel.id}/`, { channel_overwrites: { subscriptions_channel_size: 35 } });
    expect(await countFound()).toBe(35);
    await t.staff.call('POST', `/api/channel/${channel.id}/`, { channel_overwrites: { subscriptions_channel_size: null } });
    expect(await countFound()).toBe(50);
    await saveSettings({ channel_size: null, live_channel_size: null, shorts_channel_size: null });
    expect(await countFound()).toBe(60);
    await t.staff.call('DELETE', '/api/download/?filter=pending');
    await t.staff.call('POST', `/api/channel/${channel.id}/`, { channel_subscribed: false });
  });

  test('scans a whole playlist when the limit is empty', async () => {
    await t.staff.call('POST', '/api/playlist/', { data: [{ playlist_id: list.id, playlist_subscribed: true }] });
    await t.runner.idle();
    await saveSettings({ playlist_size: 5 });
    expect(await countFound()).toBe(5);
    await saveSettings({ playlist_size: null });
    expect(await countFound()).toBe(60);
    await t.staff.call('DELETE', '/api/download/?filter=pending');
    await t.staff.call('POST', `/api/playlist/${list.id}/`, { playlist_subscribed: false });
  });

  test('limit 0 skips videos of other sites too', async () => {
    await saveSettings({ channel_size: 0 });
    await row.createChannel(t.app.db, {
      id: 'clips.somebody',
      site: 'clips',
      url: `https://clips.example/watch/${clip.slug}`,
      isSubscribed: 1,
    });
    expect(await countFound()).toBe(0);
    await saveSettings({ channel_size: null });
    expect(await countFound()).toBe(1);
  });
});
