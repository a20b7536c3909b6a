import type { Reply } from '#contract/endpoint.ts';
import type { Api } from '#contract/api.ts';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { writeSettings } from '../../../archive/settings/store.ts';
import { saveComments } from '../../../archive/video/save-comments.ts';
import { saveTranscriptOf, transcriptLines } from '../../../archive/video/save-transcript.ts';
import { inTransaction } from '../../../platform/db/db.ts';
import { createChannel, createUser, createVideo, engines, testApp, type TestApp } from '../../../test-support/app.ts';
import { indexPending } from '../index/index-pending.ts';
import { parseMoments } from './parse-moments.ts';

type Found = Reply<Api['GET /api/search/moments/']>;

describe.each(engines)('searching moments on $engine', (on) => {
  let t: TestApp;
  let anna: Awaited<ReturnType<typeof createUser>>;
  beforeEach(async () => {
    t = await testApp({ on });
    anna = await createUser(t);
  });
  afterEach(() => t.close());

  const request = (query: string, parameters = '') =>
    anna.call('GET', `/api/search/moments/?query=${encodeURIComponent(query)}${parameters}`);
  async function search(query: string, parameters = ''): Promise<Found> {
    await indexPending(t.app.db);
    const response = await request(query, parameters);
    if (response.statusCode !== 200) throw new Error(`${response.statusCode} ${response.body}`);
    return response.json();
  }
  const ids = async (query: string, parameters = '') => (await search(query, parameters)).videos.map((video) => video.youtube_id);
  /** The moments of all videos as `kind text`, with [ ] around matches. */
  const marked = async (query: string, parameters = '') =>
    (await search(query, parameters)).videos.flatMap(({ moments }) =>
      moments.map(({ kind, text, ranges }) => {
        let [shown, at] = ['', 0];
        for (const [from, to] of ranges) {
          shown += `${text.slice(at, from)}[${text.slice(from, to)}]`;
          at = to;
        }
        return `${kind} ${shown}${text.slice(at)}`;
      }),
    );

  const saveTranscript = (videoId: string, texts: string[], lang = 'en') =>
    inTransaction(t.app.db, (tx) =>
      saveTranscriptOf(tx, videoId, {
        lang,
        lines: transcriptLines(
          lang,
          texts.map((text, index) => ({ start: 10 + index * 2, end: 12 + index * 2, text })),
        ),
      }),
    );
  const comment = (id: string, text: string, others: { author?: string; likeCount?: number } = {}) => ({
    id,
    parent: 'root',
    author: 'Somebody',
    authorId: 'UCsomebody',
    authorThumbnail: '',
    writtenAt: 0,
    likeCount: 0,
    isFavorited: false,
    isByUploader: false,
    text,
    ...others,
  });
  const saveSomeComments = (videoId: string, comments: ReturnType<typeof comment>[]) =>
    inTransaction(t.app.db, (tx) => saveComments(tx, videoId, comments));
  const chapters = (...titles: string[]) =>
    JSON.stringify(titles.map((title, place) => ({ title, start: place * 60, end: place * 60 + 60 })));

  test('finds every kind of text, with the second or the comment', async () => {
    const id = await createVideo(t.app.db, {
      title: 'Repairing a gasket',
      tags: '["gasket","kitchen"]',
      description: 'The gasket comes from a machine of 1961.',
      chapters: chapters('Intro', 'The old gasket'),
    });
    await saveTranscript(id, ['today', 'we change the gasket', 'of this machine']);
    await saveSomeComments(id, [comment('Ugx1', 'Where is this gasket from?', { author: 'Jane Doe' })]);
    await t.app.db
      .insertInto('metadataHistory')
      .values({ videoId: id, field: 'title', replacedAt: 5, value: 'How I broke my gasket' })
      .execute();
    const { videos, counts } = await search('gasket');
    expect(videos.map((video) => [video.youtube_id, video.title, video.more])).toEqual([[id, 'Repairing a gasket', 4]]);
    expect(videos[0]!.moments).toHaveLength(3);
    expect(counts).toEqual({ title: 2, tag: 1, spoken: 1, chapter: 1, description: 1, comment: 1 });
    expect((await marked('gasket', `&video=${id}`)).toSorted()).toEqual([
      'chapter The old [gasket]',
      'comment Where is this [gasket] from?',
      'description The [gasket] comes from a machine of 1961.',
      'spoken today we change the [gasket] of this machine',
      'tag [gasket]',
      'title How I broke my [gasket]',
      'title Repairing a [gasket]',
    ]);
    const [all] = (await search('gasket', `&video=${id}`)).videos;
    const found = (kind: string) => all!.moments.find((moment) => moment.kind === kind);
    expect(found('chapter')).toMatchObject({ start: 60, end: 120 });
    expect(found('comment')).toMatchObject({ start: null, comment_id: 'Ugx1', author: 'Jane Doe' });
    expect(found('spoken')).toMatchObject({ lang: 'en', end: 16, is_generated: false });
    expect(found('spoken')!.start).toBeGreaterThan(12);
    expect(all!.moments.filter(({ is_former }) => is_former).map(({ text }) => text)).toEqual(['How I broke my gasket']);
  });

  test('ranks a title before spoken words and comments, and two kinds before one', async () => {
    const [commented, spoken, titled, both] = await Promise.all(
      ['Alpha', 'Beta', 'A heron', 'Gamma'].map((title) => createVideo(t.app.db, { title })),
    );
    await saveSomeComments(commented!, [comment('c1', 'a heron in a comment')]);
    await saveTranscript(spoken!, ['I see a heron']);
    await saveTranscript(both!, ['I see a heron']);
    await saveSomeComments(both!, [comment('c2', 'another heron')]);
    expect(await ids('heron')).toEqual([titled, both, spoken, commented]);
  });

  test('requires all words of a comment, and shows the surroundings of a match in a long one', async () => {
    const id = await createVideo(t.app.db);
    const filler = 'some words about nothing in particular '.repeat(20);
    await saveSomeComments(id, [comment('long', `${filler} the blue viaduct of iron ${filler}`), comment('half', 'a blue sky')]);
    const moments = (await search('blue viaduct')).videos[0]!.moments;
    expect(moments.map(({ comment_id }) => comment_id)).toEqual(['long']);
    expect(moments[0]!.text.length).toBeLessThan(260);
    expect(moments[0]!.ranges.map(([from, to]) => moments[0]!.text.slice(from, to))).toEqual(['blue', 'viaduct']);
    expect(moments[0]!.text).toMatch(/^….*…$/s);
  });

  test('phrases, excluded words, authors and typing errors', async () => {
    const id = await createVideo(t.app.db, { title: 'Zeta' });
    await saveSomeComments(id, [
      comment('c1', 'the red balloon', { author: 'Jane Doe' }),
      comment('c2', 'balloon in red', { author: 'John' }),
    ]);
    const commentIds = async (query: string, parameters = '') =>
      (await search(query, parameters)).videos.flatMap(({ moments }) => moments.map(({ comment_id }) => comment_id));
    expect(await commentIds('"red balloon"')).toEqual(['c1']);
    expect(await commentIds('balloon -the')).toEqual(['c2']);
    expect(await commentIds('by:jane balloon')).toEqual(['c1']);
    expect(await commentIds('by:"jane doe"')).toEqual(['c1']);
    expect(await commentIds('by:jane in:title balloon')).toEqual([]);
    expect((await commentIds('baloon')).toSorted()).toEqual(['c1', 'c2']);
    expect((await search('baloon')).corrections).toEqual([{ word: 'baloon', instead: 'balloon' }]);
  });

  test('shows a comment that was written many times once', async () => {
    const [one, two] = [await createVideo(t.app.db, { title: 'One' }), await createVideo(t.app.db, { title: 'Two' })];
    await saveSomeComments(one, [comment('c1', 'Who is here in 2026?'), comment('c2', 'who is here in 2026')]);
    await saveSomeComments(two, [comment('c3', 'Who is here in 2026')]);
    expect((await search('who here 2026')).counts).toEqual({ comment: 1 });
  });

  test('indexes the most liked comments, as many as the setting says', async () => {
    const id = await createVideo(t.app.db);
    await writeSettings(t.app.db, { downloads: { comment_index: 2 } });
    await saveSomeComments(
      id,
      [1, 9, 5, 0].map((likeCount) => comment(`c${likeCount}`, `plumage number${likeCount}`, { likeCount })),
    );
    const found = async () => (await search('plumage')).videos.flatMap(({ moments }) => moments.map((one) => one.comment_id));
    expect((await found()).toSorted()).toEqual(['c5', 'c9']);
    await writeSettings(t.app.db, { downloads: { comment_index: null } });
    expect((await search('plumage')).counts).toEqual({ comment: 4 });
    await writeSettings(t.app.db, { downloads: { comment_index: 0 } });
    expect(await search('plumage')).toMatchObject({ videos: [], notices: [{ id: 'search.comments-off' }] });
    expect((await search('plumage', '&in=title')).notices).toEqual([]);
    expect(await t.app.db.selectFrom('searchMoment').select('rowid').execute()).toEqual([]);
  });

  test('follows changes, and keeps documents that did not change', async () => {
    const id = await createVideo(t.app.db, { description: 'about otters', chapters: chapters('Otters') });
    await saveSomeComments(id, [comment('c1', 'lovely otters'), comment('c2', 'nothing')]);
    expect((await search('otters')).counts).toEqual({ chapter: 1, description: 1, comment: 1 });
    const numbers = async () =>
      new Map(
        (await t.app.db.selectFrom('momentDocument').select(['ref', 'number']).where('kind', '=', 'comment').execute()).map(
          (row) => [row.ref, row.number],
        ),
      );
    const before = await numbers();
    await saveSomeComments(id, [comment('c1', 'lovely badgers'), comment('c2', 'nothing')]);
    await t.app.db.updateTable('video').set({ description: 'about badgers', chapters: '[]' }).where('id', '=', id).execute();
    expect(await search('otters')).toMatchObject({ videos: [] });
    expect((await search('badgers')).counts).toEqual({ description: 1, comment: 1 });
    expect((await numbers()).get('c2')).toBe(before.get('c2'));
    expect((await numbers()).get('c1')).not.toBe(before.get('c1'));
    await t.app.db.deleteFrom('video').where('id', '=', id).execute();
    expect((await search('badgers')).videos).toEqual([]);
    expect(await t.app.db.selectFrom('momentDocument').select('number').execute()).toEqual([]);
  });

  test('searches the kinds that both the query and the parameter name', async () => {
    await createVideo(t.app.db, { title: 'Kestrel', description: 'a kestrel' });
    const counts = async (query: string, parameters = '') => (await search(query, parameters)).counts;
    expect(await counts('kestrel in:title,tag', '&in=title,description')).toEqual({ title: 1 });
    expect(await counts('kestrel in:title', '&in=description')).toEqual({});
  });

  test('a video with faulty chapters is found by everything else', async () => {
    const id = await createVideo(t.app.db, { title: 'Falcon', chapters: 'no JSON' });
    const other = await createVideo(t.app.db, { title: 'Other', description: 'a falcon' });
    expect(await ids('falcon')).toEqual([id, other]);
  });

  test('filters by channel, playlist, tag, day, watch state and language', async () => {
    const channelId = await createChannel(t.app.db, { name: 'Bread corner' });
    const [in2024, in2025, german] = [
      await createVideo(t.app.db, { title: 'Rye one', publishedAt: Date.UTC(2024, 5, 1) / 1000, tags: '["Baking"]' }),
      await createVideo(t.app.db, { title: 'Rye two', publishedAt: Date.UTC(2025, 5, 1) / 1000, channelId }),
      await createVideo(t.app.db, { title: 'Three', publishedAt: Date.UTC(2026, 0, 1) / 1000 }),
    ];
    await saveTranscript(german, ['rye heißt roggen'], 'de');
    await saveSomeComments(in2025, [comment('c1', 'rye is best')]);
    await anna.call('POST', '/api/watched/', { id: in2024, is_watched: true });
    const playlistId = (await anna.call('POST', '/api/playlist/custom/', { playlist_name: 'Mine' })).json().playlist_id as string;
    await anna.call('POST', `/api/playlist/custom/${playlistId}/`, { action: 'create', video_id: in2025 });

    expect((await ids('rye')).toSorted()).toEqual([in2024, in2025, german].toSorted());
    expect(await ids('rye', `&channel=${channelId}`)).toEqual([in2025]);
    expect(await ids('rye channel:bread')).toEqual([in2025]);
    expect(await ids('rye', `&playlist=${playlistId}`)).toEqual([in2025]);
    expect(await ids('rye tag:baking')).toEqual([in2024]);
    expect(await ids('rye', '&tag=BAKING')).toEqual([in2024]);
    expect(await ids('rye before:2025')).toEqual([in2024]);
    expect(await ids('rye after:2025-06 before:2026')).toEqual([in2025]);
    expect((await ids('rye', '&after=2025-06-01')).toSorted()).toEqual([in2025, german].toSorted());
    expect(await ids('rye is:watched')).toEqual([in2024]);
    expect((await ids('rye', '&watched=false')).toSorted()).toEqual([in2025, german].toSorted());
    expect(await ids('rye lang:de')).toEqual([german]);
    expect(await ids('rye is:generated')).toEqual([]);
    expect(await ids('is:unwatched before:2026')).toEqual([in2025]);

    const bob = await createUser(t, { name: 'bob' });
    const hidden = await bob.call('GET', `/api/search/moments/?query=rye&playlist=${playlistId}`);
    expect([hidden.statusCode, hidden.json().error]).toEqual([404, 'playlist not found']);
  });

  test('a pasted id or address finds the video', async () => {
    const id = await createVideo(t.app.db, { id: 'dQw4w9WgXcQ', title: 'A song' });
    for (const text of [id, `https://www.youtube.com/watch?v=${id}&t=5s`, `https://youtu.be/${id}`])
      expect([text, await ids(text)]).toEqual([text, [id]]);
    expect(await ids('dqw4w9wgxcq')).toEqual([]);
  });

  test('pages through videos', async () => {
    const channelId = await createChannel(t.app.db);
    for (let n = 0; n < 25; n++) await createVideo(t.app.db, { title: `Swift ${n}`, channelId });
    const [first, second] = [await search('swift'), await search('swift', '&page=2')];
    expect([first.videos.length, first.has_more, second.videos.length, second.has_more]).toEqual([20, true, 5, false]);
    expect(new Set([...first.videos, ...second.videos].map((video) => video.youtube_id)).size).toBe(25);
  });

  test.each([
    ['&in=title,foo', 400, 'Unknown kind: foo. Use title, spoken, chapter, description, comment, note, tag or screen.'],
    ['&after=2025-01-02&before=2025-01-01', 400, 'The start date is after the end date.'],
    ['&mode=meaning', 409, 'Meaning search is off. Staff can turn it on in Settings → Transcripts.'],
    [`&tag=x&query=${'x'.repeat(2001)}`, 400, 'A search can have 2,000 characters.'],
  ])('rejects %#', async (parameters, status, text) => {
    const response = await anna.call('GET', `/api/search/moments/?${parameters}`);
    expect(response.statusCode).toBe(status);
    expect(response.body).toContain(text);
  });

  test('says that the index is behind', async () => {
    await createVideo(t.app.db, { description: 'something' });
    expect((await request('something')).json().notices).toEqual([{ id: 'search.indexing' }]);
    expect((await search('something')).notices).toEqual([]);
  });
});

test.each([
  ['in:comment,title x', { kinds: ['comment', 'title'], terms: ['x'] }],
  ['in:nowhere', { terms: ['in:nowhere'] }],
  ['unknown:key at 10:30', { terms: ['unknown:key', 'at', '10:30'] }],
  ['tag:"two words" by:me', { tags: ['two words'], by: ['me'] }],
  ['tag:', {}],
  ['after:2024 before:2024-03', { from: Date.UTC(2024, 0, 1) / 1000, to: Date.UTC(2024, 2, 1) / 1000 - 1 }],
  ['after:2024-02-30 before:soon', { terms: ['after:2024-02-30', 'before:soon'] }],
  ['is:odd is:generated', { terms: ['is:odd'], isGenerated: true }],
  ['constructor:x -"a b" "c d"', { terms: ['constructor:x'], excluded: ['a b'], phrases: ['c d'] }],
])('parses %s', (text, expected) => expect(parseMoments(text)).toMatchObject({ terms: [], ...expected }));
