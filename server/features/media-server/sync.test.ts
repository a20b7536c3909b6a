import { afterEach, describe, expect, test, vi } from 'vitest';
import { createUser, engines } from '../../test-support/app.ts';
import { stateOf } from '../../test-support/media-servers/http.ts';
import { problemIds, setUp, type FakeKind, type Setup } from '../../test-support/media-servers/set-up.ts';
import { syncMediaServers } from './sync-server.ts';

let s: Setup;
afterEach(async () => {
  expect(s.fake.rejected).toEqual([]);
  await s.close();
});

const kinds: FakeKind[] = ['jellyfin', 'emby', 'plex'];
type Item = Setup['items']['one'];

/** Sets the state on the server, as a user does there. */
function setThere(item: Item, state: Partial<ReturnType<typeof stateOf>>, user = s.fake.userId) {
  Object.assign(stateOf(item, user), state);
}
const there = (item: Item, user = s.fake.userId) => {
  const { isWatched, positionSeconds } = stateOf(item, user);
  return [isWatched, positionSeconds];
};
interface Player {
  watched: boolean;
  position?: number;
  watched_date?: number | null;
}
async function here(id: string, user = s.ann) {
  const { player } = (await user.call('GET', `/api/video/${id}/`)).json<{ player: Player }>();
  return [player.watched, player.position ?? 0];
}
const markHere = (id: string, isWatched: boolean) => s.call('POST', '/api/watched/', { id, is_watched: isWatched });
const positionHere = (id: string, position: number) => s.call('POST', `/api/video/${id}/progress/`, { position });
/** Runs the periodic job after a quarter of an hour. */
async function later(seconds = 900) {
  s.clock.seconds += seconds;
  await syncMediaServers(s.t.app, new AbortController().signal);
}
const now = () => Math.floor(Date.now() / 1000);
const writes = () => s.fake.take().filter((line) => !line.startsWith('GET'));

