import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { inTransaction } from '../../../platform/db/db.ts';
import { createChannel, createUser, createVideo, engines, testApp, type TestApp } from '../../../test-support/app.ts';
import { searchAs } from '../../../test-support/search.ts';
import { transcriptLines, saveTranscriptOf } from '../../../archive/video/save-transcript.ts';
import { indexPending } from '../index/index-pending.ts';

describe.each(engines)('searching transcripts on $engine', (on) => {
  let t: TestApp;
  let anna: Awaited<ReturnType<typeof createUser>>;
  beforeEach(async () => {
    t = await testApp({ on });
    anna = await createUser(t);
  });
  afterEach(() => t.close());

  const search = (query: string, parameters = '') => searchAs(t, anna, query, parameters);
  const videosFor = async (query: string, parameters = '') =>
    (await search(query, parameters)).results.video_results.map((one) => one.youtube_id);
  const transcriptHits = async (query: string, parameters = '') => (await search(query, parameters)).results.fulltext_results;
  /** Saves a transcript with lines of two seconds each, starting at 10 s. */
  async function saveTranscript(videoId: string, texts: string[], { lang = 'en', source = 'user' as 'user' | 'auto' } = {}) {
    const cues = texts.map((text, index) => ({ start: 10 + index * 2, end: 12 + index * 2, text }));
    await t.app.db
      .insertInto('subtitle')
      .values({ videoId, lang, source, name: lang, path: `${videoId}.${lang}.vtt` })
      .execute();
    await inTransaction(t.app.db, (tx) => saveTranscriptOf(tx, videoId, { lang, lines: transcriptLines(lang, cues) }));
  }

  test('finds and highlights all inflections of an English word, the exact one first', async () => {
    const [exact, other, unrelated] = [
      await createVideo(t.app.db, { title: 'First' }),
      await createVideo(t.app.db, { title: 'Second' }),
      await createVideo(t.app.db, { title: 'Third' }),
    ];
    await saveTranscript(exact, ['the happiness of a controlled fire']);
    await saveTranscript(other, ['we were happy while controlling everything']);
    await saveTranscript(unrelated, ['the happening on the controversial square']);
    const hits = await transcriptHits('full: controlling fuzzy:no');
    expect(hits.map((hit) => hit['youtube_id'])).toEqual([other, exact]);
    expect(hits[1]!['subtitle_line']).toBe('the happiness of a <span class="settings-current">controlled</span> fire');
    expect((await transcriptHits('full: happy fuzzy:no')).map((hit) => hit['youtube_id'])).toEqual([other, exact]);
  });

  test('words that are everywhere make no hit alone, and near words come first', async () => {
    const [tea, apart, near] = [
      await createVideo(t.app.db, { title: 'Tea' }),
      await createVideo(t.app.db, { title: 'Apart' }),
      await createVideo(t.app.db, { title: 'Near' }),
    ];
    const filler = Array.from({ length: 150 }, (_, n) => `in a place and in a house number ${n}`);
    await saveTranscript(tea, filler);
    await saveTranscript(apart, ['tea came first and after it came many other things', 'that stand in no relation to a glass']);
    await saveTranscript(near, ['they drank tea in a glass']);
    const ids = (await transcriptHits('full:tea in a glass')).map((hit) => hit['youtube_id']);
    expect(ids).toEqual([near, apart]);
    expect((await transcriptHits('full:in a house')).length).toBeGreaterThan(5);
  });

  test('start where the word is spoken', async () => {
    const id = await createVideo(t.app.db, { title: 'Long lines' });
    await saveTranscript(id, ['a line before', 'abcdefghijkl mnopqrs unusual words']);
    const [hit] = await transcriptHits('full:unusual');
    // The second line is spoken from 12 s to 14 s, and the word is its 22nd of 35 characters.
    expect(hit).toMatchObject({ youtube_id: id, subtitle_hit_start: '00:00:13.235' });
  });

  test('name the picture of the second in the storyboard of the present file', async () => {
    const id = await createVideo(t.app.db, { id: 'talk0000001', durationSeconds: 260, sha256: 'a' });
    await saveTranscript(
      id,
      Array.from({ length: 105 }, (_, n) => `word${n}`),
    );
    const picture = async (word: string) => (await transcriptHits(`full:${word} fuzzy:no`))[0]!['subtitle_picture'];
    const sheet = { sheet_width: 1600, width: 160, height: 90 };
    await t.app.db.insertInto('storyboard').values({ videoId: id, sheets: 2, sourceSha256: 'a' }).execute();
    // Word 7 is spoken at 24 s, in tile 12; word 101 at 212 s, in tile 106, which is in the second sheet.
    expect(await picture('word7')).toEqual({ ...sheet, sheet_url: '/cache/storyboards/t/talk0000001_0.jpg', x: 320, y: 90 });
    expect(await picture('word101')).toEqual({ ...sheet, sheet_url: '/cache/storyboards/t/talk0000001_1.jpg', x: 960, y: 0 });
    await t.app.db.updateTable('video').set({ sha256: 'another file' }).where('id', '=', id).execute();
    expect(await picture('word7')).toBeNull();
  });

  test.each([
    ['bake', 'baking'],
    ['baking', 'bakes'],
    ['drives', 'driving'],
    ['make', 'making'],
  ])('%s finds %s', async (query, word) => {
    const id = await createVideo(t.app.db);
    await saveTranscript(id, [`this is ${word} with care`]);
    expect(await transcriptHits(`full: ${query} fuzzy:no`)).toMatchObject([
      { youtube_id: id, subtitle_line: `this is <span class="settings-current">${word}</span> with care` },
    ]);
  });

  test('returns lines with context, highlights and position', async () => {
    const channelId = await createChannel(t.app.db, { name: 'Speakers' });
    const id = await createVideo(t.app.db, { channelId, title: 'A talk', refreshedAt: 1_760_000_000 });
    await saveTranscript(id, [
      'zero',
      'one',
      'two',
      'three',
      'four',
      'five',
      'never <b>gonna</b> & "give"',
      'seven',
      'eight',
      'nine',
      'ten',
      'last words',
    ]);
    const [hit, ...others] = await transcriptHits('full: gonna');
    expect(others).toEqual([]);
    expect(hit).toEqual({
      youtube_id: id,
      title: 'A talk',
      subtitle_channel: 'Speakers',
      subtitle_channel_id: channelId,
      subtitle_lang: 'en',
      subtitle_source: 'user',
      subtitle_index: 2,
      subtitle_fragment_id: `${id}-en-2`,
      subtitle_start: '00:00:20.000',
      subtitle_end: '00:00:30.000',
      subtitle_hit_start: '00:00:22.667',
      subtitle_picture: null,
      subtitle_line:
        'five never &lt;b&gt;<span class="settings-current">gonna</span>&lt;/b&gt; &amp; &quot;give&quot; seven eight nine',
      subtitle_before: ['three', 'four'],
      subtitle_after: ['ten', 'last words'],
      subtitle_last_refresh: 1_760_000_000,
      vid_thumb_url: expect.stringContaining('/cache/videos/'),
      _index: 'ta_subtitle',
      _score: expect.any(Number),
    });
    // The last chunk has fewer lines.
    expect(await transcriptHits('full:last')).toMatchObject([
      { subtitle_index: 3, subtitle_end: '00:00:34.000', subtitle_after: [] },
    ]);
    expect(await transcriptHits('full: gona')).toMatchObject([{ subtitle_line: expect.stringContaining('current">gonna<') }]);
  });

  test('finds a word at the end of a long line', async () => {
    const id = await createVideo(t.app.db);
    await saveTranscript(id, ['something about a controlled glacier']);
    const missingWords = Array.from({ length: 20 }, (_, index) => `unheard${index}`).join(' ');
    expect(await transcriptHits(`full: ${missingWords} fuzzy:no`)).toEqual([]);
    expect(await transcriptHits(`full: ${missingWords} glacier fuzzy:no`)).toMatchObject([{ youtube_id: id }]);
    expect(await transcriptHits(`full: ${missingWords} -glacier controlled fuzzy:no`)).toEqual([]);
  });

  test('matches any word, and ranks more and rarer ones first', async () => {
    const filler = ['a', 'b', 'c', 'd'];
    const ids = [];
    for (const line of ['never ever', 'gonna go', 'never gonna give', 'nothing']) {
      const id = await createVideo(t.app.db);
      await saveTranscript(id, [line, ...filler]);
      ids.push(id);
    }
    const found = (await transcriptHits('full: never gonna')).map((hit) => hit['youtube_id']);
    expect(found).toHaveLength(3);
    expect(found[0]).toBe(ids[2]);
    expect((await transcriptHits('full: "never gonna"')).map((hit) => hit['youtube_id'])).toEqual([ids[2]]);
    expect((await transcriptHits('full: never -gonna')).map((hit) => hit['youtube_id'])).toEqual([ids[0]]);
  });

  test('filters by language, source, channel, video and time range', async () => {
    const anna1 = await createChannel(t.app.db, { name: 'Anna Bell' });
    const one = await createVideo(t.app.db, { channelId: anna1, durationSeconds: 50 });
    const two = await createVideo(t.app.db);
    await saveTranscript(one, ['hello world'], { lang: 'en', source: 'user' });
    await saveTranscript(one, ['hello welt'], { lang: 'de', source: 'auto' });
    await saveTranscript(two, ['hello there', 'x', 'x', 'x', 'x', 'hello again'], { lang: 'en-US', source: 'auto' });
    const found = async (query: string, parameters = '') =>
      (await transcriptHits(query, parameters)).map((hit) => hit['subtitle_fragment_id']).sort();
    expect(await found('full: hello')).toEqual([`${one}-de-1`, `${one}-en-1`, `${two}-en-US-1`, `${two}-en-US-2`].sort());
    expect(await found('full: hello lang:en')).toEqual([`${one}-en-1`]);
    expect(await found('full: hello lang:en-us')).toEqual([`${two}-en-US-1`, `${two}-en-US-2`]);
    expect(await found('full: hello source:user')).toEqual([`${one}-en-1`]);
    expect(await found('full: hello channel:anna bel')).toEqual([`${one}-de-1`, `${one}-en-1`]);
    expect(await found('full: lang:de')).toEqual([`${one}-de-1`]);
    expect(await found('full: hello', '&max_duration=50')).toEqual([`${one}-de-1`, `${one}-en-1`]);
    expect(await found('full: hello', '&t_from=20')).toEqual([`${two}-en-US-2`]);
    expect(await found('full: hello', '&t_to=12&max_duration=50')).toEqual([`${one}-de-1`, `${one}-en-1`]);
    expect(await found('full:')).toHaveLength(3);
  });

  test('without words, returns the newest lines with filters and exclusions', async () => {
    const ids = [];
    for (let n = 0; n < 4; n++) {
      const id = await createVideo(t.app.db, {
        durationSeconds: 100 * n,
        publishedAt: 1_700_000_000 + n * 86_400,
        ...(n === 3 && { kind: 'shorts' as const }),
      });
      await saveTranscript(id, [n === 1 ? 'a good night to you' : 'a good day', 'x', 'x', 'x', 'x', 'night']);
      await indexPending(t.app.db);
      ids.push(id);
    }
    await anna.call('POST', '/api/watched/', { id: ids[2], is_watched: true });
    const found = async (query: string, parameters = '') =>
      (await transcriptHits(query, parameters)).map((hit) => hit['youtube_id']);
    const [none, one, two, three] = ids;
    expect(await found('full:')).toEqual([three, two, one, none]);
    expect(await found('full:', '&type=videos')).toEqual([two, one, none]);
    expect(await found('full:', '&watched=true')).toEqual([two]);
    expect(await found('full:', '&watched=false')).toEqual([three, one, none]);
    expect(await found('full:', '&min_duration=150')).toEqual([three, two]);
    expect(await found('full:', '&max_duration=150&from=2023-11-15')).toEqual([one]);
    expect(await found('full:', '&to=2023-11-15')).toEqual([one, none]);
    expect(await found('full:', '&type=streams')).toEqual([]);
    expect(await found('full: -night')).toEqual([three, two, none]);
    expect(await found('full: -"good day"')).toEqual([one]);
    expect(await found('full: -night', '&watched=true')).toEqual([two]);
    expect(await found('full: -"good day" -night')).toEqual([]);
    expect(await found('full: -night', '&t_from=100')).toEqual([]);
    expect(await found('full: -night', '&t_from=12')).toEqual([three, two, none]);
  });

  test('returns full pages after excluding many lines', async () => {
    const channelId = await createChannel(t.app.db);
    for (let n = 0; n < 420; n++) {
      const kind = n % 2 === 0 ? ('shorts' as const) : ('videos' as const);
      await saveTranscript(await createVideo(t.app.db, { channelId, kind }), [n < 32 ? 'older and rare' : 'the usual night']);
    }
    const counts = async (query: string, parameters = '') => {
      const { results, has_more } = await search(query, parameters);
      return [results.fulltext_results.length, has_more];
    };
    expect([await counts('full: -night'), await counts('full: -night', '&page=2')]).toEqual([
      [30, true],
      [2, false],
    ]);
    expect(await counts('full: -night', '&type=shorts')).toEqual([16, false]);
    expect(await counts('full: -night', '&watched=false&page=2')).toEqual([2, false]);
    expect([await counts('full:', '&watched=false&page=14'), await counts('full:', '&watched=true')]).toEqual([
      [30, false],
      [0, false],
    ]);
  });

  test('finds every script in titles and transcripts', async () => {
    for (const [text, query] of [
      ['東京タワーへ行く', '京タ'],
      ['서울에서 만나요', '서울'],
      ['ประเทศไทยสวยงาม', 'ไทย'],
      ['أحمد السَّلَامُ', 'احمد السلام'],
      ['שָׁלוֹם עולם', 'שלום'],
      ['Ещё раз о главном', 'еще главном'],
      ['Việt Nam', 'viet nam'],
      ['Straße nach Łódź', 'strasse lodz'],
      ['party 🎉 time', '🎉'],
      ['雪', '雪'],
    ] as const) {
      const id = await createVideo(t.app.db, { title: text });
      await saveTranscript(id, [text]);
      expect([text, await videosFor(query)]).toEqual([text, [id]]);
      const hits = await transcriptHits(`full: ${query} fuzzy:no`);
      expect([text, hits.map((hit) => hit['youtube_id'])]).toEqual([text, [id]]);
      expect(hits[0]!['subtitle_line']).toContain('settings-current');
    }
  });

  test.each([
    `' OR 1=1 --`,
    '"; drop table video; --',
    'NEAR(a b)',
    'a AND OR NOT',
    'a* ^b {title}: c + d',
    'title:x words:y rowid:1',
    ':* & | ! <->',
    "a'b''c \\' \\",
    'full: a NOT b "c d" -e',
    'full: \u0001 x',
    'video: channel:\'"',
    'full: lang:\' OR source:"',
    '=video =c0',
    'x '.repeat(900),
    'full:' + 'ab '.repeat(600),
    '\ufffd \ufffe',
    '%_%',
  ])('%s is plain text', async (query) => {
    await createVideo(t.app.db, { title: 'Something' });
    const { results } = await search(query);
    expect(Object.keys(results)).toHaveLength(4);
  });
});
