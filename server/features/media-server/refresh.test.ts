import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { createChannel, engines } from '../../test-support/app.ts';
import { problemIds, setUp, type FakeKind, type Setup } from '../../test-support/media-servers/set-up.ts';
import { updateViews } from '../view/build-view.ts';
import { refreshMediaServers } from './refresh.ts';
import { syncMediaServers } from './sync-server.ts';

let s: Setup;
afterEach(async () => {
  expect(s.fake.rejected).toEqual([]);
  await s.close();
});

/** Runs the periodic jobs at a later time. */
async function after(seconds: number) {
  s.clock.seconds += seconds;
  await refreshMediaServers(s.t.app);
}
const refreshed = () =>
  s.fake.updates
    .splice(0)
    .map((update) =>
      'Path' in update
        ? `${update.UpdateType} ${update.Path}`
        : 'method' in update
          ? `${update.method} ${update.path}`
          : update.path,
    );
const rename = async (id: string, title: string) => {
  await s.t.app.db.updateTable('video').set({ title }).where('id', '=', id).execute();
  await updateViews(s.t.app);
};

describe.each(['jellyfin', 'emby', 'plex'] satisfies FakeKind[])('the refresh of %s', (kind) => {
  const changed = (change: string, path: string) => (kind === 'plex' ? path : `${change} ${path}`);

  test('is one request per folder for a burst of changes', async () => {
    s = await setUp(kind);
    const { id } = await s.add();
    await s.addVideo('aaaaaaaaaa4', 'Four');
    await updateViews(s.t.app);
    s.clock.seconds += 20;
    await rename('aaaaaaaaaa1', 'First');
    await after(20);
    expect(s.fake.requests).toEqual([]);
    expect((await s.read(id)).pending).toBe(1);
    await after(10);
    expect(refreshed()).toEqual([changed('Modified', '/media/A')]);
    expect(await s.read(id)).toMatchObject({ pending: 0, refreshed: s.clock.seconds, state: 'ready' });
    s.fake.take();
    await after(1000);
    expect(s.fake.requests).toEqual([]);
  });

  test('waits at most five minutes', async () => {
    s = await setUp(kind);
    await s.add();
    for (let number = 1; number <= 15; number++) {
      await rename('aaaaaaaaaa1', `Name ${number}`);
      await after(20);
      expect(refreshed()).toEqual(number === 15 ? [changed('Modified', '/media/A')] : []);
    }
  });

  test('of a folder that is gone is that of the folder above it', async () => {
    s = await setUp(kind);
    await s.add();
    await s.t.app.db.deleteFrom('video').execute();
    await updateViews(s.t.app);
    await after(60);
    expect(refreshed()).toEqual([changed('Modified', '/media')]);
  });

  test('is repeated with growing pauses, then stops until a test succeeds', async () => {
    s = await setUp(kind);
    const { id } = await s.add();
    await rename('aaaaaaaaaa1', 'First');
    s.fake.fail({ kind: 'status', status: 500 });
    s.clock.seconds += 60;
    const attempts: number[] = [];
    const start = s.clock.seconds;
    // A whole week.
    for (let minutes = 0; minutes < 7 * 24 * 60; minutes += 1) {
      const before = s.fake.requests.length;
      await refreshMediaServers(s.t.app);
      if (s.fake.requests.length > before) attempts.push((s.clock.seconds - start) / 60);
      s.clock.seconds += 60;
    }
    expect(attempts).toEqual([0, 1, 3, 7, 15, 31, 63, 127, 255, 511, 871, 1231]);
    // The login would have expired.
    s.clock.seconds = start;
    const server = await s.read(id);
    expect(server).toMatchObject({ state: 'stopped', pending: 1, refreshed: null });
    expect(problemIds(server)).toEqual(['media-server.status', 'media-server.gave-up']);
    s.fake.heal();
    expect(await s.test(id)).toMatchObject({ success: true });
    await after(60);
    expect(refreshed()).toEqual([changed('Modified', '/media/A')]);
  });

  test('that fails is not repeated for ever because synchronizations succeed', async () => {
    s = await setUp(kind);
    s.fake.expectRejections(/./);
    const { id } = await s.add();
    await rename('aaaaaaaaaa1', 'First');
    const isRefresh = kind === 'plex' ? /refresh/ : /Media\/Updated/;
    s.fake.fail({ kind: 'status', status: 403 }, isRefresh);
    const start = s.clock.seconds;
    for (let minutes = 0; minutes < 2 * 24 * 60; minutes += 5) {
      await after(300);
      await syncMediaServers(s.t.app, new AbortController().signal);
    }
    expect(s.fake.requests.filter(({ path }) => isRefresh.test(path))).toHaveLength(12);
    s.clock.seconds = start;
    const server = await s.read(id);
    expect(server.state).toBe('stopped');
    expect(problemIds(server)).toEqual(['media-server.forbidden', 'media-server.gave-up']);
  });

  test('stops after a rejected token until it is changed', async () => {
    s = await setUp(kind);
    s.fake.expectRejections(/./);
    const { id } = await s.add();
    s.fake.settings.token = 'revoked';
    await rename('aaaaaaaaaa1', 'First');
    for (let hours = 0; hours < 20; hours++) await after(3600);
    expect(s.fake.take()).toHaveLength(1);
    expect((await s.read(id)).state).toBe('rejected');
    await s.change(id, { token: 'revoked' });
    await after(1);
    expect(refreshed()).toEqual([changed('Modified', '/media/A')]);
  });
});

