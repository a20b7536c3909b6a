import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as row from '#server/testing.ts';
import { aCatalogue, aChannel, aClip, aPlaylist, aVideo } from '#standin/builders.ts';
import { anArchiveWith, hasTools, type Acquiring } from './acquiring.ts';

// How many of the newest a scan looks at: a number, none, or all.

const day = 86_400_000;
const channel = aChannel({ name: 'Long Lines' });
const elsewhere = aChannel({ name: 'Other Lines' });
const some = (channelId: string, name: string) =>
  Array.from({ length: 60 }, (_, n) =>
    aVideo({
      id: `${name}${String(n).padStart(3, '0')}`,
      channelId,
      durationSeconds: 4,
      published: new Date(Date.now() - (n + 1) * day),
    }),
  );
const uploads = some(channel.id, 'longLine');
const listed = some(elsewhere.id, 'listLine');
const list = aPlaylist({ channelId: elsewhere.id, title: 'All of it', videoIds: listed.map(({ id }) => id) });

const clip = aClip({ title: 'Of another site', durationSeconds: 4 });
describe.runIf(hasTools)('how much a scan looks at', () => {
  let t: Acquiring;
  beforeAll(async () => {
    t = await anArchiveWith(
      aCatalogue({ channels: [channel, elsewhere], videos: [...uploads, ...listed], playlists: [list], clips: [clip] }),
    );
    await settings({ extract_flat: true });
  });
  afterAll(() => t.close());
  const settings = async (subscriptions: object) => {
    const answer = await t.staff.call('POST', '/api/appsettings/config/', { subscriptions });
    expect([answer.statusCode, answer.json().subscriptions]).toMatchObject([200, subscriptions]);
  };
  const found = async () => {
    await t.staff.call('POST', '/api/task/by-name/update_subscribed/');
    await t.runner.idle();
    return (await t.staff.call('GET', '/api/download/?filter=pending')).json().paginate.total_hits as number;
  };

  test('a channel is looked through whole where the size is empty, also when it was smaller before', async () => {
    const data = [{ channel_id: channel.id, channel_subscribed: true }];
    await t.staff.call('POST', '/api/channel/', { data });
    await t.runner.idle();
    await t.staff.call('POST', `/api/channel/${channel.id}/`, { channel_overwrites: { subscriptions_channel_size: 35 } });
    expect(await found()).toBe(35);
    await t.staff.call('POST', `/api/channel/${channel.id}/`, { channel_overwrites: { subscriptions_channel_size: null } });
    expect(await found()).toBe(50);
    await settings({ channel_size: null, live_channel_size: null, shorts_channel_size: null });
    expect(await found()).toBe(60);
    await t.staff.call('DELETE', '/api/download/?filter=pending');
    await t.staff.call('POST', `/api/channel/${channel.id}/`, { channel_subscribed: false });
  });

  test('a playlist is looked through whole where the size is empty', async () => {
    await t.staff.call('POST', '/api/playlist/', { data: [{ playlist_id: list.id, playlist_subscribed: true }] });
    await t.runner.idle();
    await settings({ playlist_size: 5 });
    expect(await found()).toBe(5);
    await settings({ playlist_size: null });
    expect(await found()).toBe(60);
    await t.staff.call('DELETE', '/api/download/?filter=pending');
    await t.staff.call('POST', `/api/playlist/${list.id}/`, { playlist_subscribed: false });
  });

  test('0 leaves out the videos of other sites too', async () => {
    await settings({ channel_size: 0 });
    await row.aChannel(t.archive.db, {
      id: 'clips.somebody',
      site: 'clips',
      url: `https://clips.example/watch/${clip.slug}`,
      isSubscribed: 1,
    });
    expect(await found()).toBe(0);
    await settings({ channel_size: null });
    expect(await found()).toBe(1);
  });
});
