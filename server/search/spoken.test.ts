import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { inTransaction } from '../db/db.ts';
import { aChannel, aUser, aVideo, engines, testArchive, type TestArchive } from '../testing.ts';
import { linesOf, saveLinesOf } from '../video/lines.ts';
import { catchUp } from './catch-up.ts';

interface Answer {
  results: {
    video_results: { youtube_id: string; player: { watched: boolean }; _score: number }[];
    channel_results: { channel_id: string }[];
    playlist_results: { playlist_id: string }[];
    fulltext_results: Record<string, unknown>[];
  };
  queryType: string;
  has_more: boolean;
}

describe.each(engines)('searching what is spoken on $engine', (on) => {
  let t: TestArchive;
  let anna: Awaited<ReturnType<typeof aUser>>;
  beforeEach(async () => {
    t = await testArchive({ on });
    anna = await aUser(t);
  });
  afterEach(() => t.close());

  async function ask(query: string, more = ''): Promise<Answer> {
    await catchUp(t.archive.db);
    const answer = await anna.call('GET', `/api/search/?query=${encodeURIComponent(query)}${more}`);
    if (answer.statusCode !== 200) throw new Error(`${answer.statusCode} ${answer.body}`);
    return answer.json();
  }
  const videosFor = async (query: string, more = '') =>
    (await ask(query, more)).results.video_results.map((one) => one.youtube_id);
  const spokenFor = async (query: string, more = '') => (await ask(query, more)).results.fulltext_results;
  /** Speaks lines of two seconds each in a video, from 10 s on. */
  async function speak(videoId: string, texts: string[], { lang = 'en', source = 'user' as 'user' | 'auto' } = {}) {
    const cues = texts.map((text, place) => ({ start: 10 + place * 2, end: 12 + place * 2, text }));
    await t.archive.db
      .insertInto('subtitle')
      .values({ videoId, lang, source, name: lang, path: `${videoId}.${lang}.vtt` })
      .execute();
    await inTransaction(t.archive.db, (tx) => saveLinesOf(tx, videoId, { lang, lines: linesOf(lang, cues) }));
  }

  test('every form of an English word is found by any of them, and marked, the word itself first', async () => {
    const [exact, other, unlike] = [
      await aVideo(t.archive.db, { title: 'First' }),
      await aVideo(t.archive.db, { title: 'Second' }),
      await aVideo(t.archive.db, { title: 'Third' }),
    ];
    await speak(exact, ['the happiness of a controlled fire']);
    await speak(other, ['we were happy while controlling everything']);
    await speak(unlike, ['the happening on the controversial square']);
    const hits = await spokenFor('full: controlling fuzzy:no');
    expect(hits.map((hit) => hit['youtube_id'])).toEqual([other, exact]);
    expect(hits[1]!['subtitle_line']).toBe('the happiness of a <span class="settings-current">controlled</span> fire');
    expect((await spokenFor('full: happy fuzzy:no')).map((hit) => hit['youtube_id'])).toEqual([other, exact]);
  });

  test.each([
    ['bake', 'baking'],
    ['baking', 'bakes'],
    ['drives', 'driving'],
    ['make', 'making'],
  ])('who looks for %s finds %s', async (sought, spoken) => {
    const id = await aVideo(t.archive.db);
    await speak(id, [`this is ${spoken} with care`]);
    expect(await spokenFor(`full: ${sought} fuzzy:no`)).toMatchObject([
      { youtube_id: id, subtitle_line: `this is <span class="settings-current">${spoken}</span> with care` },
    ]);
  });

  test('what is spoken is found with the lines around it, marked, at the right second', async () => {
    const channelId = await aChannel(t.archive.db, { name: 'Speakers' });
    const id = await aVideo(t.archive.db, { channelId, title: 'A talk', refreshedAt: 1_760_000_000 });
    await speak(id, [
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
    const [hit, ...others] = await spokenFor('full: gonna');
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
      subtitle_hit_start: '00:00:22.000',
      subtitle_line:
        'five never &lt;b&gt;<span class="settings-current">gonna</span>&lt;/b&gt; &amp; &quot;give&quot; seven eight nine',
      subtitle_before: ['three', 'four'],
      subtitle_after: ['ten', 'last words'],
      subtitle_last_refresh: 1_760_000_000,
      vid_thumb_url: expect.stringContaining('/cache/videos/'),
      _index: 'ta_subtitle',
      _score: expect.any(Number),
    });
    // The last piece has fewer lines.
    expect(await spokenFor('full:last')).toMatchObject([{ subtitle_index: 3, subtitle_end: '00:00:34.000', subtitle_after: [] }]);
    expect(await spokenFor('full: gona')).toMatchObject([{ subtitle_line: expect.stringContaining('current">gonna<') }]);
  });

  test('a word far behind in what is looked for is found too', async () => {
    const id = await aVideo(t.archive.db);
    await speak(id, ['something about a controlled glacier']);
    const many = Array.from({ length: 20 }, (_, place) => `unheard${place}`).join(' ');
    expect(await spokenFor(`full: ${many} fuzzy:no`)).toEqual([]);
    expect(await spokenFor(`full: ${many} glacier fuzzy:no`)).toMatchObject([{ youtube_id: id }]);
    expect(await spokenFor(`full: ${many} -glacier controlled fuzzy:no`)).toEqual([]);
  });

  test('any word is enough there; those that say more, and more of them, come first', async () => {
    const filler = ['a', 'b', 'c', 'd'];
    const ids = [];
    for (const line of ['never ever', 'gonna go', 'never gonna give', 'nothing']) {
      const id = await aVideo(t.archive.db);
      await speak(id, [line, ...filler]);
      ids.push(id);
    }
    const found = (await spokenFor('full: never gonna')).map((hit) => hit['youtube_id']);
    expect(found).toHaveLength(3);
    expect(found[0]).toBe(ids[2]);
    expect((await spokenFor('full: "never gonna"')).map((hit) => hit['youtube_id'])).toEqual([ids[2]]);
    expect((await spokenFor('full: never -gonna')).map((hit) => hit['youtube_id'])).toEqual([ids[0]]);
  });

  test('language, source, channel, videos and the time within them narrow what is spoken', async () => {
    const anna1 = await aChannel(t.archive.db, { name: 'Anna Bell' });
    const one = await aVideo(t.archive.db, { channelId: anna1, durationSeconds: 50 });
    const two = await aVideo(t.archive.db);
    await speak(one, ['hello world'], { lang: 'en', source: 'user' });
    await speak(one, ['hello welt'], { lang: 'de', source: 'auto' });
    await speak(two, ['hello there', 'x', 'x', 'x', 'x', 'hello again'], { lang: 'en-US', source: 'auto' });
    const found = async (query: string, more = '') =>
      (await spokenFor(query, more)).map((hit) => hit['subtitle_fragment_id']).sort();
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

  test('without words what came last is shown, as narrowed and without what is left out', async () => {
    const ids = [];
    for (let n = 0; n < 4; n++) {
      const id = await aVideo(t.archive.db, {
        durationSeconds: 100 * n,
        publishedAt: 1_700_000_000 + n * 86_400,
        ...(n === 3 && { kind: 'shorts' as const }),
      });
      await speak(id, [n === 1 ? 'a good night to you' : 'a good day', 'x', 'x', 'x', 'x', 'night']);
      await catchUp(t.archive.db);
      ids.push(id);
    }
    await anna.call('POST', '/api/watched/', { id: ids[2], is_watched: true });
    const found = async (query: string, more = '') => (await spokenFor(query, more)).map((hit) => hit['youtube_id']);
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

  test('what is left out of very much leaves full pages', async () => {
    const channelId = await aChannel(t.archive.db);
    for (let n = 0; n < 420; n++) {
      const kind = n % 2 === 0 ? ('shorts' as const) : ('videos' as const);
      await speak(await aVideo(t.archive.db, { channelId, kind }), [n < 32 ? 'older and rare' : 'the usual night']);
    }
    const counts = async (query: string, more = '') => {
      const { results, has_more } = await ask(query, more);
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

  test('every script is found, in titles and in what is spoken', async () => {
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
      const id = await aVideo(t.archive.db, { title: text });
      await speak(id, [text]);
      expect([text, await videosFor(query)]).toEqual([text, [id]]);
      const spoken = await spokenFor(`full: ${query} fuzzy:no`);
      expect([text, spoken.map((hit) => hit['youtube_id'])]).toEqual([text, [id]]);
      expect(spoken[0]!['subtitle_line']).toContain('settings-current');
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
  ])('%s is only text', async (query) => {
    await aVideo(t.archive.db, { title: 'Something' });
    const { results } = await ask(query);
    expect(Object.keys(results)).toHaveLength(4);
  });
});
