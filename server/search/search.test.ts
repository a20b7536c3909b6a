import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { aChannel, aUser, aVideo, engines, testArchive, type TestArchive } from '../testing.ts';
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

describe.each(engines)('searching on $engine', (on) => {
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
  const aPlaylist = (id: string, name: string, description: string | null = null) =>
    t.archive.db
      .insertInto('playlist')
      .values({ id, kind: 'regular', name, sortName: name.toLowerCase(), description, refreshedAt: 0 })
      .execute();
  test('a plain query finds titles of videos and names of channels and playlists, all words of it', async () => {
    const channel = await aChannel(t.archive.db, { name: 'Rust for everybody' });
    const video = await aVideo(t.archive.db, { channelId: channel, title: 'Learning Rust asynchronously' });
    await aVideo(t.archive.db, { title: 'Rusty nails', tags: '["rust"]' });
    await aPlaylist('PLrust', 'All about rust');
    const { results, queryType, has_more } = await ask('rust');
    expect(results.video_results.map((one) => one.youtube_id)).toContain(video);
    expect(results.channel_results.map((one) => one.channel_id)).toEqual([channel]);
    expect(results.playlist_results.map((one) => one.playlist_id)).toEqual(['PLrust']);
    expect([queryType, has_more, results.fulltext_results]).toEqual(['simple', false, []]);
    expect(await videosFor('rust async')).toEqual([video]);
    expect(await videosFor('asyn rust')).toEqual([]); // only the last word may be a beginning
    expect(await videosFor('rust python')).toEqual([]);
  });

  test('all words must be in one field, and the title counts more than the tags', async () => {
    const tagged = await aVideo(t.archive.db, { title: 'Something', tags: '["ocean waves"]', publishedAt: 1_800_000_000 });
    const titled = await aVideo(t.archive.db, { title: 'Ocean waves' });
    await aVideo(t.archive.db, { title: 'Ocean', tags: '["waves"]' });
    const inCategory = await aVideo(t.archive.db, { title: 'Else', categories: '["Ocean Waves"]' });
    expect(await videosFor('video: ocean waves')).toEqual([titled, tagged, inCategory]);
    expect(await videosFor('ocean waves')).toEqual([titled]);
  });

  test('every word of a long title counts, the last as a beginning; typos are forgiven in the first twelve', async () => {
    const words = (count: number) => Array.from({ length: count }, (_, place) => `word${'abcdefghijklmnopqrstuvwxyz'[place]}x`);
    const id = await aVideo(t.archive.db, { title: words(20).join(' ') });
    await aVideo(t.archive.db, { title: words(12).join(' ') });
    expect(await videosFor(words(20).join(' '))).toEqual([id]);
    expect(await videosFor([...words(19), 'wordt'].join(' '))).toEqual([id]);
    expect(await videosFor([...words(19), 'unlike'].join(' '))).toEqual([]);
    expect(await videosFor([...words(18), 'unlike', 'wordtx'].join(' '))).toEqual([]);
    const mistyped = (place: number) => words(20).with(place, words(20)[place]!.replace('word', 'wrd')).join(' ');
    expect([await videosFor(mistyped(11)), await videosFor(mistyped(12))]).toEqual([[id], []]);
  });

  test('a mistyped word is found, as far as fuzzy allows', async () => {
    const id = await aVideo(t.archive.db, { title: 'Mountain biking holidays' });
    for (const query of [
      'mountian biking',
      'montain biking',
      'muontain bikin',
      'fountain biking',
      'mxntain biking',
      'mountain bikinh holidays',
    ])
      expect([query, await videosFor(query)]).toEqual([query, [id]]);
    expect(await videosFor('mountian biking fuzzy:no')).toEqual([]);
    expect(await videosFor('mountian biking fuzzy:1')).toEqual([id]);
    expect(await videosFor('muontian biking fuzzy:1')).toEqual([]);
    expect(await videosFor('mountain bikinh')).toEqual([]); // the last word is still being typed
    await aVideo(t.archive.db, { title: 'We go up' });
    expect(await videosFor('wa go')).toEqual([]); // two letters are too few to guess
  });

  test('keywords narrow what is found', async () => {
    const tom = await aChannel(t.archive.db, { name: 'Tom Scott', description: 'Amazing places', isSubscribed: 1 });
    const other = await aChannel(t.archive.db, { name: 'Tom Other', tags: '["places"]' });
    const here = await aVideo(t.archive.db, { channelId: tom, title: 'Bridges' });
    const gone = await aVideo(t.archive.db, { channelId: tom, title: 'Bridges of old', isActive: 0 });
    const theirs = await aVideo(t.archive.db, { channelId: other, title: 'Bridges too' });
    await aPlaylist('PLb', 'Bridges', 'Steel and stone');
    expect((await videosFor('video: bridges channel:tom sco')).sort()).toEqual([here, gone].sort());
    expect((await videosFor('video: bridges channel:tom')).sort()).toEqual([here, gone, theirs].sort());
    expect(await videosFor('video: bridges channel:scott active:yes')).toEqual([here]);
    expect(await videosFor('video: active:no')).toEqual([gone]);
    expect(await videosFor('video: channel:nobody')).toEqual([]);
    const channelsFor = async (query: string) => (await ask(query)).results.channel_results.map((one) => one.channel_id);
    expect((await channelsFor('channel:places')).sort()).toEqual([tom, other].sort());
    expect(await channelsFor('channel:places subscribed:yes')).toEqual([tom]);
    expect(await channelsFor('channel: subscribed:no')).toEqual([other]);
    expect((await ask('playlist:steel')).results.playlist_results).toHaveLength(1);
    expect((await ask('playlist: steel subscribed:yes')).results.playlist_results).toEqual([]);
    expect((await ask('playlist:')).results.playlist_results).toHaveLength(1);
  });

  test('phrases, words to leave out, dates, lengths, kinds and what was watched narrow as well', async () => {
    const at = (day: string) => Date.parse(day) / 1000;
    const one = await aVideo(t.archive.db, {
      title: 'The great north run',
      publishedAt: at('2024-03-01T23:00Z'),
      durationSeconds: 100,
    });
    const two = await aVideo(t.archive.db, { title: 'North of the great wall', publishedAt: at('2025-03-01'), kind: 'streams' });
    await aChannel(t.archive.db, { name: 'Great North' });
    expect(await videosFor('"great north"')).toEqual([one]);
    expect(await videosFor('great -wall')).toEqual([one]);
    expect(await videosFor('great -"great north"')).toEqual([two]);
    expect((await videosFor('great north')).sort()).toEqual([one, two].sort());
    expect(await videosFor('great', '&to=2024-03-01')).toEqual([one]);
    expect(await videosFor('great', '&from=2024-03-02')).toEqual([two]);
    expect(await videosFor('great', '&max_duration=100')).toEqual([one]);
    expect(await videosFor('great', '&min_duration=101')).toEqual([two]);
    expect(await videosFor('great', '&type=streams')).toEqual([two]);
    await anna.call('POST', '/api/watched/', { id: one, is_watched: true });
    const { results } = await ask('great', '&watched=true');
    expect(results.video_results.map(({ youtube_id, player }) => [youtube_id, player.watched])).toEqual([[one, true]]);
    expect(results.channel_results).toEqual([]); // a channel has no length and is not watched
    expect(await videosFor('great', '&watched=false')).toEqual([two]);
  });

  test('without words the newest comes first, whatever was indexed first', async () => {
    const channelId = await aChannel(t.archive.db, { name: 'Ordered' });
    const of = (title: string, publishedAt: number) => aVideo(t.archive.db, { channelId, title, publishedAt });
    const ids = [await of('Middle', 2_000), await of('Newest', 3_000), await of('Oldest', 1_000)];
    const ordered = [ids[1], ids[0], ids[2]];
    expect(await videosFor('video: channel:ordered')).toEqual(ordered);
    expect(await videosFor('-unheard')).toEqual(ordered);
    expect(await videosFor('video:')).toEqual(ordered);
  });

  test('30 hits in all, page after page, none twice', async () => {
    const channelId = await aChannel(t.archive.db, { name: 'Counting' });
    for (let n = 0; n < 65; n++) await aVideo(t.archive.db, { channelId, title: `Counting sheep ${n}` });
    const pages = [
      await ask('counting'),
      await ask('counting', '&page=2'),
      await ask('counting', '&page=3'),
      await ask('counting', '&page=4'),
    ];
    const hits = pages.map(({ results }) => [
      ...results.video_results.map((one) => one.youtube_id),
      ...results.channel_results.map((one) => one.channel_id),
    ]);
    expect(hits.map((some) => some.length)).toEqual([30, 30, 6, 0]);
    expect(new Set(hits.flat()).size).toBe(66);
    expect(pages.map((page) => page.has_more)).toEqual([true, true, false, false]);
    expect(hits[0]![0]).toMatch(/^vid|^UC/);
    // The name that is just that comes first.
    expect(pages[0]!.results.channel_results).toHaveLength(1);
    const scores = pages.flatMap((page) => page.results.video_results.map(({ _score: score }) => score));
    expect(scores).toEqual(scores.toSorted((a, b) => b - a));
    expect(Math.min(...scores)).toBeGreaterThan(0);
  });

  test('what is called just that is found among thousands, however old', async () => {
    const channelId = await aChannel(t.archive.db);
    const oldest = await aVideo(t.archive.db, { channelId, title: 'Daily news' });
    await catchUp(t.archive.db);
    for (let n = 0; n < 250; n++) await aVideo(t.archive.db, { channelId, title: `More of the daily news, number ${n}` });
    expect((await videosFor('daily news'))[0]).toBe(oldest);
  });

  test('without a query it says so; one without words is answered', async () => {
    const none = await anna.call('GET', '/api/search/');
    expect([none.statusCode, none.json()]).toEqual([
      400,
      { error: 'no search query specified', message: 'no search query specified' },
    ]);
    await aVideo(t.archive.db, { title: 'Something' });
    for (const query of ['', ' ', ':', ':::', '!!!', '*', '"!"'])
      expect([query, (await ask(query)).results.video_results.length]).toEqual([query, 0]);
    // Nothing at all that narrows it: the newest of everything.
    for (const query of ['video:', '""', '-']) expect((await ask(query)).results.video_results).toHaveLength(1);
    const long = await anna.call('GET', `/api/search/?query=${'x'.repeat(2001)}`);
    expect([long.statusCode, long.json().error]).toEqual([400, expect.stringContaining('2,000')]);
    const strange = await anna.call('GET', '/api/search/?query=x&from=2024-02-30');
    expect([strange.statusCode, strange.json().error]).toEqual([400, expect.stringContaining('2026-12-31')]);
  });

  test('similar videos share rare words of title and tags, and never are the video itself', async () => {
    const channelId = await aChannel(t.archive.db);
    const of = (title: string, tags: string[] = []) => aVideo(t.archive.db, { channelId, title, tags: JSON.stringify(tags) });
    const id = await of('Volcano eruption in Iceland', ['geology']);
    const near = await of('Iceland volcano from above');
    const tagged = await of('Rocks and stones', ['geology']);
    for (let n = 0; n < 10; n++) await of(`The weather in town, day ${n}`);
    await catchUp(t.archive.db);
    const similar = async (of: string) =>
      (await anna.call('GET', `/api/video/${of}/similar/`)).json().map((one: { youtube_id: string }) => one.youtube_id);
    const found = await similar(id);
    expect(found.slice(0, 2).sort()).toEqual([near, tagged].sort());
    expect(found).not.toContain(id);
    expect(found.length).toBeLessThanOrEqual(6);
    expect(await similar('nothing')).toEqual([]);
  });
});