describe.each(kinds)('the synchronization with %s', (kind) => {
  test('merges first, then carries changes both ways', async () => {
    s = await setUp(kind);
    const { one, two, three } = s.items;
    await positionHere('aaaaaaaaaa2', 600);
    await markHere('aaaaaaaaaa3', true);
    setThere(one, { isWatched: true, playedAt: now() - 500 });
    setThere(two, { positionSeconds: 120, playedAt: now() - 500 });
    const { id } = await s.add();

    const report = await s.sync(id);
    expect(report).toMatchObject({ items: 3, matched: 3, here: 1, there: 2, problems: 0 });
    expect(await here('aaaaaaaaaa1')).toEqual([true, 0]);
    expect([there(one), there(two), there(three)]).toEqual([
      [true, 0],
      [false, 600],
      [true, 0],
    ]);

    // Nothing to do.
    s.fake.take();
    await later();
    expect(writes()).toEqual([]);

    setThere(two, { isWatched: true, positionSeconds: 0, playedAt: s.clock.seconds });
    setThere(three, { isWatched: false, playedAt: null });
    await markHere('aaaaaaaaaa1', false);
    await later();
    expect(await here('aaaaaaaaaa2')).toEqual([true, 0]);
    expect(await here('aaaaaaaaaa3')).toEqual([false, 0]);
    expect(there(one)).toEqual([false, 0]);
    s.fake.take();
    await later();
    expect(writes()).toEqual([]);
  });

  test('keeps the last change if both sides have changed', async () => {
    s = await setUp(kind);
    const { one, two } = s.items;
    const { id } = await s.add();
    await s.sync(id);
    s.clock.seconds += 100;
    setThere(one, { positionSeconds: 700, playedAt: s.clock.seconds });
    await positionHere('aaaaaaaaaa2', 800);
    s.clock.seconds += 100;
    await positionHere('aaaaaaaaaa1', 900);
    setThere(two, { positionSeconds: 1000, playedAt: s.clock.seconds });
    await later();
    expect([there(one), await here('aaaaaaaaaa1')]).toEqual([
      [false, 900],
      [false, 900],
    ]);
    expect([there(two), await here('aaaaaaaaaa2')]).toEqual([
      [false, 1000],
      [false, 1000],
    ]);
  });

  test('carries a position of a watched video, and its end', async () => {
    s = await setUp(kind);
    const { id } = await s.add();
    await markHere('aaaaaaaaaa1', true);
    await s.sync(id);
    await positionHere('aaaaaaaaaa1', 300);
    await later();
    expect(there(s.items.one)).toEqual([true, 300]);
    await markHere('aaaaaaaaaa1', true);
    await later();
    expect(there(s.items.one)).toEqual([true, 0]);
  });

  test('only reports in a dry run', async () => {
    s = await setUp(kind);
    setThere(s.items.one, { isWatched: true, playedAt: now() });
    await markHere('aaaaaaaaaa2', true);
    const { id } = await s.add();
    const report = await s.sync(id, true);
    expect(report).toMatchObject({ dry_run: true, here: 1, there: 1 });
    expect(report.lines.map(({ kind: side, person, title, text }) => [side, person, title, text])).toEqual([
      ['here', 'Ann', 'One', 'Watched'],
      ['there', 'Ann', 'Two', 'Watched'],
    ]);
    expect(writes()).toEqual([]);
    expect(await here('aaaaaaaaaa1')).toEqual([false, 0]);
    expect(await s.t.app.db.selectFrom('mediaServerItem').selectAll().execute()).toEqual([]);
    // There is time to read it.
    await later(800);
    expect(await s.read(id)).toMatchObject({ synced: null });
    expect(await s.sync(id)).toMatchObject({ dry_run: false, here: 1, there: 1 });
  });

  test('finds videos outside the views by their id', async () => {
    s = await setUp(kind);
    const item = s.fake.addItem(s.library, '/media/other/film.mkv', { youtubeId: 'aaaaaaaaaa1' });
    s.library.items.splice(s.library.items.indexOf(s.items.one), 1);
    s.fake.addItem(s.library, '/media/other/unknown.mkv', { youtubeId: 'zzzzzzzzzzz' });
    setThere(item, { isWatched: true, playedAt: now() });
    const { id } = await s.add();
    expect(await s.sync(id)).toMatchObject({ items: 4, matched: 3, here: 1 });
    expect(await here('aaaaaaaaaa1')).toEqual([true, 0]);
  });

  test('keeps two items of the same video in step', async () => {
    s = await setUp(kind);
    const twin = s.fake.addItem(s.library, '/media/B/twin.mp4', { youtubeId: 'aaaaaaaaaa1' });
    const { id } = await s.add();
    await s.sync(id);
    setThere(twin, { isWatched: true, playedAt: s.clock.seconds + 10 });
    await later();
    await later();
    expect([there(s.items.one), there(twin), await here('aaaaaaaaaa1')]).toEqual(Array(3).fill([true, 0]));
    s.fake.take();
    await later();
    expect(writes()).toEqual([]);
  });

  test('reads more than one page, and leaves other users and libraries alone', async () => {
    s = await setUp(kind);
    const films = s.fake.addLibrary('Films', '/films', 'movie');
    s.fake.addItem(films, '/films/One [aaaaaaaaaa1].mp4', { youtubeId: 'aaaaaaaaaa1' });
    s.library.items.unshift(...Array.from({ length: 1200 }, (_, number) => s.fake.addItem(films, `/media/x/${number}.mp4`)));
    films.items.splice(1);
    setThere(s.items.three, { isWatched: true, playedAt: now() });
    setThere(s.items.one, { isWatched: true, playedAt: now() }, 'another');
    const { id } = await s.add();
    expect(await s.sync(id)).toMatchObject({ items: 1203, matched: 3, here: 1 });
    expect(await here('aaaaaaaaaa1')).toEqual([false, 0]);
    expect(await here('aaaaaaaaaa3')).toEqual([true, 0]);
  });

  test('goes on when an item disappears meanwhile', async () => {
    s = await setUp(kind);
    await markHere('aaaaaaaaaa1', true);
    await markHere('aaaaaaaaaa2', true);
    const { id } = await s.add();
    s.fake.expectRejections(/./);
    s.fake.fail({ kind: 'status', status: 404 }, new RegExp(`(PlayedItems/|scrobble.key=)${s.items.one.id}`));
    const report = await s.sync(id);
    expect(report).toMatchObject({ there: 1, problems: 1 });
    expect(report.lines.find((line) => line.kind === 'problem')).toMatchObject({ title: 'One', person: 'Ann' });
    expect(there(s.items.two)).toEqual([true, 0]);
    expect((await s.read(id)).state).toBe('ready');
  });

  test('ends in a clear state after each fault, and continues later', async () => {
    s = await setUp(kind);
    await markHere('aaaaaaaaaa1', true);
    const { id } = await s.add();
    for (const [fault, expected] of [
      [{ kind: 'status', status: 500 }, 'media-server.status'],
      [{ kind: 'html' }, 'media-server.invalid-response'],
      [{ kind: 'half' }, 'media-server.invalid-response'],
      [{ kind: 'cut' }, 'media-server.unreachable'],
    ] as const)
      // Of all requests, of the list of items, and of the change.
      for (const pattern of [/./, /Items\?|all\?/, /^(POST|PUT)/]) {
        // The body of a change is not read.
        if (pattern.source.startsWith('^') && expected === 'media-server.invalid-response') continue;
        s.fake.fail(fault, pattern);
        await later(30_000);
        const server = await s.read(id);
        expect(server.state).toBe('retrying');
        expect(problemIds(server)).toEqual([expected]);
        expect(server.retry_at).toBeGreaterThan(s.clock.seconds);
        s.fake.take();
        await later(1);
        expect(s.fake.take()).toEqual([]);
        s.fake.heal();
        await s.test(id);
      }
    await later();
    expect(await s.read(id)).toMatchObject({ state: 'ready', problem: null, synced: s.clock.seconds });
    expect(there(s.items.one)).toEqual([true, 0]);
  });

  test('ends after thirty seconds without a response', async () => {
    s = await setUp(kind);
    const { id } = await s.add();
    const timeout = AbortSignal.timeout.bind(AbortSignal);
    const asked: number[] = [];
    const spy = vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
      asked.push(ms);
      return timeout(100);
    });
    s.fake.fail({ kind: 'silent' });
    await later();
    spy.mockRestore();
    expect(asked).toContain(30_000);
    const server = await s.read(id);
    expect(server.state).toBe('retrying');
    expect(server.problem).toMatch(/did not respond in time/);
  });

  test('reports mappings that no library contains', async () => {
    s = await setUp(kind);
    const { id } = await s.add({ persons: [s.person], mappings: [{ from: s.view.root, to: '/unknown' }] });
    const report = await s.sync(id);
    expect(report).toMatchObject({ items: 0, problems: 1 });
    expect(report.lines[0]!.text).toMatch(/No library of the server has a folder in \/unknown/);
  });

  test('stops after a rejected token', async () => {
    s = await setUp(kind);
    s.fake.expectRejections(/./);
    const { id } = await s.add();
    s.fake.settings.token = 'revoked';
    for (let hours = 0; hours < 20; hours++) await later(3600);
    expect(s.fake.take()).toHaveLength(1);
    const server = await s.read(id);
    expect(server.state).toBe('rejected');
    expect(server.problem).toMatch(/rejected the token/);
  });

  test('does not take over that a server has lost its data', async () => {
    s = await setUp(kind);
    const { db } = s.t.app;
    for (let number = 0; number < 60; number++) {
      const id = `bbbbbbbbb${String(number).padStart(2, '0')}`;
      await s.addVideo(id, `Video ${number}`);
      setThere(s.fake.addItem(s.library, `/media/B/${number}.mp4`, { youtubeId: id }), { isWatched: true, playedAt: now() - 50 });
    }
    const watched = async () =>
      (await db.selectFrom('watch').select('videoId').where('watchedAt', 'is not', null).execute()).length;
    const { id } = await s.add();
    expect(await s.sync(id)).toMatchObject({ here: 60 });
    for (const item of s.library.items) setThere(item, { isWatched: false, playedAt: null });
    await later();
    expect(await watched()).toBe(60);
    const { report } = await s.call<{ report: { lines: { text: string }[] } }>('GET', `/api/media-server/${id}/sync/`);
    expect(report.lines.map(({ text }) => text)).toEqual([expect.stringMatching(/60 videos as not watched/)]);
    // The user accepts it.
    await s.sync(id);
    expect(await watched()).toBe(0);
  });
});

