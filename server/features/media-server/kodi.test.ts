import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { createUser } from '../../test-support/app.ts';
import { stateOf } from '../../test-support/media-servers/http.ts';
import { startKodi } from '../../test-support/media-servers/kodi.ts';
import { problemIds, setUp, type Setup } from '../../test-support/media-servers/set-up.ts';
import { updateViews } from '../view/build-view.ts';
import { refreshMediaServers } from './refresh.ts';
import { syncMediaServers } from './sync-server.ts';

type Fake = Awaited<ReturnType<typeof startKodi>>;

let s: Setup;
const kodi = () => s.fake as Fake;
afterEach(async () => {
  expect(s.fake.rejected).toEqual([]);
  await s.close();
});

async function refreshAfter(seconds = 60): Promise<string[]> {
  s.clock.seconds += seconds;
  await refreshMediaServers(s.t.app);
  return kodi()
    .updates.splice(0)
    .map(({ method, path }) => `${method} ${path}`);
}
const cleaned = ['Clean tvshows /media/', 'Clean movies /media/', 'Clean musicvideos /media/'];
const change = async (id: string, row: { title?: string; description?: string }) => {
  await s.t.app.db.updateTable('video').set(row).where('id', '=', id).execute();
  await updateViews(s.t.app);
};
async function later() {
  s.clock.seconds += 900;
  await syncMediaServers(s.t.app, new AbortController().signal);
}
const here = async (id: string) => {
  const { player } = (await s.ann.call('GET', `/api/video/${id}/`)).json<{ player: { watched: boolean; position?: number } }>();
  return [player.watched, player.position ?? 0];
};
const there = (item: Setup['items']['one']) => {
  const { isWatched, positionSeconds, playedAt } = stateOf(item, s.fake.userId);
  return [isWatched, positionSeconds, playedAt];
};
const errorOf = async (request: Promise<{ statusCode: number; json<T>(): T }>) => {
  const response = await request;
  expect(response.statusCode).toBe(400);
  return response.json<{ error: string }>().error;
};

test('the test of Kodi returns its name, version, sources and profile', async () => {
  s = await setUp('kodi');
  const { id } = await s.add();
  expect(await s.test(id)).toEqual({
    success: true,
    problem: null,
    problem_messages: null,
    server_name: 'Living room',
    version: '20.1',
    libraries: [{ name: 'Archive', folders: ['/media/'], matches: true }],
    users: [{ id: 'profile', name: 'Master user' }],
  });
});

test('the test of Kodi says what is wrong', async () => {
  s = await setUp('kodi');
  s.fake.expectRejections(/./);
  const { id } = await s.add({ token: 'kodi:wrong', persons: [s.person] });
  expect((await s.test(id)).problem).toMatch(/rejected the user name or password.*Services → Control”/);
  expect((await s.read(id)).state).toBe('rejected');
  await s.change(id, { token: s.fake.settings.token });
  kodi().settings.version = 18;
  expect((await s.test(id)).problem).toBe('This is Kodi 18.1. Update it to 19 or newer.');
  kodi().settings.version = 21;
  for (const [fault, expected] of [
    [{ kind: 'html' }, 'media-server.invalid-response'],
    [{ kind: 'half' }, 'media-server.invalid-response'],
    [{ kind: 'cut' }, 'media-server.kodi-unreachable'],
    [{ kind: 'status', status: 404 }, 'media-server.not-found'],
  ] as const) {
    s.fake.fail(fault);
    expect(problemIds(await s.test(id))).toEqual([expected]);
    s.fake.heal();
  }
  await s.change(id, { address: 'http://127.0.0.1:1', token: 'kodi:x' });
  expect((await s.test(id)).problem).toMatch(/refused the connection.*Allow remote control via HTTP/);
});

test.each(['jellyfin', 'emby', 'plex'] as const)('Kodi and %s are told apart', async (kind) => {
  s = await setUp(kind);
  s.fake.expectRejections(/./);
  const fake = await startKodi();
  const { id } = await s.add({ address: fake.address });
  expect((await s.test(id)).problem).toMatch(/^This is a server of Kodi, not of/);
  fake.settings.token = '';
  expect((await s.test(id)).problem).toMatch(/^This is a server of Kodi, not of/);
  await fake.close();
  const body = s.body({ kind: 'kodi', name: 'Other', token: 'a:b' });
  const other = await s.call<{ id: number }>('POST', '/api/media-server/', body);
  expect((await s.test(other.id)).problem).toMatch(/^This is a server of .*, not of Kodi/);
});

