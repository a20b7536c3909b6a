import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { brokenPromises } from '../library/invariants.ts';
import { aChannel, aUser, aVideo, engines, testArchive, type TestArchive } from '../testing.ts';

describe.each(engines)('what several change at once, on $engine', (on) => {
  let t: TestArchive;
  let ann: Awaited<ReturnType<typeof aUser>>;
  let bob: Awaited<ReturnType<typeof aUser>>;
  const ids = Array.from({ length: 24 }, (_, n) => `together${String(n).padStart(3, '0')}`);
  const channelOf = (n: number) => `UC${String(n % 3).repeat(22)}`;
  beforeEach(async () => {
    t = await testArchive({ on, onDisk: true });
    ann = await aUser(t, { name: 'Ann', isStaff: true });
    bob = await aUser(t, { name: 'Bob', isStaff: true });
    for (const n of [0, 1, 2]) await aChannel(t.archive.db, { id: channelOf(n) });
    for (const [n, id] of ids.entries()) {
      const mediaPath = `${channelOf(n)}/${id}.mp4`;
      await aVideo(t.archive.db, { id, channelId: channelOf(n), mediaPath, sizeBytes: 4 });
      const file = join(t.archive.config.mediaFolder, mediaPath);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, 'film');
    }
  });
  afterEach(() => t.close());

  const statuses = async (asked: Promise<{ statusCode: number }>[]) => [
    ...new Set((await Promise.all(asked)).map(({ statusCode }) => statusCode)),
  ];
  const complaints = () => Array.fromAsync(brokenPromises(t.archive));

  test('every video that is put into a list comes to be in it, once', async () => {
    const list = (await ann.call('POST', '/api/playlist/custom/', { playlist_name: 'Ours' })).json().playlist_id as string;
    const put = (who: typeof ann, id: string, action = 'create') =>
      who.call('POST', `/api/playlist/custom/${list}/`, { action, video_id: id });
    const asked = ids.flatMap((id) => [put(ann, id), put(bob, id)]);
    expect(await statuses(asked)).toEqual([200]);
    const entries = async () =>
      ((await ann.call('GET', `/api/playlist/${list}/`)).json().playlist_entries as { youtube_id: string }[]).map(
        ({ youtube_id }) => youtube_id,
      );
    expect((await entries()).toSorted()).toEqual(ids);
    const moves = ids.map((id, n) => put(n % 2 ? ann : bob, id, ['up', 'down', 'top', 'bottom'][n % 4]));
    expect(await statuses(moves)).toEqual([200]);
    expect((await entries()).toSorted()).toEqual(ids);
  });

  test('deleting, watching and counting do not get in each other’s way', async () => {
    const watch = (who: typeof ann, id: string) => who.call('POST', '/api/watched/', { id, is_watched: true });
    const asked = [
      ...ids.slice(0, 12).map((id) => ann.call('DELETE', `/api/video/${id}/`)),
      ...[0, 1, 2].flatMap((n) => [watch(ann, channelOf(n)), watch(bob, channelOf(n))]),
      ...ids.slice(12).map((id) => bob.call('POST', `/api/video/${id}/progress/`, { position: 20 })),
      ...ids.slice(12).map((id) => watch(ann, id)),
    ];
    const said = await Promise.all(asked);
    expect(said.filter(({ statusCode }) => statusCode >= 400).map(({ statusCode, body }) => [statusCode, body])).toEqual([]);
    expect((await ann.call('GET', '/api/video/')).json().paginate.total_hits).toBe(12);
    expect((await ann.call('GET', '/api/stats/watch/')).json().watched.items).toBe(12);
    expect(await complaints()).toEqual([]);
  });

  test('who chooses several things one by one, and does not wait, has chosen all of them', async () => {
    const chosen = { page_size: 24, hide_watched: true, show_ignored_only: true, view_style_home: 'table', grid_items: 5 };
    const own = { download_format: 'best', autodelete_days: 9, integrate_sponsorblock: true, subscriptions_channel_size: 3 };
    const one = <T extends object>(all: T) => Object.entries(all).map(([key, value]) => ({ [key]: value }));
    const asked = [
      ...one(chosen).map((some) => ann.call('POST', '/api/user/me/', some)),
      ...one(own).map((channel_overwrites) => ann.call('POST', `/api/channel/${channelOf(0)}/`, { channel_overwrites })),
      ann.call('POST', '/api/task/schedule/run_backup/', { schedule: '0 3 *' }),
      ann.call('POST', '/api/task/schedule/run_backup/', { config: { rotate: 7 } }),
    ];
    await Promise.all(asked);
    expect((await ann.call('GET', '/api/user/me/')).json()).toMatchObject(chosen);
    expect((await ann.call('GET', `/api/channel/${channelOf(0)}/`)).json().channel_overwrites).toMatchObject(own);
  });

  test('what is deleted just then is not there, and nothing worse', async () => {
    const list = (await ann.call('POST', '/api/playlist/custom/', { playlist_name: 'Ours' })).json().playlist_id as string;
    const asked = ids.flatMap((id) => [
      bob.call('POST', `/api/video/${id}/progress/`, { position: 20 }),
      ann.call('DELETE', `/api/video/${id}/`),
      ann.call('POST', '/api/watched/', { id, is_watched: true }),
      bob.call('POST', `/api/video/${id}/progress/`, { position: 30 }),
      bob.call('DELETE', `/api/video/${id}/`),
      bob.call('POST', `/api/playlist/custom/${list}/`, { action: 'create', video_id: id }),
      ann.call('GET', `/api/video/${id}/`),
    ]);
    const said = await Promise.all(asked);
    expect(said.filter(({ statusCode }) => statusCode >= 500)).toEqual([]);
    expect((await ann.call('GET', '/api/video/')).json().paginate.total_hits).toBe(0);
    expect(await complaints()).toEqual([]);
  });
});