describe('the positions of servers', () => {
  test.each(['jellyfin', 'emby'] satisfies FakeKind[])('have the time of the change on %s', async (kind) => {
    s = await setUp(kind);
    await positionHere('aaaaaaaaaa1', 300);
    await markHere('aaaaaaaaaa2', true);
    const at = s.clock.seconds;
    s.clock.seconds += 500;
    const { id } = await s.add();
    await s.sync(id);
    expect([stateOf(s.items.one, 'aaaa').playedAt, stateOf(s.items.two, 'aaaa').playedAt]).toEqual([at, at]);
  });

  test('in the first minute, which Plex does not keep, stay here', async () => {
    s = await setUp('plex');
    await positionHere('aaaaaaaaaa1', 45);
    const { id } = await s.add();
    await s.sync(id);
    expect(there(s.items.one)).toEqual([false, 0]);
    s.fake.take();
    for (let times = 0; times < 3; times++) await later();
    expect(writes()).toEqual([]);
    expect(await here('aaaaaaaaaa1')).toEqual([false, 45]);
  });

  test('do not reset favorites of Emby', async () => {
    s = await setUp('emby');
    setThere(s.items.one, { isFavorite: true });
    await positionHere('aaaaaaaaaa1', 300);
    const { id } = await s.add();
    await s.sync(id);
    expect(stateOf(s.items.one, 'aaaa')).toMatchObject({ positionSeconds: 300, isFavorite: true });
  });
});

