import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createChannel, createUser, createVideo, engines, testApp, type TestApp } from '../../../test-support/app.ts';
import { searchAs } from '../../../test-support/search.ts';
import { indexPending } from '../index/index-pending.ts';

describe.each(engines)('searching on $engine', (on) => {
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
  const createPlaylist = (id: string, name: string, description: string | null = null) =>
    t.app.db
      .insertInto('playlist')
      .values({ id, kind: 'regular', name, sortName: name.toLowerCase(), description, refreshedAt: 0 })
      .execute();
  test('a plain query finds titles, channels and playlists with all words', async () => {
    const channel = await createChannel(t.app.db, { name: 'Rust for everybody' });
    const video = await createVideo(t.app.db, { channelId: channel, title: 'Learning Rust asynchronously' });
    await createVideo(t.app.db, { title: 'Rusty nails', tags: '["rust"]' });
    await createPlaylist('PLrust', 'All about rust');
    const { results, queryType, has_more } = await search('rust');
    expect(results.video_results.map((one) => one.youtube_id)).toContain(video);
    expect(results.channel_results.map((one) => one.channel_id)).toEqual([channel]);
    expect(results.playlist_results.map((one) => one.playlist_id)).toEqual(['PLrust']);
    expect([queryType, has_more, results.fulltext_results]).toEqual(['simple', false, []]);
    expect(await videosFor('rust async')).toEqual([video]);
    expect(await videosFor('asyn rust')).toEqual([]); // only the last word may be a prefix
    expect(await videosFor('rust python')).toEqual([]);
  });

  test('requires all words in one field, and ranks titles above tags', async () => {
    const tagged = await createVideo(t.app.db, { title: 'Something', tags: '["ocean waves"]', publishedAt: 1_800_000_000 });
    const titled = await createVideo(t.app.db, { title: 'Ocean waves' });
    await createVideo(t.app.db, { title: 'Ocean', tags: '["waves"]' });
    const inCategory = await createVideo(t.app.db, { title: 'Else', categories: '["Ocean Waves"]' });
    expect(await videosFor('video: ocean waves')).toEqual([titled, tagged, inCategory]);
    expect(await videosFor('ocean waves')).toEqual([titled]);
  });

  test('ranks by every word of a long title, the last as a prefix; tolerates typos in the first twelve', async () => {
    const words = (count: number) => Array.from({ length: count }, (_, place) => `word${'abcdefghijklmnopqrstuvwxyz'[place]}x`);
    const id = await createVideo(t.app.db, { title: words(20).join(' ') });
    await createVideo(t.app.db, { title: words(12).join(' ') });
    expect(await videosFor(words(20).join(' '))).toEqual([id]);
    expect(await videosFor([...words(19), 'wordt'].join(' '))).toEqual([id]);
    expect(await videosFor([...words(19), 'unlike'].join(' '))).toEqual([]);
    expect(await videosFor([...words(18), 'unlike', 'wordtx'].join(' '))).toEqual([]);
    const mistyped = (place: number) => words(20).with(place, words(20)[place]!.replace('word', 'wrd')).join(' ');
    expect([await videosFor(mistyped(11)), await videosFor(mistyped(12))]).toEqual([[id], []]);
  });

  test('finds misspelled words within the fuzzy distance', async () => {
    const id = await createVideo(t.app.db, { title: 'Mountain biking holidays' });
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
    expect(await videosFor('mountain bik')).toEqual([id]); // the last word may still be incomplete
    await createVideo(t.app.db, { title: 'We go up' });
    expect(await videosFor('wa go')).toEqual([]); // two letters are too short for typo tolerance
  });

  test('corrects the last word if no word begins with it, and says so', async () => {
    const id = await createVideo(t.app.db, { title: 'Building a viaduct' });
    await createVideo(t.app.db, { title: 'A bridge' });
    for (const typed of ['viaduckt', 'viadct', 'building viaduckt']) {
      const { results, corrections } = await search(typed);
      expect([results.video_results.map((one) => one.youtube_id), corrections]).toEqual([
        [id],
        [{ word: typed.split(' ').at(-1), instead: 'viaduct' }],
      ]);
    }
    for (const typed of ['viadu', 'viaduct', 'building']) expect((await search(typed)).corrections).toEqual([]);
    expect((await search('"viaduckt"')).results.video_results).toEqual([]);
    expect((await search('nothing like it')).corrections).toEqual([]);
  });

  test('keywords filter results', async () => {
    const tom = await createChannel(t.app.db, { name: 'Tom Scott', description: 'Amazing places', isSubscribed: 1 });
    const other = await createChannel(t.app.db, { name: 'Tom Other', tags: '["places"]' });
    const active = await createVideo(t.app.db, { channelId: tom, title: 'Bridges' });
    const inactive = await createVideo(t.app.db, { channelId: tom, title: 'Bridges of old', isActive: 0 });
    const otherVideo = await createVideo(t.app.db, { channelId: other, title: 'Bridges too' });
    await createPlaylist('PLb', 'Bridges', 'Steel and stone');
    expect((await videosFor('video: bridges channel:tom sco')).sort()).toEqual([active, inactive].sort());
    expect((await videosFor('video: bridges channel:tom')).sort()).toEqual([active, inactive, otherVideo].sort());
    expect(await videosFor('video: bridges channel:scott active:yes')).toEqual([active]);
    expect(await videosFor('video: active:no')).toEqual([inactive]);
    expect(await videosFor('video: channel:nobody')).toEqual([]);
    const channelsFor = async (query: string) => (await search(query)).results.channel_results.map((one) => one.channel_id);
    expect((await channelsFor('channel:places')).sort()).toEqual([tom, other].sort());
    expect(await channelsFor('channel:places subscribed:yes')).toEqual([tom]);
    expect(await channelsFor('channel: subscribed:no')).toEqual([other]);
    expect((await search('playlist:steel')).results.playlist_results).toHaveLength(1);
    expect((await search('playlist: steel subscribed:yes')).results.playlist_results).toEqual([]);
    expect((await search('playlist:')).results.playlist_results).toHaveLength(1);
  });

  test('phrases, exclusions, dates, durations, kinds and watch state filter results', async () => {
    const at = (day: string) => Date.parse(day) / 1000;
    const one = await createVideo(t.app.db, {
      title: 'The great north run',
      publishedAt: at('2024-03-01T23:00Z'),
      durationSeconds: 100,
    });
    const two = await createVideo(t.app.db, {
      title: 'North of the great wall',
      publishedAt: at('2025-03-01'),
      kind: 'streams',
    });
    await createChannel(t.app.db, { name: 'Great North' });
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
    const { results } = await search('great', '&watched=true');
    expect(results.video_results.map(({ youtube_id, player }) => [youtube_id, player.watched])).toEqual([[one, true]]);
    expect(results.channel_results).toEqual([]); // channels have neither duration nor watch state
    expect(await videosFor('great', '&watched=false')).toEqual([two]);
  });

  test('without words, sorts newest first regardless of index order', async () => {
    const channelId = await createChannel(t.app.db, { name: 'Ordered' });
    const createDatedVideo = (title: string, publishedAt: number) => createVideo(t.app.db, { channelId, title, publishedAt });
    const ids = [
      await createDatedVideo('Middle', 2_000),
      await createDatedVideo('Newest', 3_000),
      await createDatedVideo('Oldest', 1_000),
    ];
    const ordered = [ids[1], ids[0], ids[2]];
    expect(await videosFor('video: channel:ordered')).toEqual(ordered);
    expect(await videosFor('-unheard')).toEqual(ordered);
    expect(await videosFor('video:')).toEqual(ordered);
  });

  test('returns 30 results in pages without duplicates', async () => {
    const channelId = await createChannel(t.app.db, { name: 'Counting' });
    for (let n = 0; n < 65; n++) await createVideo(t.app.db, { channelId, title: `Counting sheep ${n}` });
    const pages = [
      await search('counting'),
      await search('counting', '&page=2'),
      await search('counting', '&page=3'),
      await search('counting', '&page=4'),
    ];
    const hits = pages.map(({ results }) => [
      ...results.video_results.map((one) => one.youtube_id),
      ...results.channel_results.map((one) => one.channel_id),
    ]);
    expect(hits.map((list) => list.length)).toEqual([30, 30, 6, 0]);
    expect(new Set(hits.flat()).size).toBe(66);
    expect(pages.map((page) => page.has_more)).toEqual([true, true, false, false]);
    expect(hits[0]![0]).toMatch(/^vid|^UC/);
    // An exact channel name is on the first page.
    expect(pages[0]!.results.channel_results).toHaveLength(1);
    const scores = pages.flatMap((page) => page.results.video_results.map(({ _score: score }) => score));
    expect(scores).toEqual(scores.toSorted((a, b) => b - a));
    expect(Math.min(...scores)).toBeGreaterThan(0);
  });

  test('finds an exact title among thousands, however old', async () => {
    const channelId = await createChannel(t.app.db);
    const oldest = await createVideo(t.app.db, { channelId, title: 'Daily news' });
    await indexPending(t.app.db);
    for (let n = 0; n < 250; n++) await createVideo(t.app.db, { channelId, title: `More of the daily news, number ${n}` });
    expect((await videosFor('daily news'))[0]).toBe(oldest);
  });

  test('rejects a missing query, and accepts one without words', async () => {
    const missingQuery = await anna.call('GET', '/api/search/');
    expect([missingQuery.statusCode, missingQuery.json()]).toMatchObject([
      400,
      { error: 'no search query specified', message: 'no search query specified' },
    ]);
    await createVideo(t.app.db, { title: 'Something' });
    for (const query of ['', ' ', ':', ':::', '!!!', '*', '"!"'])
      expect([query, (await search(query)).results.video_results.length]).toEqual([query, 0]);
    // Queries without any condition return the newest videos.
    for (const query of ['video:', '""', '-']) expect((await search(query)).results.video_results).toHaveLength(1);
    const long = await anna.call('GET', `/api/search/?query=${'x'.repeat(2001)}`);
    expect([long.statusCode, long.json().error]).toEqual([400, expect.stringContaining('2,000')]);
    const invalidDate = await anna.call('GET', '/api/search/?query=x&from=2024-02-30');
    expect([invalidDate.statusCode, invalidDate.json().error]).toEqual([400, expect.stringContaining('2026-12-31')]);
  });

  test('similar videos share rare words of title and tags, and exclude the video itself', async () => {
    const channelId = await createChannel(t.app.db);
    const createTaggedVideo = (title: string, tags: string[] = []) =>
      createVideo(t.app.db, { channelId, title, tags: JSON.stringify(tags) });
    const id = await createTaggedVideo('Volcano eruption in Iceland', ['geology']);
    const sameTopic = await createTaggedVideo('Iceland volcano from above');
    const tagged = await createTaggedVideo('Rocks and stones', ['geology']);
    for (let n = 0; n < 10; n++) await createTaggedVideo(`The weather in town, day ${n}`);
    await indexPending(t.app.db);
    const similar = async (of: string) =>
      (await anna.call('GET', `/api/video/${of}/similar/`)).json().map((one: { youtube_id: string }) => one.youtube_id);
    const found = await similar(id);
    expect(found.slice(0, 2).sort()).toEqual([sameTopic, tagged].sort());
    expect(found).not.toContain(id);
    expect(found.length).toBeLessThanOrEqual(6);
    expect(await similar('nothing')).toEqual([]);
  });
});
