import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { saveKnownChannel } from '../channel/save-known.ts';
import { inTransaction, type Db } from '../db/db.ts';
import { migrate } from '../db/migrate.ts';
import { savePlaylist } from '../playlist/store.ts';
import { aChannel, aUser, aVideo, engines, testArchive, type TestArchive } from '../testing.ts';
import { linesOf, saveLinesOf } from '../video/lines.ts';
import { saveArchived, type ArchivedVideo } from '../video/save-archived.ts';
import { catchUp, keepIndexed } from './catch-up.ts';
import { findNumbers } from './store.ts';

const cuesOf = (texts: string[]) => texts.map((text, place) => ({ start: place, end: place + 1, text }));
const aRow = (id: string, channelId: string, title: string, spoken: string[] = []): ArchivedVideo => ({
  id,
  site: 'youtube',
  siteId: id,
  channelId,
  title,
  description: null,
  kind: 'videos',
  url: null,
  publishedAt: 0,
  durationSeconds: 60,
  sizeBytes: 1,
  sha256: 'x',
  mediaPath: `${channelId}/${id}.mp4`,
  width: 0,
  height: 0,
  categories: [],
  tags: [],
  chapters: [],
  sponsorblock: null,
  viewCount: 0,
  likeCount: 0,
  dislikeCount: 0,
  averageRating: 0,
  streams: [],
  subtitles: spoken.length > 0 ? [{ lang: 'en', source: 'user', name: 'English', path: `${channelId}/${id}.en.vtt` }] : [],
  lines: linesOf('en', cuesOf(spoken)),
  comments: null,
});

