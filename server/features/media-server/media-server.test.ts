import { afterEach, describe, expect, test } from 'vitest';
import { reseal } from '../../archive/security/reseal.ts';
import { keysOf } from '../../platform/security/encryption.ts';
import { createUser, engines } from '../../test-support/app.ts';
import { problemIds, setUp, startFakeServer, type FakeKind, type Setup } from '../../test-support/media-servers/set-up.ts';

const kinds: FakeKind[] = ['jellyfin', 'emby', 'plex'];
let s: Setup;
afterEach(async () => {
  expect(s.fake.rejected).toEqual([]);
  await s.close();
});

describe.each(engines)('media servers on $engine', (on) => {
  test('are added, changed, listed and removed, without their tokens', async () => {
    s = await setUp('jellyfin', { on });
    const server = await s.add({ persons: [{ ...s.person, token: 'token-of-ann' }] });
    expect(server).toMatchObject({
      name: 'TV',
      address: s.fake.address,
      has_token: true,
      mappings: [{ from: s.view.root, to: '/media' }],
      persons: [{ account: s.ann.id, account_name: 'Ann', user: 'aaaa', user_name: 'Ann', has_token: true, problem: null }],
      state: 'new',
      is_syncing: false,
    });
    const changed = await s.change(server.id, { name: 'Living room', persons: [s.person] });
    expect(changed.persons[0]!.has_token).toBe(true);
    const stored = JSON.stringify(await s.t.app.db.selectFrom('mediaServer').selectAll().execute());
    expect(stored).not.toContain('secret-token');
    expect((await s.ann.call('GET', '/api/media-server/')).body).not.toMatch(/secret-token|token-of-ann/);
    await s.call('DELETE', `/api/media-server/${server.id}/`);
    expect(await s.call('GET', '/api/media-server/')).toEqual({ data: [] });
    expect(s.fake.requests).toEqual([]);
  });

  test('need a view, a valid address and known users', async () => {
    s = await setUp('jellyfin', { on });
    const bob = await createUser(s.t);
    const errorOf = async (more: object) => {
      const response = await s.ann.call('POST', '/api/media-server/', s.body(more));
      expect(response.statusCode).toBe(400);
      return response.json<{ error: string }>().error;
    };
    expect(await errorOf({ mappings: [{ from: '/elsewhere', to: '/media' }] })).toMatch(/No library view is in \/elsewhere/);
    expect(await errorOf({ mappings: [{ from: 'shows', to: '/media' }] })).toMatch(/not an absolute path/);
    for (const address of ['ftp://nas', 'nas:8096', 'http://user:pw@nas/', 'http://nas/?a=b', 'nonsense'])
      expect(await errorOf({ address })).toMatch(/must look like/);
    expect(await errorOf({ persons: [{ account: 9999, user: 'x', user_name: 'x' }] })).toMatch(/no such user/);
    const both = [s.person, { ...s.person, account: bob.id }];
    expect(await errorOf({ persons: both })).toMatch(/only once/);
    expect(await errorOf({ playlists: ['nothing'] })).toMatch(/no such playlist/);
    expect((await s.ann.call('POST', '/api/media-server/', s.body({ token: 'a\nb' }))).statusCode).toBe(400);
    // Nothing was half applied.
    expect(await s.t.app.db.selectFrom('mediaServer').select('number').execute()).toEqual([]);
    await s.add();
    expect(await errorOf({})).toMatch(/already is a media server with this name/);
  });

  test('saving other settings is no new consent of a person', async () => {
    s = await setUp('jellyfin', { on });
    const agrees = async () => (await s.ann.call('GET', '/api/user/account/')).json().shares_watch_state as boolean;
    const { id } = await s.add({ persons: [s.person] });
    expect(await agrees()).toBe(true);
    await s.ann.call('POST', '/api/user/watch-sharing/', { shares_watch_state: false });
    await s.change(id, { name: 'Living room', persons: [s.person] });
    expect(await agrees()).toBe(false);
  });

  test('a token is not sent to another address', async () => {
    s = await setUp('jellyfin', { on });
    const server = await s.add({ persons: [{ ...s.person, token: 'token-of-ann' }] });
    const moved = await s.ann.call('POST', `/api/media-server/${server.id}/`, { address: 'http://192.0.2.1:8096' });
    expect(moved.json<{ error: string }>().error).toMatch(/Enter the token again/);
    const changed = await s.change(server.id, { address: 'http://192.0.2.1:8096', token: 'another', persons: [s.person] });
    expect(changed.persons[0]!.has_token).toBe(false);
  });

  test('a token does not open for an address that was changed in the database, as by a tampered backup', async () => {
    s = await setUp('jellyfin', { on });
    const other = await setUp('jellyfin', { on });
    try {
      const { id } = await s.add({ persons: [{ ...s.person, token: 'token-of-ann' }] });
      await s.t.app.db.updateTable('mediaServer').set({ address: other.fake.address }).execute();
      expect((await s.test(id)).problem_messages?.map((one) => one.id)).toEqual(['media-server.token-missing']);
      expect(other.fake.requests).toEqual([]);
    } finally {
      await other.close();
    }
  });
});