describe.each(engines)('persons on $engine', (on) => {
  test('have their own states, on Plex by their tokens', async () => {
    s = await setUp('plex', { on });
    const bob = await createUser(s.t, { name: 'Bob' });
    setThere(s.items.one, { isWatched: true, playedAt: now() }, '1');
    setThere(s.items.two, { isWatched: true, playedAt: now() }, '2');
    const { id } = await s.add({
      persons: [s.person, { account: bob.id, user: '2', user_name: 'Bob', token: 'token-of-bob' }],
    });
    // Ann has chosen herself, which is her consent.
    await s.sync(id);
    expect([await here('aaaaaaaaaa1'), await here('aaaaaaaaaa2')]).toEqual([
      [true, 0],
      [false, 0],
    ]);
    expect(await here('aaaaaaaaaa2', bob)).toEqual([false, 0]);
    expect((await s.read(id)).persons.map(problemIds)).toEqual([undefined, ['media-server.no-consent']]);
    await bob.call('POST', '/api/user/watch-sharing/', { shares_watch_state: true });
    await s.sync(id);
    expect([await here('aaaaaaaaaa1', bob), await here('aaaaaaaaaa2', bob)]).toEqual([
      [false, 0],
      [true, 0],
    ]);

    // Bob withdraws the consent: nothing is read or written for him.
    await bob.call('POST', '/api/user/watch-sharing/', { shares_watch_state: false });
    await bob.call('POST', '/api/watched/', { id: 'aaaaaaaaaa3', is_watched: true });
    s.fake.take();
    await s.sync(id);
    expect(s.fake.requests.map(({ headers }) => headers['x-plex-token'])).not.toContain('token-of-bob');
    await bob.call('POST', '/api/watched/', { id: 'aaaaaaaaaa3', is_watched: false });
    await bob.call('POST', '/api/user/watch-sharing/', { shares_watch_state: true });

    // Without a token, Bob would get the states of Ann.
    const withoutToken = [s.person, { account: bob.id, user: '2', user_name: 'Bob', token: null }];
    const refused = await s.ann.call('POST', `/api/media-server/${id}/`, { persons: withoutToken });
    expect(refused.json<{ error: string }>().error).toMatch(/^Bob needs a token/);

    // A rejected token of a person does not stop the others, and is not tried again.
    s.fake.expectRejections(/./);
    Object.assign(s.fake.settings, { tokenOfBob: 'another' });
    setThere(s.items.three, { isWatched: true, playedAt: s.clock.seconds + 900 }, '1');
    await later();
    expect(await here('aaaaaaaaaa3')).toEqual([true, 0]);
    const server = await s.read(id);
    expect(server.state).toBe('ready');
    expect(server.persons.map(problemIds)).toEqual([undefined, ['media-server.token']]);
    s.fake.take();
    await later();
    expect(s.fake.requests.map(({ headers }) => headers['x-plex-token'])).not.toContain('token-of-bob');
    await s.change(id, { persons: [s.person, { account: bob.id, user: '2', user_name: 'Bob', token: 'another' }] });
    await later();
    expect((await s.read(id)).persons[1]!.problem).toBeNull();

    // Lost after a restore with another key.
    await s.t.app.db.updateTable('mediaServerPerson').set({ sealed: null }).execute();
    s.fake.take();
    await later();
    expect((await s.read(id)).persons.map(problemIds)).toEqual([undefined, ['media-server.person-token']]);
    expect(await here('aaaaaaaaaa1', bob)).toEqual([false, 0]);
  });

  test('are merged again with another user of the server', async () => {
    s = await setUp('jellyfin', { on });
    const { id } = await s.add();
    await markHere('aaaaaaaaaa1', true);
    await s.sync(id);
    await s.change(id, { persons: [{ ...s.person, user: 'bbbb', user_name: 'Bob' }] });
    await s.sync(id);
    expect(await here('aaaaaaaaaa1')).toEqual([true, 0]);
    expect(there(s.items.one, 'bbbb')).toEqual([true, 0]);
  });

  test('keep the states of a video in the trash', async () => {
    s = await setUp('jellyfin', { on });
    const { id } = await s.add();
    await markHere('aaaaaaaaaa1', true);
    await s.sync(id);
    await s.t.app.db.deleteFrom('video').where('id', '=', 'aaaaaaaaaa1').execute();
    expect(await s.sync(id)).toMatchObject({ items: 3, matched: 2, here: 0, there: 0 });
  });
});
