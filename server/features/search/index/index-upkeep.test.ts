import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { upsertChannel } from '../../../archive/channel/upsert-channel.ts';
import { inTransaction, type Db } from '../../../platform/db/db.ts';
import { migrate } from '../../../platform/db/migrations/migrate.ts';
import { savePlaylist } from '../../../archive/playlist/store.ts';
import { createChannel, createUser, createVideo, engines, testApp, type TestApp } from '../../../test-support/app.ts';
import { transcriptLines, saveTranscriptOf } from '../../../archive/video/save-transcript.ts';
import { saveArchivedVideo, type ArchivedVideo } from '../../../archive/video/save-archived.ts';
import { indexPending, indexPendingPeriodically } from './index-pending.ts';
import { findNumbers } from './store.ts';

const createCues = (lines: string[]) => lines.map((text, index) => ({ start: index, end: index + 1, text }));
const createRow = (id: string, channelId: string, title: string, transcript: string[] = []): ArchivedVideo => ({
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
  subtitles: transcript.length > 0 ? [{ lang: 'en', source: 'user', name: 'English', path: `${channelId}/${id}.en.vtt` }] : [],
  lines: transcriptLines('en', createCues(transcript)),
  comments: null,
});

describe.each(engines)('the search index on $engine', (on) => {
  let t: TestApp;
  let staff: Awaited<ReturnType<typeof createUser>>;
  let db: Db;
  beforeEach(async () => {
    t = await testApp({ on });
    staff = await createUser(t, { isStaff: true });
    db = t.app.db;
  });
  afterEach(() => t.close());

  /** Indexes pending changes and returns the ids of all results. */
  async function search(query: string): Promise<string[]> {
    await indexPending(db);
    const { results } = (await staff.call('GET', `/api/search/?query=${encodeURIComponent(query)}`)).json();
    return [
      ...results.video_results.map((hit: { youtube_id: string }) => hit.youtube_id),
      ...results.channel_results.map((hit: { channel_id: string }) => hit.channel_id),
      ...results.playlist_results.map((hit: { playlist_id: string }) => hit.playlist_id),
      ...results.fulltext_results.map((hit: { subtitle_fragment_id: string }) => hit.subtitle_fragment_id),
    ];
  }
  const save = (row: ArchivedVideo) => inTransaction(db, (tx) => saveArchivedVideo(tx, row, t.app.now()));
  /** Returns the ids of all documents and transcripts in the index. */
  async function indexedIds() {
    const documents = await db.selectFrom('searchDocument').select('id').execute();
    const tracks = await db.selectFrom('searchTrack').select('videoId').execute();
    return [...documents.map((row) => row.id), ...tracks.map((row) => row.videoId)];
  }

  test('finds archived videos, and new texts after a redownload', async () => {
    const channel = await createChannel(db, { name: 'Somebody' });
    await save(createRow('v1', channel, 'Glaciers', ['they melt', 'slowly']));
    expect([await search('glaciers'), await search('full: slowly')]).toEqual([['v1'], ['v1-en-1']]);
    await save(createRow('v1', channel, 'Rivers', ['they flow', 'quickly']));
    expect([await search('glaciers'), await search('rivers')]).toEqual([[], ['v1']]);
    expect([await search('full: slowly fuzzy:no'), await search('full: quickly')]).toEqual([[], ['v1-en-1']]);
  });

  test('follows changed titles and tags from any writer', async () => {
    const id = await createVideo(db, { title: 'Before' });
    expect(await search('before')).toEqual([id]);
    await db.updateTable('video').set({ title: 'Afterwards', tags: '["tagged"]' }).where('id', '=', id).execute();
    expect([await search('before'), await search('afterwards'), await search('video: tagged')]).toEqual([[], [id], [id]]);
  });

  test('follows a renamed channel, also for its videos', async () => {
    const id = await createChannel(db, { name: 'Oldname' });
    const video = await createVideo(db, { channelId: id, title: 'Thing' });
    expect([await search('oldname'), await search('video: channel:oldname')]).toEqual([[id], [video]]);
    const channel = { id, site: 'youtube', name: 'Fresh', url: null, subscriberCount: null, kind: 'videos' as const };
    await inTransaction(db, (tx) => upsertChannel(tx, channel, 1));
    expect([await search('oldname'), await search('fresh'), await search('video: channel:fresh')]).toEqual([[], [id], [video]]);
  });

  test('follows playlists that are listed, renamed, created and deleted', async () => {
    const list = { id: 'PL1', name: 'Songs', description: null, channelId: null, channelName: null, url: 'x', entries: [] };
    await savePlaylist(db, list, 1);
    expect(await search('songs')).toEqual(['PL1']);
    await savePlaylist(db, { ...list, name: 'Ballads', description: 'of old' }, 2);
    expect([await search('songs'), await search('ballads'), await search('playlist: old')]).toEqual([[], ['PL1'], ['PL1']]);
    const customId = (await staff.call('POST', '/api/playlist/custom/', { playlist_name: 'Homemade' })).json().playlist_id;
    expect(await search('homemade')).toEqual([customId]);
    await staff.call('DELETE', `/api/playlist/${customId}/`);
    await staff.call('DELETE', '/api/playlist/PL1/');
    expect([await search('homemade'), await search('ballads'), await indexedIds()]).toEqual([[], [], []]);
  });

  test('removes deleted content completely', async () => {
    const channel = await createChannel(db, { name: 'Doomed' });
    await save(createRow('v1', channel, 'Doomed one', ['spoken doom']));
    await save(createRow('v2', channel, 'Doomed two', ['spoken doom']));
    expect(await search('doomed')).toHaveLength(3);
    await staff.call('DELETE', '/api/video/v1/');
    expect([(await search('doomed')).sort(), await search('full: doom')]).toEqual([[channel, 'v2'].sort(), ['v2-en-1']]);
    await staff.call('DELETE', `/api/channel/${channel}/`);
    expect([await search('doomed'), await search('full: doom'), await indexedIds()]).toEqual([[], [], []]);
  });

  test('follows added, changed, replaced and removed subtitle languages', async () => {
    const channel = await createChannel(db);
    await save(createRow('v1', channel, 'Talk', ['hello']));
    const saveTranscript = (lang: string, texts: string[]) =>
      inTransaction(db, (tx) => saveTranscriptOf(tx, 'v1', { lang, lines: transcriptLines(lang, createCues(texts)) }));
    await saveTranscript('de', ['hallo', '2', '3', '4', '5', 'tschüss']);
    expect([await search('full: hallo fuzzy:no'), await search('full: tschuss')]).toEqual([['v1-de-1'], ['v1-de-2']]);
    await saveTranscript('de', ['servus']);
    expect([await search('full: hallo fuzzy:no'), await search('full: servus')]).toEqual([[], ['v1-de-1']]);
    expect(await search('full: hello source:auto')).toEqual([]);
    await db.updateTable('subtitle').set({ source: 'auto' }).where('videoId', '=', 'v1').where('lang', '=', 'en').execute();
    expect(await search('full: hello source:auto')).toEqual(['v1-en-1']);
    await saveTranscript('de', []);
    expect([await search('full: servus'), await search('full: lang:de')]).toEqual([[], []]);
  });

  test('does not rewrite unchanged content', async () => {
    const channel = await createChannel(db);
    await save(createRow('v1', channel, 'Talk', ['hello']));
    await indexPending(db);
    const before = await db.selectFrom('searchTrack').selectAll().execute();
    await save(createRow('v1', channel, 'Talk', ['hello']));
    await db.updateTable('video').set({ viewCount: 7 }).execute();
    await indexPending(db);
    expect(await db.selectFrom('searchTrack').selectAll().execute()).toEqual(before);
    expect(await db.selectFrom('searchWord').select('documents').where('word', '=', 'hello').execute()).toEqual([
      { documents: 1 },
    ]);
  });

  test('indexes transcripts by chunk, also with missing lines, and nothing behind the last one', async () => {
    const channel = await createChannel(db);
    await save(createRow('v1', channel, 'Talk'));
    const saveLines = async (texts: Record<number, string>) =>
      inTransaction(db, (tx) =>
        saveTranscriptOf(tx, 'v1', {
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
    await saveLines({ 0: 'hello first', 20: 'hello fifth', 81_914: 'hello last', 81_915: 'hello nobody' });
    expect((await search('full: hello')).sort()).toEqual(['v1-en-1', 'v1-en-16383', 'v1-en-5']);
    expect([await search('full: fifth fuzzy:no'), await search('full: last fuzzy:no')]).toEqual([['v1-en-5'], ['v1-en-16383']]);
    // The same words at another position belong to another chunk.
    await saveLines({ 0: 'hello first', 25: 'hello fifth' });
    expect([await search('full: fifth fuzzy:no'), await search('full: last fuzzy:no')]).toEqual([['v1-en-6'], []]);
    await saveLines({});
    expect([await search('full: hello'), (await indexedIds()).sort()]).toEqual([[], [channel, 'v1']]);
  });

  test('does not reindex a library of an earlier version', async () => {
    await save(createRow('v1', await createChannel(db, { id: 'c1' }), 'Talk', ['hello', '', 'world']));
    await indexPending(db);
    expect(await db.selectFrom('searchTrack').select('textHash').execute()).toEqual([{ textHash: 'd6c93727ad1e709b440c8d57' }]);
  });

  test('skips content that cannot be indexed, and continues', async () => {
    const ids = [];
    for (const title of ['Alpha', 'Beta', 'Gamma'])
      ids.push(await createVideo(db, { title, tags: title === 'Beta' ? 'no JSON' : '[]' }));
    expect([await search('alpha'), await search('beta'), await search('gamma')]).toEqual([[ids[0]], [], [ids[2]]]);
  });

  test('indexes characters outside the basic multilingual plane', async () => {
    const channel = await createChannel(db);
    const longText = '\u{10330}\u{10331}'.repeat(30);
    await save(createRow('v1', channel, `x${longText} \u{20000}\u{20001}`, [`x${longText}`, '\u{20000}']));
    expect([await search(`x${longText}`), await search('\u{20001}'), await search('full: \u{20000}')]).toEqual([
      ['v1'],
      ['v1'],
      ['v1-en-1'],
    ]);
  });

  test('indexes a very long video in steps, and resumes an interrupted one', async () => {
    const channel = await createChannel(db);
    await save(
      createRow(
        'v1',
        channel,
        'Long',
        Array.from({ length: 5000 }, (_, n) => `line number${n}`),
      ),
    );
    const indexedChunks = async () => (await db.selectFrom('searchTrack').select('chunks').execute()).map((row) => row.chunks);
    expect(await indexPending(db, 0)).toBe(false); // one step; names are indexed first
    while ((await indexedChunks()).length === 0) await indexPending(db, 0);
    expect(await indexedChunks()).toEqual([250]);
    expect(await indexPending(db)).toBe(true);
    expect(await indexedChunks()).toEqual([1000]);
    expect(await search('full: number0 number4999 fuzzy:no')).toHaveLength(2);
    await staff.call('DELETE', '/api/video/v1/');
    expect([await search('full: number7 fuzzy:no'), await indexedIds()]).toEqual([[], [channel]]);
  });
});

test('merges small name segments on SQLite without changing results', async () => {
  const t = await testApp();
  try {
    const { db } = t.app;
    const countSegments = async () =>
      (await sql<{ count: number }>`select count(distinct segid) as count from search_name_idx`.execute(db)).rows[0]!.count;
    const channelId = await createChannel(db);
    let count = 0;
    for (; count < 300 && (await countSegments()) <= 6; count++) {
      await createVideo(db, { id: `one${count}`, channelId, title: `Heron number${count}` });
      await indexPending(db);
    }
    const before = await countSegments();
    expect(before).toBeGreaterThan(6);
    await createVideo(db, { id: 'last', channelId, title: 'Heron' });
    await indexPendingPeriodically(t.app);
    expect(await countSegments()).toBe(1);
    expect(await findNumbers(db, { words: ['heron'] }, 1000)).toHaveLength(count + 1);
    await db.deleteFrom('video').where('id', '=', 'one0').execute();
    await indexPendingPeriodically(t.app);
    expect(await findNumbers(db, { words: ['heron'] }, 1000)).toHaveLength(count);
    expect(await countSegments()).toBeLessThan(before);
  } finally {
    await t.close();
  }
});

describe.each(engines)('an existing library, on $engine', ({ open }) => {
  test('is indexed in the background, newest first, and searchable meanwhile', async () => {
    const { db, close } = await open();
    try {
      await migrate(db, undefined, { groups: [] });
      const channelId = await createChannel(db, { name: 'From before' });
      for (let n = 0; n < 60; n++) {
        const id = `old${n}`;
        await createVideo(db, { id, channelId, title: `Old ${n}`, downloadedAt: n });
        await inTransaction(db, (tx) =>
          saveTranscriptOf(tx, id, { lang: 'en', lines: transcriptLines('en', createCues(['words', `unique${n}`])) }),
        );
      }
      await migrate(db);
      expect(await indexPending(db, 0)).toBe(false);
      let steps = 0;
      while ((await db.selectFrom('searchTrack').select('videoId').execute()).length === 0 && steps++ < 10)
        await indexPending(db, 0);
      const first = await db.selectFrom('searchTrack').select('videoId').execute();
      expect(first.length).toBeLessThan(60);
      expect(first.map((row) => row.videoId)).toContain('old59');
      expect(await indexPending(db)).toBe(true);
      expect(await db.selectFrom('searchTrack').select('videoId').execute()).toHaveLength(60);
      expect(await db.selectFrom('searchDocument').select('id').execute()).toHaveLength(61);
    } finally {
      await close();
    }
  });
});
