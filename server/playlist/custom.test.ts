import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { aUser, aVideo, engines, testArchive, type TestArchive } from '../testing.ts';
import { stockPicture } from '../http/stock-picture.ts';
import { thumbnailPath } from '../video/thumbnail-path.ts';

describe.each(engines)('playlists of one’s own, on $engine', (on) => {
  let t: TestArchive;
  let ann: Awaited<ReturnType<typeof aUser>>;
  let staff: Awaited<ReturnType<typeof aUser>>;
  let list: string;
  const ids = ['aaaaaaaaaaa', 'bbbbbbbbbbb', 'ccccccccccc', 'ddddddddddd'];
  beforeEach(async () => {
    t = await testArchive({ on });
    ann = await aUser(t);
    staff = await aUser(t, { isStaff: true });
    for (const id of ids) await aVideo(t.archive.db, { id, title: id });
    list = (await ann.call('POST', '/api/playlist/custom/', { playlist_name: '  Mine  ' })).json().playlist_id;
    for (const id of ids) await act('create', id);
  });
  afterEach(() => t.close());
  const act = (action: string, id: string, of = list) =>
    ann.call('POST', `/api/playlist/custom/${of}/`, { action, video_id: id });
  const order = async () =>
    ((await ann.call('GET', `/api/playlist/${list}/`)).json().playlist_entries as { youtube_id: string; idx: number }[]).map(
      ({ youtube_id, idx }) => `${idx}${youtube_id[0]}`,
    );

  test('anybody makes one, fills it, and adding twice adds once', async () => {
    await act('create', ids[0]!);
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
    expect((await act(action, id)).statusCode).toBe(200);
    expect(await order()).toEqual(after);
  });

  test('who hides what is watched moves past it', async () => {
    await ann.call('POST', '/api/user/me/', { hide_watched: true });
    await ann.call('POST', '/api/watched/', { id: ids[1], is_watched: true });
    await act('up', ids[2]!);
    expect(await order()).toEqual(['0c', '1a', '2b', '3d']);
  });

  test('moving or removing what is not in it touches no other entry', async () => {
    const other = await aVideo(t.archive.db);
    for (const action of ['up', 'down', 'top', 'bottom', 'remove'])
      expect((await act(action, other)).statusCode, action).toBe(400);
    expect(await order()).toEqual(['0a', '1b', '2c', '3d']);
  });

  test('what cannot be is refused in words', async () => {
    expect((await act('create', 'nosuchvideo')).json().error).toBe('failed to add video nosuchvideo to playlist');
    expect((await act('create', ids[0]!, 'TA_playlist_none')).json().error).toBe('playlist not found');
    expect((await ann.call('POST', '/api/playlist/custom/', { playlist_name: '   ' })).statusCode).toBe(400);
    expect((await staff.call('POST', `/api/playlist/${list}/`, { playlist_subscribed: true })).json().error).toBe(
      `playlist with ID ${list} is custom`,
    );
  });

  test('a video that is deleted leaves no gap in what is told, and the list looks like its first again', async () => {
    const { cacheFolder } = t.archive.config;
    const picture = async () => {
      const answer = await t.app.inject({ url: `/cache/playlists/${list}.jpg`, headers: ann.headers });
      return answer.body.startsWith('picture') ? answer.body : answer.rawPayload.equals(stockPicture('film')) && 'drawn';
    };
    for (const id of ids) {
      await mkdir(dirname(join(cacheFolder, thumbnailPath(id))), { recursive: true });
      await writeFile(join(cacheFolder, thumbnailPath(id)), `picture of ${id[0]}`);
    }
    await act('top', ids[0]!);
    expect(await picture()).toBe('picture of a');
    await staff.call('DELETE', `/api/video/${ids[0]}/`);
    await staff.call('DELETE', `/api/video/${ids[2]}/`);
    expect(await order()).toEqual(['0b', '1d']);
    expect(await picture()).toBe('picture of b');
    const [nav] = (await ann.call('GET', `/api/video/${ids[3]}/nav/`)).json();
    expect([nav.playlist_meta.current_idx, nav.playlist_previous.idx, nav.playlist_next]).toEqual([1, 0, null]);

    expect((await staff.call('POST', '/api/bin/', { action: 'restore', ids: [ids[0]] })).json()).toMatchObject({ done: 1 });
    expect([await order(), await picture()]).toEqual([['0a', '1b', '2d'], 'picture of a']);
    for (const id of [ids[1]!, ids[3]!, ids[0]!]) await act('remove', id);
    expect([await order(), await picture()]).toEqual([[], 'drawn']);
  });

  test('a video that is deleted leaves it; the list itself goes without its videos unless that is asked for', async () => {
    await staff.call('DELETE', `/api/video/${ids[1]}/`);
    expect((await order()).map((one) => one[1])).toEqual(['a', 'c', 'd']);
    const rest = async () => (await t.archive.db.selectFrom('video').select('id').execute()).length;
    const second = (await ann.call('POST', '/api/playlist/custom/', { playlist_name: 'Other' })).json().playlist_id as string;
    await act('create', ids[0]!, second);
    expect((await staff.call('DELETE', `/api/playlist/${list}/`)).statusCode).toBe(204);
    expect(await rest()).toBe(3);
    expect((await staff.call('DELETE', `/api/playlist/${second}/?delete_videos=true`)).statusCode).toBe(204);
    expect(await rest()).toBe(2);
    expect((await staff.call('DELETE', `/api/playlist/${second}/`)).statusCode).toBe(404);
  });
});
