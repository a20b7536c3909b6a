import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ResolvedItem } from '#contract/resolve.ts';
import { closeSiteLookups } from '#server/features/resolve/site-lookups.ts';
import { createChannel, createQueueItem, createUser, createVideo } from '#server/test-support/app.ts';
import { aCatalogue, aChannel, aClip, aPlaylist, aVideo } from '../../test-site/builders.ts';
import { createArchive, eventually, hasTools, type TestSiteArchive } from '../support/acquisition.ts';

const channel = aChannel({ name: 'Night Trains' });
const trams = aChannel({ name: 'Trams' });
const tram = aVideo({ channelId: trams.id, title: 'Tram 5', durationSeconds: 90 });
const videos = [60, 120, 240].map((durationSeconds, n) =>
  aVideo({ id: `nightTrain${n}`, channelId: channel.id, title: `Train ${n}`, durationSeconds }),
);
const [first] = videos as [(typeof videos)[number]];
const short = aVideo({ channelId: channel.id, title: 'Short train', kind: 'short' });
const members = aVideo({ id: 'membersVid1', channelId: channel.id, title: 'For members', unlisted: true, fails: 'members' });
const list = aPlaylist({ channelId: channel.id, title: 'The line', videoIds: videos.map(({ id }) => id) });
const hidden = aPlaylist({ channelId: channel.id, title: 'Hidden', videoIds: [first.id], private: true });
const long = aPlaylist({ channelId: channel.id, title: 'Endless', videoIds: Array.from({ length: 520 }, () => first.id) });
const clip = aClip({ title: 'A clip', durationSeconds: 30 });
const catalogue = aCatalogue({
  channels: [channel, trams],
  videos: [...videos, short, members, tram],
  playlists: [list, hidden, long],
  clips: [clip],
});