describe.each(engines)('waiting refreshes on $engine', (on) => {
  test('are merged, and stay when one fails or comes during the request', async () => {
    s = await setUp('jellyfin', { on });
    await s.add();
    await createChannel(s.t.app.db, { id: 'UCb', name: 'B' });
    await s.addVideo('bbbbbbbbbb1', 'Other', 'UCb');
    await updateViews(s.t.app);
    await rename('aaaaaaaaaa1', 'First');
    s.fake.fail({ kind: 'cut' });
    await after(60);
    expect(refreshed()).toEqual([]);
    s.fake.heal();
    await after(120);
    expect(refreshed().toSorted()).toEqual(['Created /media/B', 'Modified /media/A']);
    await rename('aaaaaaaaaa1', 'Earlier');
    s.fake.beforeNext(() => rename('aaaaaaaaaa2', 'Later'));
    await after(60);
    expect(refreshed()).toEqual(['Modified /media/A']);
    await after(60);
    expect(refreshed()).toEqual(['Modified /media/A']);
    expect(await s.t.app.db.selectFrom('mediaServerRefresh').selectAll().execute()).toEqual([]);
  });

  test('of many folders become one of the view', async () => {
    s = await setUp('jellyfin', { on });
    await s.add();
    for (let number = 0; number < 60; number++) {
      await createChannel(s.t.app.db, { id: `UC${number}`, name: `Channel ${number}` });
      await s.addVideo(`video${number}`, 'Video', `UC${number}`);
    }
    await updateViews(s.t.app);
    await after(60);
    expect(refreshed()).toEqual(['Modified /media']);
    expect(await s.t.app.db.selectFrom('mediaServerRefresh').selectAll().execute()).toEqual([]);
  });

  test('of views that the server does not read are dropped', async () => {
    s = await setUp('jellyfin', { on });
    await s.add({ mappings: [{ from: join(s.view.root, 'B'), to: '/media' }] });
    await rename('aaaaaaaaaa1', 'First');
    await after(60);
    expect(s.fake.requests).toEqual([]);
    expect(await s.t.app.db.selectFrom('mediaServerRefresh').selectAll().execute()).toEqual([]);
  });

  test('are none without servers, and none for changes that only rewrite NFO files', async () => {
    s = await setUp('jellyfin', { on });
    await rename('aaaaaaaaaa1', 'First');
    await s.add();
    await s.call('POST', `/api/view/${s.view.id}/build/`);
    await s.idle();
    await s.t.app.db.updateTable('video').set({ description: 'new' }).execute();
    await updateViews(s.t.app);
    expect(await s.t.app.db.selectFrom('mediaServerRefresh').selectAll().execute()).toEqual([]);
    // A file that was deleted in the view comes back.
    await rm(join(s.view.root, 'A/First [aaaaaaaaaa1].mp4'));
    await s.call('POST', `/api/view/${s.view.id}/build/`);
    await s.idle();
    await after(60);
    expect(refreshed()).toEqual(['Modified /media/A']);
  });
});
