import { afterEach, expect, test, vi } from 'vitest';
import type { MediaServer, MediaServerReport, MediaServerTest } from '#contract/media-server.ts';
import type { View } from '#contract/view.ts';
import { createUser, testApp, testTimeouts } from '../../test-support/app.ts';
import { canRunKodi, createRealVideos, startKodi } from '../../test-support/kodi-program.ts';
import { updateViews } from '../view/build-view.ts';
import { refreshMediaServers } from './refresh.ts';

// The connection with Kodi itself. `kodi.test.ts` has what Kodi cannot be made to do.

let close: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const one of close.toReversed()) await one();
  close = [];
});

interface Episode {
  episodeid: number;
  plot: string;
  playcount: number;
  lastplayed: string;
  resume: { position: number };
  uniqueid: Record<string, string>;
}

test.skipIf(!canRunKodi)('Kodi follows a view, and watch states are the same on both sides', async () => {
  const t = await testApp({ env: { REELKEEP_ALLOW_PRIVATE: '127.0.0.1' } });
  close.push(() => t.close());
  const { app } = t;
  const clock = { seconds: Math.floor(Date.now() / 1000) };
  Object.assign(app, { now: () => clock.seconds });
  const ann = await createUser(t, { name: 'Ann', isStaff: true });
  await t.runner.begin();
  const call = async <T>(...request: Parameters<typeof ann.call>): Promise<T> => {
    const response = await ann.call(...request);
    expect(response.statusCode, response.body).toBeLessThan(300);
    return response.body === '' ? (undefined as T) : response.json<T>();
  };
  const [first, second, third] = (await createRealVideos(t)).map(({ id }) => id) as [string, string, string];
  const view = await call<View>('POST', '/api/view/', { name: 'Kodi', root: 'kodi', preset: 'kodi' });
  const idle = () =>
    vi.waitFor(async () => {
      for (const task of ['build_view', 'sync_media_server']) expect(await app.tasks.activeInputs(task)).toEqual([]);
    }, testTimeouts);
  await call('POST', `/api/view/${view.id}/build/`);
  await idle();

  const { rpc, token, address } = await startKodi(close, view.root);
  const episodes = async () => {
    const properties = ['plot', 'playcount', 'lastplayed', 'resume', 'uniqueid'];
    const { episodes: found = [] } = await rpc<{ episodes?: Episode[] }>('VideoLibrary.GetEpisodes', { properties });
    return new Map(found.map((episode) => [episode.uniqueid['youtube']!, episode]));
  };
  const server = await call<MediaServer>('POST', '/api/media-server/', {
    kind: 'kodi',
    name: 'Kodi',
    address,
    token,
    mappings: [{ from: view.root, to: view.root }],
    persons: [{ account: ann.id, user: 'profile', user_name: 'Master user' }],
  });
  const path = `/api/media-server/${server.id}`;
  const tested = await call<MediaServerTest>('POST', `${path}/test/`);
  expect(tested).toMatchObject({ success: true, users: [{ id: 'profile' }], libraries: [{ matches: true }] });
  /** Applies changes to the view, and lets Kodi look at them. */
  const refresh = async () => {
    await updateViews(app);
    clock.seconds += 60;
    await refreshMediaServers(app);
    const { data } = await call<{ data: MediaServer[] }>('GET', '/api/media-server/');
    expect(data[0]).toMatchObject({ state: 'ready', pending: 0, problem: null });
  };
  const sync = async () => {
    await call('POST', `${path}/sync/`);
    await idle();
    const { report } = await call<{ report: MediaServerReport }>('GET', `${path}/sync/`);
    expect(report).toMatchObject({ problems: 0 });
    return report;
  };
  const here = async (id: string) =>
    (await call<{ player: { watched: boolean; position?: number } }>('GET', `/api/video/${id}/`)).player;

  // New videos.
  await app.db.updateTable('video').set({ title: 'Renamed' }).where('id', '=', third).execute();
  await refresh();
  expect([...(await episodes()).keys()].toSorted()).toEqual([first, second, third].toSorted());

  // Watched here.
  await call('POST', '/api/watched/', { id: first, is_watched: true });
  await call('POST', `/api/video/${second}/progress/`, { position: 25 });
  expect(await sync()).toMatchObject({ items: 3, matched: 3, there: 2, here: 0 });
  let found = await episodes();
  expect(found.get(first)).toMatchObject({ playcount: 1, resume: { position: 0 } });
  expect(found.get(second)).toMatchObject({ playcount: 0, resume: { position: 25 } });
  expect(await sync()).toMatchObject({ there: 0, here: 0 });

  // Watched in Kodi.
  const set = (id: string, state: object) =>
    rpc('VideoLibrary.SetEpisodeDetails', { episodeid: found.get(id)!.episodeid, ...state });
  await set(first, { playcount: 0 });
  await set(second, { playcount: 1, resume: { position: 0 } });
  await set(third, { resume: { position: 31, total: 60 } });
  expect(await sync()).toMatchObject({ there: 0, here: 3 });
  expect([(await here(first)).watched, (await here(second)).watched, (await here(third)).position]).toEqual([false, true, 31]);

  // A changed description: the state of Kodi stays.
  await set(second, { playcount: 2, lastplayed: '2024-05-06 07:08:09' });
  await app.db.updateTable('video').set({ description: 'Another plot' }).where('id', '=', second).execute();
  await refresh();
  found = await episodes();
  expect(found.get(second)).toMatchObject({ plot: 'Another plot', playcount: 2, lastplayed: '2024-05-06 07:08:09' });
  expect(found.get(third)!.resume.position).toBe(31);
  expect(await sync()).toMatchObject({ items: 3, matched: 3, there: 0, here: 0 });

  // A changed description of a channel: only the show is read again.
  const showPlots = async () => {
    const { tvshows } = await rpc<{ tvshows: { plot: string }[] }>('VideoLibrary.GetTVShows', { properties: ['plot'] });
    return tvshows.map(({ plot }) => plot);
  };
  expect(await showPlots()).toContain('About <tea>.');
  const ids = async () => [...(await episodes()).values()].map(({ episodeid }) => episodeid).toSorted();
  const before = await ids();
  await app.db.updateTable('channel').set({ description: 'All about tea' }).where('id', '=', 'UCtea').execute();
  await refresh();
  await vi.waitFor(async () => expect(await showPlots()).toContain('All about tea'), testTimeouts);
  expect(await ids()).toEqual(before);
  expect((await episodes()).get(second)).toMatchObject({ plot: 'Another plot', playcount: 2 });

  // A deleted video, and one that is the last of its channel.
  await app.db.deleteFrom('video').where('id', 'in', [second, third]).execute();
  await refresh();
  expect([...(await episodes()).keys()]).toEqual([first]);
});
