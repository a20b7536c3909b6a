import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Video } from '#contract/video.ts';
import { readInfo } from '../../platform/ytdlp/info.ts';
import { createUser, createVideo, engines, testApp, type TestApp } from '../../test-support/app.ts';
import { findWrongFacets } from '../../test-support/facets.ts';
import { indexPending } from '../search/index/index-pending.ts';

const ofSite = { artists: ['Ada Strings', 'Bo Drum'], album: 'Low Tide', track: 'Ebb', year: 2001 };

describe.each(engines)('music of videos on $engine', (on) => {
  let t: TestApp;
  let staff: Awaited<ReturnType<typeof createUser>>;
  beforeEach(async () => {
    t = await testApp({ on });
    staff = await createUser(t, { isStaff: true });
  });
  afterEach(() => t.close());
  const musicOf = async (id: string) => (await staff.call('GET', `/api/video/${id}/`)).json<Video>().music;
  const edit = (id: string, music: unknown) => staff.call('POST', `/api/video/${id}/music/`, { music } as object);
  const list = async (query: string) =>
    (await staff.call('GET', `/api/video/?${query}`))
      .json()
      .data.map((video: Video) => video.youtube_id)
      .sort();

  test('is a field of videos that have some, edited by staff, and restored', async () => {
    const song = await createVideo(t.app.db, { music: JSON.stringify(ofSite) });
    const talk = await createVideo(t.app.db);
    expect([await musicOf(song), await musicOf(talk)]).toEqual([{ ...ofSite, is_edited: false }, undefined]);
    const mine = { artists: ['Ada Strings'], album: null, track: 'Ebb (live)', year: null };
    expect((await edit(song, mine)).json()).toEqual({ music: { ...mine, is_edited: true } });
    expect(await musicOf(song)).toEqual({ ...mine, is_edited: true });
    // A later lookup of the source does not change it.
    await t.app.db
      .updateTable('video')
      .set({ music: JSON.stringify({ ...ofSite, year: 2002 }) })
      .where('id', '=', song)
      .execute();
    expect(await musicOf(song)).toEqual({ ...mine, is_edited: true });
    expect((await edit(song, null)).json()).toEqual({ music: { ...ofSite, year: 2002, is_edited: false } });
    const none = { artists: [], album: null, track: null, year: null };
    expect((await edit(song, none)).json()).toEqual({ music: { ...none, is_edited: true } });
    expect(await list('album=low tide')).toEqual([]);
    expect((await edit(talk, null)).json()).toEqual({ music: null });
  });

  test('rejects what is no music', async () => {
    const id = await createVideo(t.app.db);
    for (const wrong of [
      {},
      { ...ofSite, artists: 'Ada' },
      { ...ofSite, artists: [''] },
      { ...ofSite, album: 'x'.repeat(201) },
      { ...ofSite, year: 20_001 },
      { ...ofSite, artists: Array.from({ length: 21 }, (_, n) => `A${n}`) },
    ])
      expect((await edit(id, wrong)).statusCode, JSON.stringify(wrong)).toBe(400);
    expect((await edit('noSuchVideo', ofSite)).statusCode).toBe(404);
    await edit(id, { ...ofSite, track: 'Ebb \u202egpj' });
    expect((await musicOf(id))?.track).toBe('Ebb gpj');
  });

  test('filters lists by artist and album, also after edits', async () => {
    const [first, second, other, talk] = ['songs000001', 'songs000002', 'songs000003', 'talking0001'];
    await createVideo(t.app.db, { id: first!, music: JSON.stringify(ofSite) });
    await createVideo(t.app.db, { id: second!, music: JSON.stringify({ ...ofSite, artists: ['Ada Strings'] }) });
    await createVideo(t.app.db, { id: other!, music: JSON.stringify({ ...ofSite, artists: ['Cy'] }) });
    await createVideo(t.app.db, { id: talk!, music: 'not JSON' });
    expect(await list('artist=ADA Strings')).toEqual([first, second]);
    expect(await list('artist=bo drum')).toEqual([first]);
    expect(await list('artist=Ada')).toEqual([]);
    expect(await list('album=Low Tide')).toEqual([first, second, other]);
    expect(await list('album=low tide&artist=Cy')).toEqual([other]);
    await edit(talk!, { ...ofSite, artists: ['Cy'], album: 'High Tide' });
    await edit(other!, { ...ofSite, artists: [], album: 'High Tide' });
    expect(await list('album=High Tide')).toEqual([other, talk]);
    expect(await list('artist=Cy')).toEqual([talk]);
    const smartList = { name: 'Cy', filter: { artist: 'Cy', album: 'High Tide' } };
    const { id: saved } = (await staff.call('POST', '/api/list/', smartList)).json();
    expect((await staff.call('GET', `/api/list/${saved}/`)).json()).toMatchObject(smartList);
    await edit(other!, null);
    expect(await list('artist=Cy')).toEqual([other, talk]);
    expect(await findWrongFacets(t.app.db)).toEqual([]);
    await t.app.db.deleteFrom('video').execute();
    expect(await findWrongFacets(t.app.db)).toEqual([]);
  });

  test('the search finds a song by artist and album, together with its title', async () => {
    const id = await createVideo(t.app.db, { title: 'Ebb (official video)', music: JSON.stringify(ofSite) });
    await createVideo(t.app.db, { title: 'Ebb and flow explained' });
    const find = async (query: string) => {
      await indexPending(t.app.db);
      const { results } = (await staff.call('GET', `/api/search/?query=${encodeURIComponent(query)}`)).json();
      return results.video_results.map((video: Video) => video.youtube_id);
    };
    expect(await find('ada strings')).toEqual([id]);
    expect(await find('strings ebb')).toEqual([id]);
    expect(await find('low tide')).toEqual([id]);
    await edit(id, { ...ofSite, album: 'Spring Tide' });
    expect([await find('low tide'), await find('spring tide')]).toEqual([[], [id]]);
  });
});

test('reads music of yt-dlp in its present and earlier form, and leaves out what is not valid', () => {
  const musicIn = (more: object) => readInfo({ id: 'a', title: 'A', ...more }).music;
  const { year: release_year, ...fields } = ofSite;
  expect(musicIn({ ...fields, release_year, artist: 'ignored' })).toEqual(ofSite);
  expect(musicIn({ ...fields, artists: undefined, artist: 'Ada Strings, Bo Drum', release_year: '2001' })).toEqual(ofSite);
  expect(musicIn({ release_year: 2001 })).toBe(null);
  expect(
    musicIn({ artists: [7, null, '', ' \0 ', 'x'.repeat(5_000), 'A\u202eB\nC', 'A B C'], album: {}, release_year: '20x1' }),
  ).toEqual({
    artists: ['x'.repeat(200), 'A B C'],
    album: null,
    track: null,
    year: null,
  });
  expect(musicIn({ artists: Array.from({ length: 900 }, (_, n) => `A${n}`), track: '\ud800' })?.artists).toHaveLength(20);
});