describe.each(kinds)('the test of %s', (kind) => {
  test('returns the name, version, libraries and users', async () => {
    s = await setUp(kind);
    s.fake.addLibrary('Films', '/films', 'movie');
    const { id } = await s.add();
    expect(await s.test(id)).toEqual({
      success: true,
      problem: null,
      problem_messages: null,
      server_name: 'Living room',
      version: s.fake.settings.token && expect.stringMatching(/^\d/),
      libraries: [
        { name: 'Archive', folders: ['/media'], matches: true },
        { name: 'Films', folders: ['/films'], matches: false },
      ],
      users: [
        { id: s.fake.userId, name: 'Ann' },
        { id: expect.any(String), name: 'Bob' },
      ],
    });
    const { data } = await s.call<{ data: unknown[] }>('GET', `/api/media-server/${id}/user/`);
    expect(data).toHaveLength(2);
  });

  test('reports a mapping without a library', async () => {
    s = await setUp(kind);
    const { id } = await s.add({ mappings: [{ from: s.view.root, to: '/elsewhere' }] });
    const result = await s.test(id);
    expect(result).toMatchObject({ success: false, server_name: 'Living room' });
    expect(result.problem).toMatch(/No library of the server has a folder in \/elsewhere/);
  });

  test('reports a wrong token, which stops automatic requests until it is changed', async () => {
    s = await setUp(kind);
    s.fake.expectRejections(/./);
    const { id } = await s.add({ token: 'wrong', persons: [s.person] });
    expect((await s.test(id)).problem).toMatch(/rejected the token/);
    expect(await s.read(id)).toMatchObject({ state: 'rejected', retry_at: null });
    await s.change(id, { name: 'Still wrong' });
    expect((await s.read(id)).state).toBe('rejected');
    await s.change(id, { token: 'secret-token' });
    expect(await s.test(id)).toMatchObject({ success: true });
    expect(await s.read(id)).toMatchObject({ state: 'ready', problem: null });
  });

  test('reports a server of another kind', async () => {
    for (const other of kinds.filter((one) => one !== kind)) {
      s = await setUp(kind);
      const fake = await startFakeServer(other);
      const { id } = await s.add({ address: fake.address });
      const names = { jellyfin: 'Jellyfin', emby: 'Emby', plex: 'Plex', kodi: 'Kodi' };
      expect((await s.test(id)).problem).toBe(
        `This is a server of ${names[other]}, not of ${names[kind]}. Remove it and add it as that.`,
      );
      await fake.close();
      await s.close();
    }
    s = await setUp(kind);
  });

  test('reports what is no such server', async () => {
    s = await setUp(kind);
    const { id } = await s.add();
    const idsOf = async () => {
      const result = await s.test(id);
      expect(result.success).toBe(false);
      return problemIds(result);
    };
    for (const [fault, expected] of [
      [{ kind: 'html' }, 'media-server.invalid-response'],
      [{ kind: 'half' }, 'media-server.invalid-response'],
      [{ kind: 'huge' }, 'media-server.too-large'],
      [{ kind: 'cut' }, 'media-server.unreachable'],
      [{ kind: 'redirect' }, 'media-server.redirect'],
      [{ kind: 'status', status: 500 }, 'media-server.status'],
      [{ kind: 'status', status: 404 }, 'media-server.not-found'],
      [{ kind: 'status', status: 403 }, 'media-server.forbidden'],
    ] as const) {
      s.fake.fail(fault);
      expect(await idsOf()).toEqual([expected]);
      s.fake.heal();
    }
    expect((await s.read(id)).state).toBe('retrying');
    expect(await s.test(id)).toMatchObject({ success: true });
    await s.change(id, { address: 'http://127.0.0.1:1', token: 'x' });
    expect((await s.test(id)).problem).toMatch(/127\.0\.0\.1:1 refused the connection/);
    await s.change(id, { address: 'http://does-not-exist.invalid', token: 'x' });
    expect(await idsOf()).toEqual(['media-server.unreachable']);
  });
});

test('this machine is reached only with permission', async () => {
  s = await setUp('jellyfin', { env: { REELKEEP_ALLOW_PRIVATE: '' } });
  const { id } = await s.add();
  const result = await s.test(id);
  expect(problemIds(result)).toEqual(['media-server.blocked']);
  expect(result.problem).toMatch(/REELKEEP_ALLOW_PRIVATE/);
  expect(s.fake.requests).toEqual([]);
});

test('tokens are encrypted again with a new key', async () => {
  s = await setUp('jellyfin');
  const { id } = await s.add({ persons: [{ ...s.person, token: 'token-of-ann' }] });
  const { app } = s.t;
  const next = Buffer.alloc(32, 8);
  expect(await reseal(app.db, keysOf(next, app.keys.present))).toMatchObject({ resealed: 2, unreadable: 0 });
  Object.assign(app, { keys: keysOf(next) });
  expect(await s.test(id)).toMatchObject({ success: true });
});

test('a token of another key is asked for again', async () => {
  s = await setUp('jellyfin');
  const { id } = await s.add();
  await s.t.app.db.updateTable('mediaServer').set({ sealed: null }).execute();
  expect((await s.test(id)).problem).toMatch(/Enter it again/);
  expect(s.fake.requests).toEqual([]);
});
