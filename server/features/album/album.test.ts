import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Album } from '#contract/album.ts';
import { createUser, createVideo, engines, testApp, type TestApp } from '../../test-support/app.ts';

describe.each(engines)('albums on $engine', (on) => {
  let t: TestApp;
  let anna: Awaited<ReturnType<typeof createUser>>;
  beforeEach(async () => {
    t = await testApp({ on });
    anna = await createUser(t);
  });
  afterEach(() => t.close());
  const song = (id: string, artist: string, album: string | null, more: { year?: number; publishedAt?: number } = {}) => {
    const { year = null, ...row } = more;
    return createVideo(t.app.db, { id, music: JSON.stringify({ artists: [artist], album, track: id, year }), ...row });
  };
  const albums = async (page = 1) => (await anna.call('GET', `/api/album/?page=${page}`)).json();
  const addPlaylist = async (id: string, videos: string[], more: { isShared?: 0 | 1; kind?: 'regular' | 'custom' } = {}) => {
    const plain = { id, kind: 'regular' as const, name: id, sortName: id, refreshedAt: 0, ...more };
    await t.app.db.insertInto('playlist').values(plain).execute();
    for (const [position, videoId] of videos.entries())
      await t.app.db.insertInto('playlistEntry').values({ playlistId: id, position, videoId, title: '' }).execute();
  };

  test('lists the albums of music by name and first artist, with their years and first track', async () => {
    expect((await albums()).data).toEqual([]);
    await createVideo(t.app.db);
    await song('single00001', 'Ada', null);
    await song('tide0000002', 'Ada', 'Low Tide', { year: 2003, publishedAt: 20 });
    await song('tide0000001', 'ada', 'Low tide', { year: 2001, publishedAt: 10 });
    await song('tideOfBo001', 'Bo', 'Low Tide');
    await song('april000001', 'Cy', 'April');
    const { data, paginate } = await albums();
    expect(paginate.total_hits).toBe(2);
    expect(data.map(({ album, artist, videos }: Album) => [album, artist, videos])).toEqual([
      ['April', 'Cy', 1],
      ['Low tide', 'ada', 2],
      ['Low Tide', 'Bo', 1],
    ]);
    expect(data[1]).toMatchObject({
      year_from: 2001,
      year_to: 2003,
      youtube_id: 'tide0000001',
      vid_thumb_url: '/cache/videos/t/tide0000001.jpg',
      playlist: null,
    });
    expect(data[2]).toMatchObject({ year_from: null, year_to: null });
    await t.app.db.deleteFrom('video').where('id', '=', 'april000001').execute();
    expect((await albums()).paginate.total_hits).toBe(1);
  });

  test('the order is that of a playlist which consists of the tracks', async () => {
    for (const [n, id] of ['trackThree1', 'trackOne001', 'trackTwo001'].entries())
      await song(id, 'Ada', 'Low Tide', { publishedAt: n + 1 });
    const playlistOf = async () => (await albums()).data.map(({ playlist, youtube_id }: Album) => [playlist, youtube_id]);
    const other = await createVideo(t.app.db);
    await addPlaylist('PLtooLong', ['trackOne001', 'trackTwo001', 'trackThree1', other]);
    await addPlaylist('PLtooShort', ['trackTwo001', 'trackOne001']);
    await addPlaylist('PLofUser', ['trackTwo001', 'trackOne001', 'trackThree1'], { kind: 'custom' });
    await addPlaylist('PLprivate', ['trackTwo001', 'trackOne001', 'trackThree1'], { isShared: 0 });
    expect(await playlistOf()).toEqual([[null, 'trackThree1']]);
    await addPlaylist('PLalbum', ['trackOne001', 'notArchived', 'trackTwo001', 'trackThree1']);
    expect(await playlistOf()).toEqual([['PLalbum', 'trackOne001']]);
  });

  test('has pages of names', async () => {
    for (let n = 0; n < 14; n++) await song(`albums${String(n).padStart(5, '0')}`, 'Ada', `Album ${String(n).padStart(2, '0')}`);
    const pages = [await albums(1), await albums(2)];
    expect(pages.map(({ data }) => data.length)).toEqual([12, 2]);
    expect(pages[1]!.data.map(({ album }: Album) => album)).toEqual(['Album 12', 'Album 13']);
  });
});