test('Kodi needs a user and a password, one person and no playlists', async () => {
  s = await setUp('kodi');
  const bob = await createUser(s.t);
  const post = (more: object) => errorOf(s.ann.call('POST', '/api/media-server/', s.body(more)));
  const { playlist_id: playlist } = await s.call<{ playlist_id: string }>('POST', '/api/playlist/custom/', {
    playlist_name: 'Evening',
  });
  const both = [s.person, { ...s.person, account: bob.id, user: 'another' }];
  expect(await post({ token: 'secret' })).toMatch(/user:password/);
  expect(await post({ persons: both })).toMatch(/only one user/);
  expect(await post({ playlists: [playlist] })).toMatch(/cannot create playlists in Kodi/);
  expect(await s.t.app.db.selectFrom('mediaServer').select('number').execute()).toEqual([]);
  const { id } = await s.add();
  const update = (more: object) => errorOf(s.ann.call('POST', `/api/media-server/${id}/`, more));
  expect(await update({ token: 'secret' })).toMatch(/user:password/);
  expect(await update({ persons: both })).toMatch(/only one user/);
  expect(await update({ playlists: [playlist] })).toMatch(/cannot create playlists in Kodi/);
  expect(await s.read(id)).toMatchObject({ persons: [{ account: s.ann.id }], playlists: [] });
});

test('new videos are scanned, and videos that are gone are cleaned, after the scan', async () => {
  s = await setUp('kodi');
  const { id } = await s.add();
  await s.addVideo('aaaaaaaaaa4', 'Four');
  await updateViews(s.t.app);
  expect(await refreshAfter()).toEqual(['Scan /media/']);
  await change('aaaaaaaaaa1', { title: 'First' });
  expect(await refreshAfter()).toEqual(['Scan /media/', ...cleaned]);
  await s.t.app.db.deleteFrom('video').execute();
  await updateViews(s.t.app);
  expect(await refreshAfter()).toEqual(['Scan /media/', ...cleaned]);
  expect(await s.read(id)).toMatchObject({ state: 'ready', pending: 0 });
});

test('changed metadata are read again, and the watch state stays', async () => {
  s = await setUp('kodi');
  await s.call('POST', `/api/view/${s.view.id}/`, { nfo: true });
  await s.idle();
  await s.add();
  const { one } = s.items;
  const playedAt = s.clock.seconds - 5000;
  Object.assign(stateOf(one, s.fake.userId), { isWatched: true, positionSeconds: 20, playedAt });
  kodi().metadata.set(one.path, { title: 'New title' });
  await change('aaaaaaaaaa1', { description: 'new' });
  expect(await refreshAfter()).toEqual([`Refresh ${one.path}`, 'Scan /media/']);
  expect(one.title).toBe('New title');
  expect(there(one)).toEqual([true, 20, playedAt]);
  expect(await s.t.app.db.selectFrom('mediaServerRefresh').selectAll().execute()).toEqual([]);
  // The NFO file of a video that is gone meanwhile is part of a changed folder.
  await change('aaaaaaaaaa1', { description: 'newer' });
  await rm(join(s.view.root, 'A/One [aaaaaaaaaa1].nfo'));
  expect(await refreshAfter()).toEqual(['Scan /media/', ...cleaned]);
});

test('many changed metadata are read again in batches', async () => {
  s = await setUp('kodi');
  await s.call('POST', `/api/view/${s.view.id}/`, { nfo: true });
  for (let number = 10; number < 70; number++) {
    await s.addVideo(`aaaaaaaaa${number}`, 'More');
    s.fake.addItem(s.library, `/media/A/More [aaaaaaaaa${number}].mp4`);
  }
  await updateViews(s.t.app);
  await s.idle();
  const { id } = await s.add();
  await s.t.app.db.updateTable('video').set({ description: 'new' }).execute();
  await updateViews(s.t.app);
  const refreshed: string[] = [];
  for (const [count, pending] of [
    [50, 13],
    [13, 0],
  ] as const) {
    const updates = await refreshAfter();
    expect(updates.slice(count)).toEqual(['Scan /media/']);
    refreshed.push(...updates.slice(0, count));
    expect((await s.read(id)).pending).toBe(pending);
  }
  expect(new Set(refreshed).size).toBe(63);
  expect(await refreshAfter()).toEqual([]);
});