describe.each(engines)('the index on $engine', (on) => {
  let t: TestArchive;
  let staff: Awaited<ReturnType<typeof aUser>>;
  let db: Db;
  beforeEach(async () => {
    t = await testArchive({ on });
    staff = await aUser(t, { isStaff: true });
    db = t.archive.db;
  });
  afterEach(() => t.close());

  /** Everything that is found, once what changed is indexed. */
  async function found(query: string): Promise<string[]> {
    await catchUp(db);
    const { results } = (await staff.call('GET', `/api/search/?query=${encodeURIComponent(query)}`)).json();
    return [
      ...results.video_results.map((one: { youtube_id: string }) => one.youtube_id),
      ...results.channel_results.map((one: { channel_id: string }) => one.channel_id),
      ...results.playlist_results.map((one: { playlist_id: string }) => one.playlist_id),
      ...results.fulltext_results.map((one: { subtitle_fragment_id: string }) => one.subtitle_fragment_id),
    ];
  }
  const save = (row: ArchivedVideo) => inTransaction(db, (tx) => saveArchived(tx, row, t.archive.now()));
  /** What is left in the index of things that are gone. */
  async function leftOver() {
    const documents = await db.selectFrom('searchDocument').select('id').execute();
    const tracks = await db.selectFrom('searchTrack').select('videoId').execute();
    return [...documents.map((row) => row.id), ...tracks.map((row) => row.videoId)];
  }

  test('what is archived is found, and found anew when it is fetched again', async () => {
    const channel = await aChannel(db, { name: 'Somebody' });
    await save(aRow('v1', channel, 'Glaciers', ['they melt', 'slowly']));
    expect([await found('glaciers'), await found('full: slowly')]).toEqual([['v1'], ['v1-en-1']]);
    await save(aRow('v1', channel, 'Rivers', ['they flow', 'quickly']));
    expect([await found('glaciers'), await found('rivers')]).toEqual([[], ['v1']]);
    expect([await found('full: slowly fuzzy:no'), await found('full: quickly')]).toEqual([[], ['v1-en-1']]);
  });

  test('a title or tags that the site changed are found, whoever writes them', async () => {
    const id = await aVideo(db, { title: 'Before' });
    expect(await found('before')).toEqual([id]);
    await db.updateTable('video').set({ title: 'Afterwards', tags: '["tagged"]' }).where('id', '=', id).execute();
    expect([await found('before'), await found('afterwards'), await found('video: tagged')]).toEqual([[], [id], [id]]);
  });

  test('a channel that a video brings with a new name is found under it, and so are its videos', async () => {
    const id = await aChannel(db, { name: 'Oldname' });
    const video = await aVideo(db, { channelId: id, title: 'Thing' });
    expect([await found('oldname'), await found('video: channel:oldname')]).toEqual([[id], [video]]);
    const known = { id, site: 'youtube', name: 'Fresh', url: null, subscriberCount: null, kind: 'videos' as const };
    await inTransaction(db, (tx) => saveKnownChannel(tx, known, 1));
    expect([await found('oldname'), await found('fresh'), await found('video: channel:fresh')]).toEqual([[], [id], [video]]);
  });

  test('playlists: listed, listed again under another name, made, deleted', async () => {
    const list = { id: 'PL1', name: 'Songs', description: null, channelId: null, channelName: null, url: 'x', entries: [] };
    await savePlaylist(db, list, 1);
    expect(await found('songs')).toEqual(['PL1']);
    await savePlaylist(db, { ...list, name: 'Ballads', description: 'of old' }, 2);
    expect([await found('songs'), await found('ballads'), await found('playlist: old')]).toEqual([[], ['PL1'], ['PL1']]);
    const own = (await staff.call('POST', '/api/playlist/custom/', { playlist_name: 'Homemade' })).json().playlist_id;
    expect(await found('homemade')).toEqual([own]);
    await staff.call('DELETE', `/api/playlist/${own}/`);
    await staff.call('DELETE', '/api/playlist/PL1/');
    expect([await found('homemade'), await found('ballads'), await leftOver()]).toEqual([[], [], []]);
  });

  test('what is deleted is gone, and leaves nothing', async () => {
    const channel = await aChannel(db, { name: 'Doomed' });
    await save(aRow('v1', channel, 'Doomed one', ['spoken doom']));
    await save(aRow('v2', channel, 'Doomed two', ['spoken doom']));
    expect(await found('doomed')).toHaveLength(3);
    await staff.call('DELETE', '/api/video/v1/');
    expect([(await found('doomed')).sort(), await found('full: doom')]).toEqual([[channel, 'v2'].sort(), ['v2-en-1']]);
    await staff.call('DELETE', `/api/channel/${channel}/`);
    expect([await found('doomed'), await found('full: doom'), await leftOver()]).toEqual([[], [], []]);
  });

  test('a language more, other words in it, another source and a language less are followed', async () => {
    const channel = await aChannel(db);
    await save(aRow('v1', channel, 'Talk', ['hello']));
    const speak = (lang: string, texts: string[]) =>
      inTransaction(db, (tx) => saveLinesOf(tx, 'v1', { lang, lines: linesOf(lang, cuesOf(texts)) }));
    await speak('de', ['hallo', '2', '3', '4', '5', 'tschüss']);
    expect([await found('full: hallo fuzzy:no'), await found('full: tschuss')]).toEqual([['v1-de-1'], ['v1-de-2']]);
    await speak('de', ['servus']);
    expect([await found('full: hallo fuzzy:no'), await found('full: servus')]).toEqual([[], ['v1-de-1']]);
    expect(await found('full: hello source:auto')).toEqual([]);
    await db.updateTable('subtitle').set({ source: 'auto' }).where('videoId', '=', 'v1').where('lang', '=', 'en').execute();
    expect(await found('full: hello source:auto')).toEqual(['v1-en-1']);
    await speak('de', []);
    expect([await found('full: servus'), await found('full: lang:de')]).toEqual([[], []]);
  });

  test('what did not change is not written again', async () => {
    const channel = await aChannel(db);
    await save(aRow('v1', channel, 'Talk', ['hello']));
    await catchUp(db);
    const before = await db.selectFrom('searchTrack').selectAll().execute();
    await save(aRow('v1', channel, 'Talk', ['hello']));
    await db.updateTable('video').set({ viewCount: 7 }).execute();
    await catchUp(db);
    expect(await db.selectFrom('searchTrack').selectAll().execute()).toEqual(before);
    expect(await db.selectFrom('searchWord').select('documents').where('word', '=', 'hello').execute()).toEqual([
      { documents: 1 },
    ]);
  });

  test('what is spoken is in the piece where it stands, also where lines are missing; beyond the last piece nothing is', async () => {
    const channel = await aChannel(db);
    await save(aRow('v1', channel, 'Talk'));
    const sparse = async (texts: Record<number, string>) =>
      inTransaction(db, (tx) =>
        saveLinesOf(tx, 'v1', {
          lang: 'en',
          lines: Object.entries(texts).map(([position, text]) => ({
            lang: 'en',
            position: Number(position),
            startSeconds: 1,
            endSeconds: 2,
            text,
          })),
        }),
      );
    await sparse({ 0: 'hello first', 20: 'hello fifth', 81_914: 'hello last', 81_915: 'hello nobody' });
    expect((await found('full: hello')).sort()).toEqual(['v1-en-1', 'v1-en-16383', 'v1-en-5']);
    expect([await found('full: fifth fuzzy:no'), await found('full: last fuzzy:no')]).toEqual([['v1-en-5'], ['v1-en-16383']]);
    // The same words elsewhere are something else.
    await sparse({ 0: 'hello first', 25: 'hello fifth' });
    expect([await found('full: fifth fuzzy:no'), await found('full: last fuzzy:no')]).toEqual([['v1-en-6'], []]);
    await sparse({});
    expect([await found('full: hello'), (await leftOver()).sort()]).toEqual([[], [channel, 'v1']]);
  });

  test('a library that an earlier version indexed is not indexed anew', async () => {
    await save(aRow('v1', await aChannel(db, { id: 'c1' }), 'Talk', ['hello', '', 'world']));
    await catchUp(db);
    expect(await db.selectFrom('searchTrack').select('mark').execute()).toEqual([{ mark: 'd6c93727ad1e709b440c8d57' }]);
  });

  test('one that cannot be indexed is left out, and holds up none of the others', async () => {
    const ids = [];
    for (const title of ['Alpha', 'Beta', 'Gamma'])
      ids.push(await aVideo(db, { title, tags: title === 'Beta' ? 'no JSON' : '[]' }));
    expect([await found('alpha'), await found('beta'), await found('gamma')]).toEqual([[ids[0]], [], [ids[2]]]);
  });

  test('letters beyond the first plane are words like others', async () => {
    const channel = await aChannel(db);
    const long = '\u{10330}\u{10331}'.repeat(30);
    await save(aRow('v1', channel, `x${long} \u{20000}\u{20001}`, [`x${long}`, '\u{20000}']));
    expect([await found(`x${long}`), await found('\u{20001}'), await found('full: \u{20000}')]).toEqual([
      ['v1'],
      ['v1'],
      ['v1-en-1'],
    ]);
  });

  test('a very long video is indexed in steps, and one that was interrupted goes on', async () => {
    const channel = await aChannel(db);
    await save(
      aRow(
        'v1',
        channel,
        'Long',
        Array.from({ length: 5000 }, (_, n) => `line number${n}`),
      ),
    );
    const indexed = async () => (await db.selectFrom('searchTrack').select('pieces').execute()).map((row) => row.pieces);
    expect(await catchUp(db, 0)).toBe(false); // one step, names first
    while ((await indexed()).length === 0) await catchUp(db, 0);
    expect(await indexed()).toEqual([250]);
    expect(await catchUp(db)).toBe(true);
    expect(await indexed()).toEqual([1000]);
    expect(await found('full: number0 number4999 fuzzy:no')).toHaveLength(2);
    await staff.call('DELETE', '/api/video/v1/');
    expect([await found('full: number7 fuzzy:no'), await leftOver()]).toEqual([[], [channel]]);
  });
});

