import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aCatalogue, aChannel, aPlaylist, aVideo } from '../../test-site/builders.ts';
import { add, createArchive, eventually, hasTools, type TestSiteArchive } from '../support/acquisition.ts';

const long = aChannel({ name: 'Endless' });
const many = Array.from({ length: 400 }, (_, n) => aVideo({ id: `endless${String(n).padStart(4, '0')}`, channelId: long.id }));
const mixed = aChannel({ name: 'Mixed' });
const free = aVideo({ id: 'freeVideo01', channelId: mixed.id, title: 'Free', durationSeconds: 4 });
const paid = aVideo({ id: 'paidVideo01', channelId: mixed.id, title: 'For members', fails: 'members' });
const list = aPlaylist({ channelId: mixed.id, title: 'Mixed list', videoIds: [free.id] });

describe.runIf(hasTools)('long and mixed listings', () => {
  let t: TestSiteArchive;
  beforeAll(async () => {
    t = await createArchive(aCatalogue({ channels: [long, mixed], videos: [...many, free, paid], playlists: [list] }));
  });
  afterAll(() => t.close());
  const total = async (query = '?filter=pending') =>
    (await t.staff.call('GET', `/api/download/${query}`)).json().paginate.total_hits;

  test('resumes a stopped listing and enqueues everything once', async () => {
    const data = [{ youtube_id: `${long.handle}/videos`, status: 'pending' }];
    const startListing = async () => (await t.staff.call('POST', '/api/download/?flat=true', { data })).json().task_id as string;
    const id = await startListing();
    await eventually(async () => (await total()) >= 90);
    expect((await t.staff.call('POST', `/api/task/by-id/${id}/`, { command: 'stop' })).statusCode).toBe(204);
    await t.runner.idle();
    const before = await total();
    expect(before).toBeLessThan(400);
    const row = await t.app.db.selectFrom('listingPosition').selectAll().executeTakeFirstOrThrow();
    expect(row.position).toBeGreaterThanOrEqual(90);
    const secondTask = await startListing();
    await t.runner.idle();
    expect(await total()).toBe(400);
    expect((await t.staff.call('GET', `/api/task/by-id/${secondTask}/`)).json().result).toBe(
      `Added ${400 - before} videos to the queue.`,
    );
    expect(await t.app.db.selectFrom('listingPosition').selectAll().execute()).toEqual([]);
    await t.staff.call('DELETE', '/api/download/?filter=pending');
  });

  test.each([
    ['by the data of the listing', true],
    ['by the metadata of the video', false],
  ])('skips members-only videos %s', async (_, isFlat) => {
    await t.staff.call('DELETE', '/api/download/?filter=pending');
    await t.app.db.updateTable('channel').set({ lastFullScanAt: null }).execute();
    if (!isFlat) mixed.layout = 'lockup'; // the newer listing format has less data
    await t.staff.call('POST', '/api/appsettings/config/', {
      rules: { skip_members_only: true },
      subscriptions: { extract_flat: isFlat },
    });
    await t.staff.call('POST', '/api/channel/', { data: [{ channel_id: mixed.id, channel_subscribed: true }] });
    await t.runner.idle();
    await t.staff.call('POST', '/api/task/by-name/update_subscribed/');
    await t.runner.idle();
    const { data } = (await t.staff.call('GET', '/api/download/?filter=pending')).json();
    expect(data.map((item: { youtube_id: string }) => item.youtube_id)).toEqual([free.id]);
  });

  test('indexes playlists of a channel when one of its videos is archived', async () => {
    await t.staff.call('POST', `/api/channel/${mixed.id}/`, { channel_overwrites: { index_playlists: true } });
    await t.runner.idle();
    const lists = async () =>
      (await t.staff.call('GET', `/api/playlist/?channel=${mixed.id}`)).json().data as { playlist_id: string }[];
    expect(await lists()).toEqual([]);
    await add(t, free.id);
    expect(await lists()).toMatchObject([{ playlist_id: list.id }]);
  });
});