test('a view around or in the sources is scanned in all of them', async () => {
  s = await setUp('kodi');
  s.library.folders.splice(0, 1, '/', '/other');
  await s.add();
  await s.addVideo('aaaaaaaaaa4', 'Four');
  await updateViews(s.t.app);
  expect(await refreshAfter()).toEqual(['Scan /media/', 'Scan /']);
});

test('a refresh that Kodi refuses is repeated', async () => {
  s = await setUp('kodi');
  const { id } = await s.add();
  await s.addVideo('aaaaaaaaaa4', 'Four');
  await updateViews(s.t.app);
  s.fake.fail({ kind: 'status', status: 500 });
  expect(await refreshAfter()).toEqual([]);
  expect(await s.read(id)).toMatchObject({ state: 'retrying', pending: 1 });
  s.fake.heal();
  expect(await refreshAfter(120)).toEqual(['Scan /media/']);
});

test('watched marks and positions are merged, then carried both ways', async () => {
  s = await setUp('kodi');
  const { one, two, three } = s.items;
  const set = (item: typeof one, state: object) => Object.assign(stateOf(item, s.fake.userId), state);
  await s.call('POST', '/api/video/aaaaaaaaaa2/progress/', { position: 600 });
  await s.call('POST', '/api/watched/', { id: 'aaaaaaaaaa3', is_watched: true });
  const start = s.clock.seconds;
  set(one, { isWatched: true, playedAt: start - 500 });
  set(two, { positionSeconds: 120, playedAt: start - 500 });
  const { id } = await s.add();
  expect(await s.sync(id)).toMatchObject({ items: 3, matched: 3, here: 1, there: 2, problems: 0 });
  expect(await here('aaaaaaaaaa1')).toEqual([true, 0]);
  // Times are those of the time zone of Kodi.
  expect([there(one), there(two), there(three)]).toEqual([
    [true, 0, start - 500],
    [false, 600, start],
    [true, 0, start],
  ]);

  kodi().takeCalls();
  await later();
  expect(
    kodi()
      .takeCalls()
      .filter((method) => /Set/.test(method)),
  ).toEqual([]);

  set(two, { isWatched: true, positionSeconds: 0, playedAt: s.clock.seconds });
  set(three, { isWatched: false });
  await s.call('POST', '/api/watched/', { id: 'aaaaaaaaaa1', is_watched: false });
  // A refresh gives an item another id.
  for (const item of [one, two, three]) item.id = String(Number(item.id) + 500);
  await later();
  expect(await here('aaaaaaaaaa2')).toEqual([true, 0]);
  expect(await here('aaaaaaaaaa3')).toEqual([false, 0]);
  expect(there(one).slice(0, 2)).toEqual([false, 0]);
  kodi().takeCalls();
  await later();
  expect(
    kodi()
      .takeCalls()
      .filter((method) => /Set/.test(method)),
  ).toEqual([]);
});

test('films are found, large libraries are read in pages, and other sources are left alone', async () => {
  s = await setUp('kodi');
  const others = s.fake.addLibrary('Films', '/films', 'movie');
  s.fake.addItem(others, '/films/One [aaaaaaaaaa1].mp4', { youtubeId: 'aaaaaaaaaa1' });
  const films = s.fake.addLibrary('More', '/media/films', 'movie');
  const film = s.fake.addItem(films, '/media/films/two.mkv', { youtubeId: 'aaaaaaaaaa2' });
  for (const { items } of [others, films]) stateOf(items[0]!, s.fake.userId).isWatched = true;
  s.library.items.unshift(...Array.from({ length: 1200 }, (_, number) => s.fake.addItem(others, `/media/x/${number}.mp4`)));
  others.items.splice(1);
  const { id } = await s.add();
  // The film is in two sources.
  expect(await s.sync(id)).toMatchObject({ items: 1205, problems: 0 });
  expect([stateOf(film, s.fake.userId).isWatched, await here('aaaaaaaaaa2')]).toEqual([true, [true, 0]]);
  expect(await here('aaaaaaaaaa1')).toEqual([false, 0]);
});
