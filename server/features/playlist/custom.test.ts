import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { refreshPending } from '../../archive/video-json/refresh-response-cache.ts';
import { indexPending } from '../search/index/index-pending.ts';
import { createUser, createVideo, engines, testApp, type TestApp } from '../../test-support/app.ts';
import { placeholderImage } from '../../platform/http/files/placeholder-image.ts';
import { thumbnailPath } from '../../archive/storage/thumbnail-path.ts';

describe.each(engines)('custom playlists, on $engine', (on) => {
  let t: TestApp;
  let ann: Awaited<ReturnType<typeof createUser>>;
  let staff: Awaited<ReturnType<typeof createUser>>;
  let list: string;
  const ids = ['aaaaaaaaaaa', 'bbbbbbbbbbb', 'ccccccccccc', 'ddddddddddd'];
  beforeEach(async () => {
    t = await testApp({ on });
    ann = await createUser(t);
    staff = await createUser(t, { isStaff: true });
    for (const id of ids) await createVideo(t.app.db, { id, title: id });
    list = (await ann.call('POST', '/api/playlist/custom/', { playlist_name: '  Mine  ' })).json().playlist_id;
    for (const id of ids) await sendAction('create', id);
  });
  afterEach(() => t.close());
  const sendAction = (action: string, id: string, playlistId = list) =>
    ann.call('POST', `/api/playlist/custom/${playlistId}/`, { action, video_id: id });
  const order = async () =>
    ((await ann.call('GET', `/api/playlist/${list}/`)).json().playlist_entries as { youtube_id: string; idx: number }[]).map(
      ({ youtube_id, idx }) => `${idx}${youtube_id[0]}`,
    );

  test('rejects more than 50 new playlists of an ordinary user within a day', async () => {
    const [ben, eve] = [await createUser(t), await createUser(t)];
    const createPlaylist = (user: typeof ben, name: string) =>
      user.call('POST', '/api/playlist/custom/', { playlist_name: name });
    const responses = await Promise.all(Array.from({ length: 80 }, (_, n) => createPlaylist(ben, `List ${n}`)));
    expect(responses.filter(({ statusCode }) => statusCode === 200)).toHaveLength(50);
    const rejected = await createPlaylist(ben, 'One more');
    expect([rejected.statusCode, rejected.json().detail]).toEqual([
      429,
      'You have reached the limit of 50 playlists per day. Try again in 24 hours, or ask an administrator to create one.',
    ]);
    expect([(await createPlaylist(eve, 'Hers')).statusCode, (await createPlaylist(staff, 'Theirs')).statusCode]).toEqual([
      200, 200,
    ]);
  });

  test('any user creates and fills one, and adding twice adds once', async () => {
    await sendAction('create', ids[0]!);
    expect((await ann.call('GET', `/api/playlist/${list}/`)).json()).toMatchObject({
      playlist_id: expect.stringMatching(/^TA_playlist_[0-9a-f-]{36}$/),
      playlist_name: 'Mine',
      playlist_type: 'custom',
      playlist_active: false,
      playlist_channel_id: null,
    });
    expect(await order()).toEqual(['0a', '1b', '2c', '3d']);
  });

  test.each([
    ['up', 'ccccccccccc', ['0a', '1c', '2b', '3d']],
    ['down', 'aaaaaaaaaaa', ['0b', '1a', '2c', '3d']],
    ['top', 'ddddddddddd', ['0d', '1a', '2b', '3c']],
    ['bottom', 'aaaaaaaaaaa', ['0b', '1c', '2d', '3a']],
    ['up', 'aaaaaaaaaaa', ['0a', '1b', '2c', '3d']],
    ['down', 'ddddddddddd', ['0a', '1b', '2c', '3d']],
    ['remove', 'bbbbbbbbbbb', ['0a', '1c', '2d']],
  ])('%s moves %s and nothing else', async (action, id, after) => {
    expect((await sendAction(action, id)).statusCode).toBe(200);
    expect(await order()).toEqual(after);
  });

  test('moving skips hidden watched entries', async () => {
    await ann.call('POST', '/api/user/me/', { hide_watched: true });
    await ann.call('POST', '/api/watched/', { id: ids[1], is_watched: true });
    await sendAction('up', ids[2]!);
    expect(await order()).toEqual(['0c', '1a', '2b', '3d']);
  });

  test('moving or removing a missing video changes no other entry', async () => {
    const other = await createVideo(t.app.db);
    for (const action of ['up', 'down', 'top', 'bottom', 'remove'])
      expect((await sendAction(action, other)).statusCode, action).toBe(400);
    expect(await order()).toEqual(['0a', '1b', '2c', '3d']);
  });

  test('rejects invalid actions with a message', async () => {
    expect((await sendAction('create', 'nosuchvideo')).json().error).toBe('failed to add video nosuchvideo to playlist');
    expect((await sendAction('create', ids[0]!, 'TA_playlist_none')).json().error).toBe('playlist not found');
    expect((await ann.call('POST', '/api/playlist/custom/', { playlist_name: '   ' })).statusCode).toBe(400);
    await ann.call('POST', `/api/playlist/custom/${list}/sharing/`, { is_shared: true });
    expect((await staff.call('POST', `/api/playlist/${list}/`, { playlist_subscribed: true })).json().error).toBe(
      `playlist with ID ${list} is custom`,
    );
  });

  test('is private unless its owner shares it, and only the owner and staff change it', async () => {
    const ben = await createUser(t);
    const path = `/api/playlist/${list}/`;
    const namesOf = async (user: typeof ben, url = '/api/playlist/?type=custom') =>
      (await user.call('GET', url)).json().data.map((one: { playlist_name: string }) => one.playlist_name);
    const foundBy = async (user: typeof ben) => {
      const { results } = (await user.call('GET', '/api/search/?query=mine')).json();
      return results.playlist_results.length;
    };
    await indexPending(t.app.db);
    for (const other of [ben, staff]) {
      expect(await namesOf(other)).toEqual([]);
      expect((await other.call('GET', path)).statusCode).toBe(404);
      expect((await other.call('GET', `/api/video/?playlist=${list}`)).statusCode).toBe(404);
      expect((await other.call('GET', `/api/video/bulk/?playlist=${list}`)).statusCode).toBe(400);
      expect((await other.call('GET', `/api/video/${ids[0]}/nav/`)).json()).toEqual([]);
      expect(await foundBy(other)).toBe(0);
      expect((await other.call('DELETE', path)).statusCode).toBe(404);
    }
    expect((await sendAction('remove', ids[3]!)).json()).toMatchObject({ playlist_owner: ann.name, playlist_is_shared: false });
    expect([await foundBy(ann), await namesOf(ann)]).toEqual([1, ['Mine']]);

    const share = (user: typeof ben, is_shared: boolean) =>
      user.call('POST', `/api/playlist/custom/${list}/sharing/`, { is_shared });
    expect((await share(ben, true)).statusCode).toBe(404);
    expect((await share(ann, true)).json()).toMatchObject({ playlist_is_shared: true, playlist_can_edit: true });
    expect([await foundBy(ben), await namesOf(ben)]).toEqual([1, ['Mine']]);
    expect((await ben.call('GET', path)).json()).toMatchObject({ playlist_owner: ann.name, playlist_can_edit: false });
    const change = { action: 'remove', video_id: ids[0] };
    expect((await ben.call('POST', `/api/playlist/custom/${list}/`, change)).json().detail).toBe(
      'Only its owner or an administrator can change this playlist.',
    );
    expect([(await share(ben, false)).statusCode, (await ben.call('DELETE', path)).statusCode]).toEqual([403, 403]);
    expect((await ann.call('DELETE', `${path}?delete_videos=true`)).statusCode).toBe(403);
    expect(await order()).toEqual(['0a', '1b', '2c']);
    expect((await staff.call('POST', `/api/playlist/custom/${list}/`, change)).statusCode).toBe(200);

    // Without its owner, a private playlist is kept for staff.
    await share(ann, false);
    await staff.call('DELETE', `/api/users/${ann.id}/`);
    expect([await namesOf(ben), await namesOf(staff)]).toEqual([[], ['Mine']]);
  });

  test('a private playlist is in no JSON and no picture of other users', async () => {
    const ben = await createUser(t);
    const playlistsBy = async (user: typeof ben) => (await user.call('GET', `/api/video/${ids[0]}/`)).json().playlist as string[];
    const inList = async (user: typeof ben) =>
      ((await user.call('GET', '/api/video/')).json().data as { playlist: string[] }[]).flatMap(({ playlist }) => playlist);
    const pictureBy = async (user: typeof ben) => (await user.call('GET', `/cache/playlists/${list}.jpg`)).statusCode;
    const share = async (is_shared: boolean) => {
      await ann.call('POST', `/api/playlist/custom/${list}/sharing/`, { is_shared });
    };
    for (const isCached of [false, true]) {
      if (isCached) await refreshPending(t.app.db);
      for (const user of [ben, staff]) {
        expect([await playlistsBy(user), await inList(user), await pictureBy(user)]).toEqual([[], [], 404]);
        expect((await user.call('POST', '/api/watched/', { id: list, is_watched: true })).statusCode).toBe(404);
      }
      expect([await playlistsBy(ann), await pictureBy(ann)]).toEqual([[list], 200]);
    }
    await share(true);
    for (const user of [ben, ann]) expect([await playlistsBy(user), await pictureBy(user)]).toEqual([[list], 200]);
    expect(await inList(ben)).toContain(list);
    await share(false);
    expect([await playlistsBy(ben), await inList(ben), await pictureBy(ben)]).toEqual([[], [], 404]);
  });

  test('a deleted video leaves no gap, and the list gets the thumbnail of its first video', async () => {
    const { cacheFolder } = t.app.config;
    const readThumbnail = async () => {
      const response = await t.server.inject({ url: `/cache/playlists/${list}.jpg`, headers: ann.headers });
      return response.body.startsWith('picture')
        ? response.body
        : response.rawPayload.equals(placeholderImage('film')) && 'drawn';
    };
    for (const id of ids) {
      await mkdir(dirname(join(cacheFolder, thumbnailPath(id))), { recursive: true });
      await writeFile(join(cacheFolder, thumbnailPath(id)), `picture of ${id[0]}`);
    }
    await sendAction('top', ids[0]!);
    expect(await readThumbnail()).toBe('picture of a');
    await staff.call('DELETE', `/api/video/${ids[0]}/`);
    await staff.call('DELETE', `/api/video/${ids[2]}/`);
    expect(await order()).toEqual(['0b', '1d']);
    expect(await readThumbnail()).toBe('picture of b');
    const [nav] = (await ann.call('GET', `/api/video/${ids[3]}/nav/`)).json();
    expect([nav.playlist_meta.current_idx, nav.playlist_previous.idx, nav.playlist_next]).toEqual([1, 0, null]);

    expect((await staff.call('POST', '/api/trash/', { action: 'restore', ids: [ids[0]] })).json()).toMatchObject({ done: 1 });
    expect([await order(), await readThumbnail()]).toEqual([['0a', '1b', '2d'], 'picture of a']);
    for (const id of [ids[1]!, ids[3]!, ids[0]!]) await sendAction('remove', id);
    expect([await order(), await readThumbnail()]).toEqual([[], 'drawn']);
  });

  test('a deleted video is removed; deleting the playlist keeps its videos unless requested', async () => {
    await staff.call('DELETE', `/api/video/${ids[1]}/`);
    expect((await order()).map((one) => one[1])).toEqual(['a', 'c', 'd']);
    const countVideos = async () => (await t.app.db.selectFrom('video').select('id').execute()).length;
    const shared = { playlist_name: 'Other', is_shared: true };
    const second = (await ann.call('POST', '/api/playlist/custom/', shared)).json().playlist_id as string;
    await sendAction('create', ids[0]!, second);
    expect((await ann.call('DELETE', `/api/playlist/${list}/`)).statusCode).toBe(204);
    expect(await countVideos()).toBe(3);
    expect((await staff.call('DELETE', `/api/playlist/${second}/?delete_videos=true`)).statusCode).toBe(204);
    expect(await countVideos()).toBe(2);
    expect((await staff.call('DELETE', `/api/playlist/${second}/`)).statusCode).toBe(404);
  });
});
