import { afterEach, describe, expect, test } from 'vitest';
import { createUser, engines } from '../../test-support/app.ts';
import { problemIds, setUp, type FakeKind, type Setup } from '../../test-support/media-servers/set-up.ts';
import { syncMediaServers } from './sync-server.ts';

let s: Setup;
afterEach(async () => {
  expect(s.fake.rejected).toEqual([]);
  await s.close();
});

const all = ['aaaaaaaaaa1', 'aaaaaaaaaa2', 'aaaaaaaaaa3'];

async function createPlaylist(ids: string[], name = 'Evening'): Promise<string> {
  const { playlist_id: id } = await s.call<{ playlist_id: string }>('POST', '/api/playlist/custom/', { playlist_name: name });
  for (const video of ids) await edit(id, 'create', video);
  return id;
}
const edit = (id: string, action: string, video: string) =>
  s.call('POST', `/api/playlist/custom/${id}/`, { action, video_id: video });

/** The playlists of the server, with the titles of their items. */
const pushed = () =>
  s.fake.playlists.map(({ name, entries }) => [name, entries.map(({ itemId }) => s.fake.findItem(itemId)!.title).join(' ')]);
const texts = ({ lines }: Awaited<ReturnType<Setup['sync']>>) => lines.map(({ kind, text }) => `${kind}: ${text}`);

async function start(kind: FakeKind, options: Parameters<typeof setUp>[1] = {}) {
  s = await setUp(kind, options);
  const playlist = await createPlaylist(all);
  const { id } = await s.add({ persons: [s.person], playlists: [playlist] });
  return { id, playlist };
}

describe.each(['jellyfin', 'emby', 'plex'] satisfies FakeKind[])('playlists of %s', (kind) => {
  test('are created, added to, removed from, reordered, renamed and deleted', async () => {
    const { id, playlist } = await start(kind);
    // A playlist of a user of the server.
    s.fake.playlists.push({ id: '1', name: 'Own', user: s.fake.userId, entries: [] });
    expect(await s.sync(id)).toMatchObject({ playlists: 1, problems: 0 });
    expect(pushed()).toEqual([
      ['Own', ''],
      ['Evening', 'One Two Three'],
    ]);
    const remote = s.fake.playlists[1]!.id;
    s.fake.take();
    await s.sync(id);
    expect(s.fake.take().filter((line) => !line.startsWith('GET'))).toEqual([]);

    await edit(playlist, 'top', 'aaaaaaaaaa3');
    expect(texts(await s.sync(id))).toEqual(['playlist: 0 added, 0 removed, 1 moved']);
    expect(pushed()[1]).toEqual(['Evening', 'Three One Two']);
    await edit(playlist, 'remove', 'aaaaaaaaaa1');
    await s.sync(id);
    expect(pushed()[1]).toEqual(['Evening', 'Three Two']);
    await edit(playlist, 'create', 'aaaaaaaaaa1');
    await edit(playlist, 'top', 'aaaaaaaaaa1');
    await s.t.app.db.updateTable('playlist').set({ name: 'Late' }).where('id', '=', playlist).execute();
    expect(texts(await s.sync(id))).toEqual(['playlist: Renamed', 'playlist: 1 added, 0 removed, 1 moved']);
    expect(pushed()[1]).toEqual(['Late', 'One Three Two']);
    expect(s.fake.playlists[1]!.id).toBe(remote);

    await s.call('DELETE', `/api/playlist/${playlist}/`);
    await s.sync(id);
    expect(pushed()).toEqual([['Own', '']]);
    expect((await s.read(id)).playlists).toEqual([]);
  });

  test('get back what was changed on the server', async () => {
    const { id } = await start(kind);
    await s.sync(id);
    const [remote] = s.fake.playlists;
    remote!.entries.reverse();
    remote!.entries.pop();
    await s.sync(id);
    expect(pushed()).toEqual([['Evening', 'One Two Three']]);
  });

  test('that were deleted on the server are created once more, not again and again', async () => {
    const { id, playlist } = await start(kind);
    s.fake.expectRejections(/./);
    await s.sync(id);
    s.fake.playlists.splice(0);
    await s.sync(id);
    expect(pushed()).toEqual([['Evening', 'One Two Three']]);
    s.fake.playlists.splice(0);
    await s.sync(id);
    expect(problemIds((await s.read(id)).playlists[0]!)).toEqual(['media-server.playlist-deleted-there']);
    s.fake.take();
    for (let times = 0; times < 3; times++) await s.sync(id);
    expect(s.fake.take().filter((line) => /playlists/i.test(line))).toEqual([]);
    // Chosen again.
    await s.change(id, { playlists: [] });
    await s.sync(id);
    await s.change(id, { playlists: [playlist] });
    await s.sync(id);
    expect(pushed()).toEqual([['Evening', 'One Two Three']]);
  });

  test('are not sent again and again if the server does not accept an item', async () => {
    const { id } = await start(kind);
    await s.sync(id);
    const { itemId } = s.fake.playlists[0]!.entries.pop()!;
    s.fake.fail({ kind: 'status', status: 200 }, new RegExp(`(POST|PUT) /Playlists/.*${itemId}`, 'i'));
    await s.sync(id);
    s.fake.take();
    for (let times = 0; times < 3; times++) expect(await s.sync(id)).toMatchObject({ playlists: 0 });
    expect(s.fake.take().filter((line) => !line.startsWith('GET'))).toEqual([]);
  });

  test('are only reported in a dry run', async () => {
    const { id } = await start(kind);
    expect(texts(await s.sync(id, true))).toEqual(['playlist: Created with 3 videos']);
    expect(pushed()).toEqual([]);
  });

  test('need a person', async () => {
    s = await setUp(kind);
    const playlist = await createPlaylist(all);
    const { id } = await s.add({ persons: [], playlists: [playlist] });
    await s.sync(id);
    expect(problemIds((await s.read(id)).playlists[0]!)).toEqual(['media-server.playlist-person']);
    await s.change(id, { persons: [s.person] });
    s.clock.seconds += 900;
    await syncMediaServers(s.t.app, new AbortController().signal);
    expect((await s.read(id)).playlists[0]!.problem).toBeNull();
    expect(pushed()).toHaveLength(1);
  });
});

