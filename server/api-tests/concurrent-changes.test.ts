import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { findInconsistencies } from '../features/library/consistency/check.ts';
import { createChannel, createUser, createVideo, engines, testApp, type TestApp } from '../test-support/app.ts';

describe.each(engines)('concurrent changes, on $engine', (on) => {
  let t: TestApp;
  let ann: Awaited<ReturnType<typeof createUser>>;
  let bob: Awaited<ReturnType<typeof createUser>>;
  const ids = Array.from({ length: 24 }, (_, n) => `together${String(n).padStart(3, '0')}`);
  const channelOf = (n: number) => `UC${String(n % 3).repeat(22)}`;
  beforeEach(async () => {
    t = await testApp({ on, onDisk: true });
    ann = await createUser(t, { name: 'Ann', isStaff: true });
    bob = await createUser(t, { name: 'Bob', isStaff: true });
    for (const n of [0, 1, 2]) await createChannel(t.app.db, { id: channelOf(n) });
    for (const [n, id] of ids.entries()) {
      const mediaPath = `${channelOf(n)}/${id}.mp4`;
      await createVideo(t.app.db, { id, channelId: channelOf(n), mediaPath, sizeBytes: 4 });
      const file = join(t.app.config.mediaFolder, mediaPath);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, 'film');
    }
  });
  afterEach(() => t.close());

  const statuses = async (requests: Promise<{ statusCode: number }>[]) => [
    ...new Set((await Promise.all(requests)).map(({ statusCode }) => statusCode)),
  ];
  const findProblems = () => Array.fromAsync(findInconsistencies(t.app));

  test('adds every video to a playlist exactly once', async () => {
    const list = (await ann.call('POST', '/api/playlist/custom/', { playlist_name: 'Ours' })).json().playlist_id as string;
    await t.app.db.updateTable('playlist').set({ ownerId: null, isShared: 1 }).where('id', '=', list).execute(); // everyone's
    const sendAction = (user: typeof ann, id: string, action = 'create') =>
      user.call('POST', `/api/playlist/custom/${list}/`, { action, video_id: id });
    const requests = ids.flatMap((id) => [sendAction(ann, id), sendAction(bob, id)]);
    expect(await statuses(requests)).toEqual([200]);
    const entries = async () =>
      ((await ann.call('GET', `/api/playlist/${list}/`)).json().playlist_entries as { youtube_id: string }[]).map(
        ({ youtube_id }) => youtube_id,
      );
    expect((await entries()).toSorted()).toEqual(ids);
    const moves = ids.map((id, n) => sendAction(n % 2 ? ann : bob, id, ['up', 'down', 'top', 'bottom'][n % 4]));
    expect(await statuses(moves)).toEqual([200]);
    expect((await entries()).toSorted()).toEqual(ids);
  });

  test('deleting, watching and counting do not conflict', async () => {
    const watch = (user: typeof ann, id: string) => user.call('POST', '/api/watched/', { id, is_watched: true });
    const requests = [
      ...ids.slice(0, 12).map((id) => ann.call('DELETE', `/api/video/${id}/`)),
      ...[0, 1, 2].flatMap((n) => [watch(ann, channelOf(n)), watch(bob, channelOf(n))]),
      ...ids.slice(12).map((id) => bob.call('POST', `/api/video/${id}/progress/`, { position: 20 })),
      ...ids.slice(12).map((id) => watch(ann, id)),
    ];
    const responses = await Promise.all(requests);
    expect(responses.filter(({ statusCode }) => statusCode >= 400).map(({ statusCode, body }) => [statusCode, body])).toEqual([]);
    expect((await ann.call('GET', '/api/video/')).json().paginate.total_hits).toBe(12);
    expect((await ann.call('GET', '/api/stats/watch/')).json().watched.items).toBe(12);
    expect(await findProblems()).toEqual([]);
  });

  test('keeps all settings that are changed concurrently', async () => {
    const settings = { page_size: 24, hide_watched: true, show_ignored_only: true, view_style_home: 'table', grid_items: 5 };
    const overrides = {
      download_format: 'best',
      autodelete_days: 9,
      integrate_sponsorblock: true,
      subscriptions_channel_size: 3,
    };
    const singleFields = <T extends object>(all: T) => Object.entries(all).map(([key, value]) => ({ [key]: value }));
    const requests = [
      ...singleFields(settings).map((field) => ann.call('POST', '/api/user/me/', field)),
      ...singleFields(overrides).map((channel_overwrites) =>
        ann.call('POST', `/api/channel/${channelOf(0)}/`, { channel_overwrites }),
      ),
      ann.call('POST', '/api/task/schedule/run_backup/', { schedule: '0 3 *' }),
      ann.call('POST', '/api/task/schedule/run_backup/', { config: { rotate: 7 } }),
    ];
    await Promise.all(requests);
    expect((await ann.call('GET', '/api/user/me/')).json()).toMatchObject(settings);
    expect((await ann.call('GET', `/api/channel/${channelOf(0)}/`)).json().channel_overwrites).toMatchObject(overrides);
  });

  test('reports videos that are deleted meanwhile as not found', async () => {
    const list = (await ann.call('POST', '/api/playlist/custom/', { playlist_name: 'Ours' })).json().playlist_id as string;
    const requests = ids.flatMap((id) => [
      bob.call('POST', `/api/video/${id}/progress/`, { position: 20 }),
      ann.call('DELETE', `/api/video/${id}/`),
      ann.call('POST', '/api/watched/', { id, is_watched: true }),
      bob.call('POST', `/api/video/${id}/progress/`, { position: 30 }),
      bob.call('DELETE', `/api/video/${id}/`),
      bob.call('POST', `/api/playlist/custom/${list}/`, { action: 'create', video_id: id }),
      ann.call('GET', `/api/video/${id}/`),
    ]);
    const responses = await Promise.all(requests);
    expect(responses.filter(({ statusCode }) => statusCode >= 500)).toEqual([]);
    expect((await ann.call('GET', '/api/video/')).json().paginate.total_hits).toBe(0);
    expect(await findProblems()).toEqual([]);
  });
});
