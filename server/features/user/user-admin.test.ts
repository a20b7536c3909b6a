import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { UserSummary } from '#contract/users.ts';
import { createUser, createVideo, engines, testApp, type TestApp } from '../../test-support/app.ts';

describe.each(engines)('user administration, on $engine', (on) => {
  let t: TestApp;
  let admin: Awaited<ReturnType<typeof createUser>>;
  beforeEach(async () => {
    t = await testApp({ on });
    admin = await createUser(t, { name: 'Boss', isStaff: true });
  });
  afterEach(() => t.close());

  const login = (username: string, password: string, newPassword?: string) =>
    t.server.inject({ method: 'POST', url: '/api/user/login/', payload: { username, password, new_password: newPassword } });
  const listUsers = async () => (await admin.call('GET', '/api/users/')).json() as UserSummary[];
  const change = (id: number, body: object) => admin.call('POST', `/api/users/${id}/`, body);
  const createCredentials = async (user: typeof admin) => {
    const { token } = (await user.call('GET', '/api/appsettings/token/')).json();
    const named = (await user.call('POST', '/api/user/tokens/', { name: 'Kodi' })).json().token;
    const id = await createVideo(t.app.db);
    const { mediaPath } = await t.app.db.selectFrom('video').select('mediaPath').where('id', '=', id).executeTakeFirstOrThrow();
    const file = join(t.app.config.mediaFolder, mediaPath);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, '0123456789');
    const link = (await user.call('GET', `/api/video/${id}/link/`)).json().media_url as string;
    const byToken = async (secret: string) =>
      (await t.server.inject({ url: `/api/video/${id}/`, headers: { authorization: `Token ${secret}` } })).json()
        .media_url as string;
    const links = [link, await byToken(token), await byToken(named)];
    /** Returns the statuses of requests with the session, two tokens and three links. */
    return async () => {
      const requests = [
        { url: '/api/ping/', headers: user.headers },
        ...[token, named].map((secret) => ({ url: '/api/ping/', headers: { authorization: `Token ${secret}` } })),
        ...links.map((url) => ({ url, headers: {} })),
      ];
      return Promise.all(requests.map(async (one) => (await t.server.inject(one)).statusCode));
    };
  };

  test('a new user gets a password that is shown once and must be changed', async () => {
    const created = (await admin.call('POST', '/api/users/', { username: '  Ann  ' })).json();
    expect(created.user).toMatchObject({ name: 'Ann', is_staff: false, is_disabled: false, has_password: true });
    expect(created.password).toMatch(/^[a-z2-9]{4}(-[a-z2-9]{4}){3}$/);
    expect((await login('ann', created.password)).json()).toMatchObject({ must_choose_password: true });
    expect((await login('ann', created.password, 'words of Ann')).statusCode).toBe(204);
    const body = { username: 'Ben', password: 'words of Ben', is_staff: true };
    expect((await admin.call('POST', '/api/users/', body)).json().password).toBeNull();
    expect((await login('Ben', 'words of Ben')).statusCode).toBe(204);
    expect((await listUsers()).map(({ name, is_staff }) => [name, is_staff])).toEqual([
      ['Ann', false],
      ['Ben', true],
      ['Boss', true],
    ]);
  });

  test.each([
    [{ username: 'bOSS' }, /already/],
    [{ username: '   ' }, /blank/],
    [{ username: 'x'.repeat(151) }, /./],
    [{ username: 'a\u202eb' }, /Not a valid name/],
    [{ username: 'a\u0000b' }, /./],
    [{ username: 'Ann', password: 'short' }, /at least 8/],
    [{ username: 'Ann', password: 'password' }, /That password is too common/],
    [{ username: 'Ann', password: 'Football' }, /That password is too common/],
    [{ username: 'Maria Vidal', password: 'maria.vidal.1987' }, /That password is too common/],
    [{ username: 'Ann', password: 'Reelkeep-2026!' }, /That password is too common/],
    [{ username: ['Ann'] }, /./],
    [{}, /./],
  ])('rejects %j with a message', async (body, expectedError) => {
    const response = await admin.call('POST', '/api/users/', body);
    expect([response.statusCode, response.body]).toEqual([400, expect.stringMatching(expectedError)]);
    expect(await listUsers()).toHaveLength(1);
  });

  test('keeps the last staff account that can log in, and rejects changes of the own account', async () => {
    const ann = await createUser(t, { name: 'Ann', isStaff: true });
    for (const body of [{ is_staff: false }, { is_disabled: true }])
      expect((await change(admin.id, body)).json().error).toMatch(/cannot change your own permissions/);
    expect((await admin.call('DELETE', `/api/users/${admin.id}/`)).json().error).toMatch(/cannot delete your own account/);
    expect((await admin.call('POST', `/api/users/${admin.id}/password/`, {})).json().error).toMatch(
      /cannot reset your own password/,
    );
    // Two staff accounts remove each other concurrently: one of them remains.
    const concurrent = await Promise.all([
      admin.call('POST', `/api/users/${ann.id}/`, { is_staff: false }),
      ann.call('POST', `/api/users/${admin.id}/`, { is_disabled: true }),
    ]);
    expect(concurrent.map(({ statusCode }) => statusCode).toSorted()).not.toEqual([200, 200]);
    const staffAccounts = await t.app.db
      .selectFrom('account')
      .select('id')
      .where('isStaff', '=', 1)
      .where('isDisabled', '=', 0)
      .execute();
    expect(staffAccounts).toHaveLength(1);
  });

  test('disabling a user revokes all access, and enabling requires a new login', async () => {
    const ann = await createUser(t, { name: 'Ann', password: 'words of Ann' });
    const statuses = await createCredentials(ann);
    expect(await statuses()).toEqual([200, 200, 200, 200, 200, 200]);
    expect((await change(ann.id, { is_disabled: true })).json()).toMatchObject({ is_disabled: true, sessions: 0, tokens: 0 });
    expect(await statuses()).toEqual([403, 403, 403, 403, 403, 403]);
    expect((await login('Ann', 'words of Ann')).json().error).toMatch(/account is disabled/);
    expect((await login('Ann', 'guess')).json().error).toBe('Invalid credentials');
    await change(ann.id, { is_disabled: false });
    expect(await statuses()).toEqual([403, 403, 403, 403, 403, 403]);
    expect((await login('Ann', 'words of Ann')).statusCode).toBe(204);
  });

  test('a password reset by staff revokes all access', async () => {
    const ann = await createUser(t, { name: 'Ann', password: 'words of Ann' });
    const statuses = await createCredentials(ann);
    const { password } = (await admin.call('POST', `/api/users/${ann.id}/password/`, {})).json();
    expect(await statuses()).toEqual([403, 403, 403, 403, 403, 403]);
    expect((await login('Ann', 'words of Ann')).statusCode).toBe(400);
    expect((await login('Ann', password)).json()).toMatchObject({ must_choose_password: true });
    expect((await login('Ann', password, 'other words of Ann')).statusCode).toBe(204);
  });

  test('feeds and share links end with a reset, with disabling, and with a new password if the user wants it', async () => {
    const createAddresses = async (user: typeof admin) => {
      await change(user.id, { may_share: true });
      const id = await createVideo(t.app.db);
      const feed = (await user.call('POST', '/api/podcast/', { type: 'new', media: 'video' })).json().url as string;
      const share = (await user.call('POST', '/api/share/', { type: 'video', id, expires: null })).json().url as string;
      const url = (address: string) => new URL(address).pathname;
      const openShare = { method: 'POST', url: `/api/share/${share.split('/').at(-1)}/open/`, payload: {} } as const;
      return async () => [(await t.server.inject(url(feed))).statusCode, (await t.server.inject(openShare)).statusCode];
    };
    const password = 'words of Ann';
    const users = [];
    for (const name of ['Ann', 'Eva', 'Ida', 'Ada']) {
      const user = await createUser(t, { name, password });
      users.push({ user, statuses: await createAddresses(user), credentials: await createCredentials(user) });
    }
    const [reset, disabled, changed, kept] = users as [
      (typeof users)[0],
      (typeof users)[0],
      (typeof users)[0],
      (typeof users)[0],
    ];
    for (const { statuses } of users) expect(await statuses()).toEqual([200, 200]);
    await admin.call('POST', `/api/users/${reset.user.id}/password/`, {});
    await change(disabled.user.id, { is_disabled: true });
    await change(disabled.user.id, { is_disabled: false });
    const next = { current: password, next: 'other words of Ann' };
    expect((await changed.user.call('POST', '/api/user/password/', next)).statusCode).toBe(204);
    expect((await kept.user.call('POST', '/api/user/password/', { ...next, end_access: false })).statusCode).toBe(204);
    for (const { statuses } of [reset, disabled, changed]) expect(await statuses()).toEqual([410, 410]);
    expect(await kept.statuses()).toEqual([200, 200]);
    // The session that changed the password stays.
    expect(await changed.credentials()).toEqual([200, 403, 403, 403, 403, 403]);
    expect(await kept.credentials()).toEqual([200, 200, 200, 403, 200, 200]);
  });

  test('deleting a user deletes and counts the own watch data only', async () => {
    const ann = await createUser(t, { name: 'Ann' });
    const statuses = await createCredentials(ann);
    const [one, two] = [await createVideo(t.app.db), await createVideo(t.app.db)];
    for (const user of [ann, admin]) await user.call('POST', '/api/watched/', { id: one, is_watched: true });
    await ann.call('POST', `/api/video/${two}/progress/`, { position: 100 });
    await ann.call('POST', '/api/note/', { video: one, text: 'of Ann' });
    expect((await listUsers()).find(({ name }) => name === 'Ann')).toMatchObject({
      watched: 2,
      notes: 1,
      sessions: 1,
      tokens: 1,
    });
    expect((await admin.call('DELETE', `/api/users/${ann.id}/`)).json()).toEqual({
      name: 'Ann',
      watched: 2,
      sessions: 1,
      tokens: 1,
    });
    expect(await statuses()).toEqual([403, 403, 403, 403, 403, 403]);
    const accountIdsIn = async (table: 'watch' | 'watchCount') =>
      (await t.app.db.selectFrom(table).select('accountId').execute()).map(({ accountId }) => accountId);
    expect([await accountIdsIn('watch'), await accountIdsIn('watchCount')]).toEqual([[admin.id], [admin.id]]);
    expect((await admin.call('DELETE', `/api/users/${ann.id}/`)).statusCode).toBe(404);
  });

  test('a role change applies to the next request', async () => {
    const ann = await createUser(t, { name: 'Ann' });
    expect((await ann.call('GET', '/api/users/')).statusCode).toBe(403);
    await change(ann.id, { is_staff: true });
    expect((await ann.call('GET', '/api/users/')).statusCode).toBe(200);
    await change(ann.id, { is_staff: false });
    expect((await ann.call('GET', '/api/users/')).statusCode).toBe(403);
  });
});