test('a playlist that its owner made private is deleted on the server', async () => {
  s = await setUp('jellyfin');
  const bob = await createUser(s.t);
  const body = { playlist_name: 'Of Bob', is_shared: true };
  const list = (await bob.call('POST', '/api/playlist/custom/', body)).json().playlist_id as string;
  const add = (video_id: string) => bob.call('POST', `/api/playlist/custom/${list}/`, { action: 'create', video_id });
  await add(all[0]!);
  const { id } = await s.add({ persons: [s.person], playlists: [list] });
  await s.sync(id);
  expect(pushed()).toEqual([['Of Bob', 'One']]);
  await bob.call('POST', `/api/playlist/custom/${list}/sharing/`, { is_shared: false });
  await add(all[1]!);
  await s.sync(id);
  expect(pushed()).toEqual([]);
  expect((await s.read(id)).playlists).toEqual([]);
});

test('API keys of Jellyfin, which may not change playlists, replace them', async () => {
  const { id, playlist } = await start('jellyfin', { isApiKey: true });
  s.fake.expectRejections(/./);
  await s.sync(id);
  await edit(playlist, 'top', 'aaaaaaaaaa3');
  expect(await s.sync(id)).toMatchObject({ playlists: 1, problems: 0 });
  expect(pushed()).toEqual([['Evening', 'Three One Two']]);
  await s.t.app.db.updateTable('playlist').set({ name: 'Late' }).execute();
  await s.sync(id);
  expect(pushed()).toEqual([['Late', 'Three One Two']]);
  expect(s.fake.playlists).toHaveLength(1);
});

describe.each(engines)('long playlists on $engine', (on) => {
  test('are pushed in parts, and recreated instead of moving hundreds of videos', async () => {
    s = await setUp('jellyfin', { on });
    const { db } = s.t.app;
    const ids = Array.from({ length: 250 }, (_, number) => `bbbbbbbb${String(number).padStart(3, '0')}`);
    for (const video of ids) {
      await s.addVideo(video, video);
      s.fake.addItem(s.library, `/media/B/${video}.mp4`, { title: video, youtubeId: video });
    }
    const playlist = await createPlaylist([], 'Long');
    const fill = async (list: string[]) => {
      await db.deleteFrom('playlistEntry').where('playlistId', '=', playlist).execute();
      for (const [position, videoId] of list.entries())
        await db
          .insertInto('playlistEntry')
          .values({ playlistId: playlist, position, videoId, title: videoId, uploader: null })
          .execute();
    };
    await fill(ids);
    const { id } = await s.add({ persons: [s.person], playlists: [playlist] });
    await s.sync(id);
    expect(pushed()).toEqual([['Long', ids.join(' ')]]);
    await fill(ids.toReversed());
    s.fake.take();
    await s.sync(id);
    expect(pushed()).toEqual([['Long', ids.toReversed().join(' ')]]);
    expect(s.fake.take().length).toBeLessThan(20);
  });
});