describe.runIf(hasTools)('resolving links', () => {
  let t: TestSiteArchive;
  beforeAll(async () => {
    t = await createArchive(catalogue);
  });
  beforeEach(async () => {
    catalogue.faults = [];
    await closeSiteLookups(t.app);
    t.testSite.requests.length = 0;
  });
  afterAll(() => t.close());

  const post = async (text: string) => (await t.staff.call('POST', '/api/resolve/', { text })).json();
  const resolve = async (text: string): Promise<ResolvedItem[]> => (await post(text)).items;
  /** Asks again until no lookup runs, as an open page does. */
  const resolved = (text: string) =>
    eventually(async () => {
      const items = await resolve(text);
      return items.every(({ lookup }) => lookup !== 'running') && items;
    }, `resolved: ${text}`);

  test('answers at once, and has the facts of a video after its lookup', async () => {
    await createVideo(t.app.db, { id: 'sizedVideo1', durationSeconds: 100, sizeBytes: 5_000 });
    const link = `https://youtu.be/${first.id}`;
    expect(await resolve(link)).toMatchObject([
      { text: link, what: 'video', id: first.id, state: 'new', name: null, lookup: 'running', problem: null },
    ]);
    expect(await resolved(link)).toMatchObject([
      {
        name: 'Train 0',
        channel_name: 'Night Trains',
        picture: expect.stringMatching(/^data:image\/jpeg;base64,/),
        count: null,
        duration_seconds: 60,
        estimated_bytes: 3_000,
        lookup: 'done',
      },
    ]);
    t.testSite.requests.length = 0;
    await resolve(link);
    expect(t.testSite.requests).toEqual([]); // the result is kept
  });

  test('counts the videos of a channel', async () => {
    expect(await resolved(channel.handle)).toMatchObject([
      {
        what: 'channel',
        id: channel.id,
        state: 'new',
        name: 'Night Trains',
        picture: expect.stringMatching(/^data:/),
        count: 4,
        count_is_more: false,
        lookup: 'done',
      },
    ]);
  });

  test('counts the videos of a known channel that is not subscribed', async () => {
    await createChannel(t.app.db, { id: trams.id, name: 'Trams', handle: trams.handle });
    expect(await resolved(trams.handle)).toMatchObject([{ state: 'known', name: 'Trams', count: 1, lookup: 'done' }]);
  });

  test('names and counts a playlist, and stops counting a long one', async () => {
    const [one, endless] = await resolved(`${list.id}\n${long.id}`);
    expect(one).toMatchObject({
      what: 'playlist',
      name: 'The line',
      channel_name: 'Night Trains',
      count: 3,
      count_is_more: false,
      duration_seconds: 420,
    });
    expect(endless).toMatchObject({ name: 'Endless', count: 500, count_is_more: true });
  });

  test('recognizes the video of a page of another site', async () => {
    const [page] = await resolved(`https://clips.example/watch/${clip.slug}`);
    expect(page).toMatchObject({ what: 'page', name: 'A clip', count: null, lookup: 'done', id: expect.stringContaining('.') });
  });

  test('reports what is private, for members or missing, with the remedy', async () => {
    const [hiddenList, forMembers, missing] = await resolved(`${hidden.id}\n${members.id}\nhttps://youtu.be/missing0000`);
    expect(hiddenList).toMatchObject({ lookup: 'failed', problem: { message: expect.any(String) } });
    expect(forMembers).toMatchObject({
      lookup: 'failed',
      problem: { failure: 'members-only', messages: [{ id: 'failure.members-only' }] },
    });
    expect(missing).toMatchObject({ lookup: 'failed', problem: { failure: 'gone' } });
  });

  test('asks no site for what the database has', async () => {
    const { db } = t.app;
    const id = await createVideo(db, { id: 'archivedVi1', title: 'Old train' });
    await createQueueItem(db, { id: 'queuedVide1', title: 'Next train' });
    await createQueueItem(db, { id: 'ignoredVid1', status: 'ignore' });
    await createVideo(db, { id: 'clips.other', url: 'https://clips.example/watch/other' });
    const { channelId } = await db.selectFrom('video').select('channelId').where('id', '=', id).executeTakeFirstOrThrow();
    await db.updateTable('channel').set({ isSubscribed: 1, handle: '@oldtrains' }).where('id', '=', channelId).execute();
    await db
      .insertInto('playlist')
      .values({ id: `PL${'k'.repeat(32)}`, kind: 'regular', name: 'Known', sortName: 'known', refreshedAt: 1 })
      .execute();
    const items = await resolve(
      `archivedVi1 queuedVide1 ignoredVid1\nhttps://clips.example/watch/other\n@OldTrains\nPL${'k'.repeat(32)}`,
    );
    expect(items.map(({ state, lookup }) => [state, lookup])).toEqual([
      ['archived', 'done'],
      ['queued', 'done'],
      ['ignored', 'done'],
      ['archived', 'done'],
      ['subscribed', 'done'],
      ['known', 'done'],
    ]);
    expect(items[0]).toMatchObject({ name: 'Old train', picture: '/cache/videos/a/archivedVi1.jpg' });
    expect(t.testSite.requests).toEqual([]);
  });

  test('returns duplicates once, and invalid lines with the reason', async () => {
    const reply = await post(`https://youtu.be/archivedVi1\narchivedVi1\n\nnot a link\n${'x'.repeat(300)}`);
    expect(reply).toMatchObject({
      items: [{ id: 'archivedVi1' }],
      total: 1,
      invalid: [{ line: 'not a link', message: 'Not a valid ID, @handle or URL.' }, { line: `${'x'.repeat(200)}…` }],
      invalid_total: 2,
    });
  });

  test('looks up only the first links of a long text, and rejects a longer one', async () => {
    const ids = Array.from({ length: 8_000 }, (_, n) => `long${String(n).padStart(7, '0')}`);
    const reply = await post(ids.join('\n'));
    expect([reply.items.length, reply.total]).toEqual([50, 8_000]);
    const counts = Object.groupBy(reply.items as ResolvedItem[], ({ lookup }) => lookup);
    expect([counts.running?.length, counts.skipped?.length]).toEqual([20, 30]);
    const tooLong = await t.staff.call('POST', '/api/resolve/', { text: 'x'.repeat(100_001) });
    expect(tooLong.statusCode).toBe(400);
  });

  test('ends the lookup of a page that was left', async () => {
    catalogue.faults = [{ host: 'youtube.com', does: 'stalled' }];
    const { siteLookups } = t.app.state;
    siteLookups.abandonedMs = 200;
    await resolve(first.id);
    const [lookup] = siteLookups.byKey.values();
    await lookup!.over;
    expect(lookup!.ending.signal.aborted).toBe(true);
    expect(siteLookups.byKey.size).toBe(0);
    siteLookups.abandonedMs = 15_000;
  });

  test('does not ask a site in a cooldown, and says until when', async () => {
    await t.app.db
      .insertInto('siteCooldown')
      .values({ site: 'youtube', egress: '', untilAt: t.app.now() + 600, failure: 'blocked', message: '[]', refusals: 1 })
      .execute();
    expect(await resolve(channel.handle)).toMatchObject([
      {
        lookup: 'failed',
        problem: { failure: 'blocked', message: expect.stringMatching(/^Requests to youtube are paused until /) },
      },
    ]);
    expect(t.testSite.requests).toEqual([]);
    await t.app.db.deleteFrom('siteCooldown').execute();
  });

  test('rejects links to the local network', async () => {
    expect(await resolve('http://127.0.0.1/video')).toMatchObject([{ lookup: 'failed', problem: { failure: 'refused' } }]);
  });

  test('is only for staff', async () => {
    const user = await createUser(t);
    expect((await user.call('POST', '/api/resolve/', { text: channel.handle })).statusCode).toBe(403);
  });
});