test('names that came one by one are joined into one piece on SQLite, and are found as before', async () => {
  const t = await testArchive();
  try {
    const { db } = t.archive;
    const pieces = async () =>
      (await sql<{ count: number }>`select count(distinct segid) as count from search_thing_idx`.execute(db)).rows[0]!.count;
    const channelId = await aChannel(db);
    let count = 0;
    for (; count < 300 && (await pieces()) <= 6; count++) {
      await aVideo(db, { id: `one${count}`, channelId, title: `Heron number${count}` });
      await catchUp(db);
    }
    const before = await pieces();
    expect(before).toBeGreaterThan(6);
    await aVideo(db, { id: 'last', channelId, title: 'Heron' });
    await keepIndexed(t.archive);
    expect(await pieces()).toBe(1);
    expect(await findNumbers(db, { words: ['heron'] }, 1000)).toHaveLength(count + 1);
    await db.deleteFrom('video').where('id', '=', 'one0').execute();
    await keepIndexed(t.archive);
    expect(await findNumbers(db, { words: ['heron'] }, 1000)).toHaveLength(count);
    expect(await pieces()).toBeLessThan(before);
  } finally {
    await t.close();
  }
});

describe.each(engines)('a library from before, on $engine', ({ open }) => {
  test('is indexed in the background, the newest first, and searched meanwhile', async () => {
    const { db, close } = await open();
    try {
      await migrate(db, '0005-around');
      const channelId = await aChannel(db, { name: 'From before' });
      for (let n = 0; n < 60; n++) {
        const id = `old${n}`;
        await aVideo(db, { id, channelId, title: `Old ${n}`, downloadedAt: n });
        await inTransaction(db, (tx) =>
          saveLinesOf(tx, id, { lang: 'en', lines: linesOf('en', cuesOf(['words', `unique${n}`])) }),
        );
      }
      await migrate(db);
      expect(await catchUp(db, 0)).toBe(false);
      let steps = 0;
      while ((await db.selectFrom('searchTrack').select('videoId').execute()).length === 0 && steps++ < 10) await catchUp(db, 0);
      const first = await db.selectFrom('searchTrack').select('videoId').execute();
      expect(first.length).toBeLessThan(60);
      expect(first.map((row) => row.videoId)).toContain('old59');
      expect(await catchUp(db)).toBe(true);
      expect(await db.selectFrom('searchTrack').select('videoId').execute()).toHaveLength(60);
      expect(await db.selectFrom('searchDocument').select('id').execute()).toHaveLength(61);
    } finally {
      await close();
    }
  });
});
