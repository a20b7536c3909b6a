import { message } from '#contract/messages.ts';
import { cp, readdir } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { api } from '#contract/api.ts';
import { openOtherServer } from '../../../test-support/other-server.ts';
import { backupFolder } from '../../backup/files/backup-files.ts';
import { runBackup } from '../../backup/run-backup.ts';
import { createUser, createVideo, engines, testTimeouts, testApp, type TestApp } from '../../../test-support/app.ts';

const password = 'größe, 100 % sicher';
const expirySeconds = 601;
let addressCounter = 0;

type Method = 'POST' | 'DELETE';
type Id = { id: number };
/** Request for each call that requires recent authentication, by the name of the call. */
const requests: Record<string, (context: { ben: Id; backup: string }) => [url: string, body?: object]> = {
  'POST /api/user/tokens/': () => ['/api/user/tokens/', { name: 'Kodi' }],
  'POST /api/share/': () => ['/api/share/', { type: 'video', id: 'v1', expires: null }],
  'POST /api/podcast/': () => ['/api/podcast/', { type: 'new', media: 'video' }],
  'POST /api/users/': () => ['/api/users/', { username: 'Eve', password: 'words of Eve' }],
  'POST /api/users/:id/': ({ ben }) => [`/api/users/${ben.id}/`, { is_staff: true }],
  'POST /api/users/:id/password/': ({ ben }) => [`/api/users/${ben.id}/password/`, { password: 'words of Eve' }],
  'DELETE /api/users/:id/': ({ ben }) => [`/api/users/${ben.id}/`],
  'POST /api/appsettings/backup/:filename/': ({ backup }) => [`/api/appsettings/backup/${backup}/`, {}],
  'DELETE /api/appsettings/backup/:filename/': ({ backup }) => [`/api/appsettings/backup/${backup}/`],
  'POST /api/appsettings/config/': () => ['/api/appsettings/config/', { trash: { days: 0 } }],
};
/** Calls that require it for some requests only. */
const conditional = ['POST /api/appsettings/backup/:filename/', 'POST /api/appsettings/config/'];
/** Tested in server/features/user/login/oidc.test.ts, below, and in server/features/backup/restore/accounts.test.ts. */
const testedElsewhere = [
  'POST /api/user/oidc/link/',
  'POST /api/appsettings/backup/:filename/link/',
  'POST /api/appsettings/snapshot/:id/',
  'DELETE /api/appsettings/snapshot/:id/',
];

test('tests every endpoint that asks for reauthentication, which no API token may call', () => {
  const protectedCalls = Object.entries(api).filter(([, call]) => 'proven' in call);
  const tested = [...Object.keys(requests), ...testedElsewhere].filter((name) => !conditional.includes(name));
  expect(protectedCalls.map(([name]) => name).toSorted()).toEqual(tested.toSorted());
  expect(protectedCalls.filter(([, call]) => !('bySession' in call))).toEqual([]);
});

describe.each(engines)('a session that is not recent, on $engine', (on) => {
  let t: TestApp;
  let ann: Awaited<ReturnType<typeof createUser>>;
  let ben: Awaited<ReturnType<typeof createUser>>;
  let clock: number;
  let backup: string;
  beforeEach(async () => {
    t = await testApp({ on, onDisk: true });
    clock = 1_800_000_000;
    Object.assign(t.app, { now: () => clock });
    ann = await createUser(t, { name: 'Ann', password, isStaff: true });
    ben = await createUser(t, { name: 'Ben' });
    backup = '';
    await createVideo(t.app.db, { id: 'v1' });
  });
  afterEach(() => t.close());

  async function createBackup() {
    const { id } = await t.app.tasks.start(runBackup, { reason: 'manual' });
    t.runner.begin();
    await expect.poll(async () => (await ann.call('GET', `/api/task/by-id/${id}/`)).json().status, testTimeouts).toBe('SUCCESS');
    [backup = ''] = await readdir(backupFolder(t.app));
  }
  const readState = async () =>
    JSON.stringify([
      await t.app.db.selectFrom('account').selectAll().orderBy('id').execute(),
      await t.app.db.selectFrom('namedToken').selectAll().execute(),
      await t.app.db.selectFrom('identity').selectAll().execute(),
      await t.app.db.selectFrom('share').selectAll().execute(),
      await t.app.db.selectFrom('podcast').selectAll().execute(),
      await t.app.db.selectFrom('task').select('name').where('name', '=', 'restore_backup').execute(),
      await t.app.db.selectFrom('setting').selectAll().execute(),
      await readdir(backupFolder(t.app)).catch(() => []),
    ]);
  /** Sends a request with a wrong password, by default from a new address because failures are rate limited by address. */
  const sendWrongPassword = (
    method: Method,
    url: string,
    body?: object,
    from = `10.9.${++addressCounter >> 8}.${addressCounter & 255}`,
  ) =>
    t.server.inject({
      method,
      url,
      headers: { ...ann.headers, 'x-reelkeep-confirm': 'a guess' },
      remoteAddress: from,
      ...(body && { payload: body }),
    });

  test.each(Object.entries(requests))('%s', async (name, createRequest) => {
    if (name.includes('/backup/')) await createBackup();
    const method = name.split(' ')[0] as Method;
    const [url, body] = createRequest({ ben, backup });
    const before = await readState();
    clock += expirySeconds;
    const unconfirmed = await ann.call(method, url, body);
    const sentence =
      'This action requires recent authentication. Send your password, percent-encoded, in the header X-Reelkeep-Confirm.';
    expect([unconfirmed.statusCode, unconfirmed.json()]).toEqual([
      400,
      {
        error: sentence,
        message: sentence,
        messages: [message('reauth.password')],
        prove: { by: 'password' },
      },
    ]);
    const failures = async () => (await t.app.metrics.loginFailures.get()).values[0]?.value ?? 0;
    const failed = await failures();
    const wrongPassword = await sendWrongPassword(method, url, body);
    expect([wrongPassword.statusCode, wrongPassword.json()]).toMatchObject([
      400,
      { error: 'The current password is incorrect.', prove: { by: 'password' } },
    ]);
    expect(await failures()).toBe(failed + 1);
    const { token } = (await ann.call('GET', '/api/appsettings/token/', undefined, password)).json();
    const authorization = `Token ${token}`;
    for (const headers of [{ authorization }, { authorization, 'x-reelkeep-confirm': encodeURIComponent(password) }])
      expect((await t.server.inject({ method, url, headers, ...(body && { payload: body }) })).statusCode).toBe(403);
    expect(await readState()).toBe(before);
    expect((await ann.call(method, url, body, password)).statusCode).toBeLessThan(300);
    expect(await readState()).not.toBe(before);
  });

  test.each(Object.entries(requests))('after a login needs no password: %s', async (name, createRequest) => {
    if (name.includes('/backup/')) await createBackup();
    const [url, body] = createRequest({ ben, backup });
    const before = await readState();
    clock += expirySeconds - 1;
    expect((await ann.call(name.split(' ')[0] as Method, url, body)).statusCode).toBeLessThan(300);
    expect(await readState()).not.toBe(before);
  });

  test('reads the permanent API token, but creates one only after reauthentication', async () => {
    const read = async (confirm?: string) => (await ann.call('GET', '/api/appsettings/token/', undefined, confirm)).json();
    clock += expirySeconds;
    expect(await read()).toMatchObject({ prove: { by: 'password' } });
    expect(await t.app.db.selectFrom('token').selectAll().execute()).toEqual([]);
    const { token } = await read(password);
    expect(token).toMatch(/^[0-9a-f]{40}$/);
    expect(await read()).toEqual({ token });
    const headers = { authorization: `Token ${token}` };
    expect((await t.server.inject({ url: '/api/appsettings/token/', headers })).json()).toEqual({ token });
  });

  test('a password counts for one request, a login for the following ones', async () => {
    clock += expirySeconds;
    const createToken = (confirm?: string) => ann.call('POST', '/api/user/tokens/', { name: 'x' }, confirm);
    expect((await createToken(password)).statusCode).toBe(200);
    expect((await createToken()).statusCode).toBe(400);
    const payload = { username: 'Ann', password };
    const response = await t.server.inject({ method: 'POST', url: '/api/user/login/', payload });
    const cookies = Object.fromEntries(response.cookies.map(({ name, value }) => [name, value]));
    const headers = { cookie: `sessionid=${cookies.sessionid}`, 'x-csrftoken': cookies.csrftoken! };
    const createTokenAgain = () => t.server.inject({ method: 'POST', url: '/api/user/tokens/', headers, payload: { name: 'y' } });
    expect([(await createTokenAgain()).statusCode, (await createTokenAgain()).statusCode]).toEqual([200, 200]);
    // Neither requests nor a clock that is set back renew the authentication.
    clock += 7200;
    await t.server.inject({ url: '/api/ping/', headers });
    expect((await createTokenAgain()).statusCode).toBe(400);
    clock -= 30_000;
    expect((await createTokenAgain()).statusCode).toBe(400);
  });

  test('guesses count as failed logins', async () => {
    clock += expirySeconds;
    const from = `10.8.1.${++addressCounter}`;
    const payload = { name: 'x' };
    for (let n = 0; n < 10; n++)
      expect((await sendWrongPassword('POST', '/api/user/tokens/', payload, from)).statusCode).toBe(400);
    expect((await sendWrongPassword('POST', '/api/user/tokens/', payload, from)).statusCode).toBe(429);
    const login = { method: 'POST' as const, url: '/api/user/login/', payload: { username: 'Ann', password } };
    expect((await t.server.inject({ ...login, remoteAddress: from })).statusCode).toBe(429);
    const confirmedHeaders = { ...ann.headers, 'x-reelkeep-confirm': encodeURIComponent(password) };
    const blocked = await t.server.inject({
      method: 'POST',
      url: '/api/user/tokens/',
      headers: confirmedHeaders,
      remoteAddress: from,
      payload,
    });
    expect(blocked.statusCode).toBe(429);
  });

  test('downloads a backup only with the password, or with a ticket', async () => {
    await createBackup();
    clock += expirySeconds;
    const [file, link] = [`/api/appsettings/backup/${backup}/file/`, `/api/appsettings/backup/${backup}/link/`];
    for (const [method, url] of [
      ['GET', file],
      ['POST', link],
    ] as const)
      expect((await ann.call(method, url)).json()).toMatchObject({ prove: { by: 'password' } });
    expect((await ann.call('GET', file, undefined, password)).statusCode).toBe(200);
    const { url } = (await ann.call('POST', link, undefined, password)).json();
    const whole = await ann.call('GET', url);
    expect([whole.statusCode, whole.headers['content-disposition']]).toEqual([200, expect.stringContaining(backup)]);
    // The link is bound to the session, rejects tokens and invalid tickets, and expires.
    const other = await createUser(t, { isStaff: true });
    await t.app.db.updateTable('session').set({ authenticatedAt: 1 }).execute();
    expect((await other.call('GET', url)).statusCode).toBe(400);
    expect((await t.server.inject({ url })).statusCode).toBe(403);
    const { token } = (await ann.call('GET', '/api/appsettings/token/', undefined, password)).json();
    expect((await t.server.inject({ url, headers: { authorization: `Token ${token}` } })).statusCode).toBe(403);
    expect((await ann.call('GET', `${file}?ticket=guess`)).statusCode).toBe(400);
    // Not even by another session of the same user.
    const session = await t.server.inject({ method: 'POST', url: '/api/user/login/', payload: { username: 'Ann', password } });
    await t.app.db.updateTable('session').set({ authenticatedAt: 1 }).execute();
    const cookie = session.cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
    expect((await t.server.inject({ url, headers: { cookie } })).statusCode).toBe(400);
    // Another server of the archive accepts the ticket.
    const server = await openOtherServer(t, {});
    try {
      await cp(backupFolder(t.app), backupFolder(server.app), { recursive: true });
      expect((await server.server.inject({ url, headers: ann.headers })).statusCode).toBe(200);
    } finally {
      await server.close();
    }
    clock += 3601;
    expect((await ann.call('GET', url)).statusCode).toBe(400);
  });

  test('extends the retention of the trash without the password', async () => {
    clock += expirySeconds;
    const saveDays = async (days: number) => (await ann.call('POST', '/api/appsettings/config/', { trash: { days } })).statusCode;
    expect([await saveDays(30), await saveDays(30), await saveDays(7)]).toEqual([200, 200, 400]);
    const { token } = (await ann.call('GET', '/api/appsettings/token/', undefined, password)).json();
    const byToken = async (days: number) =>
      (
        await t.server.inject({
          method: 'POST',
          url: '/api/appsettings/config/',
          headers: { authorization: `Token ${token}` },
          payload: { trash: { days } },
        })
      ).statusCode;
    expect([await byToken(31), await byToken(30)]).toEqual([200, 403]);
  });

  test('revokes access, reads the legacy token and verifies a backup without the password', async () => {
    await createBackup();
    const { id } = (await ann.call('POST', '/api/user/tokens/', { name: 'x' })).json();
    await ann.call('GET', '/api/appsettings/token/');
    clock += expirySeconds;
    expect((await ann.call('DELETE', `/api/user/tokens/${id}/`)).statusCode).toBe(204);
    expect((await ann.call('DELETE', '/api/user/sessions/')).statusCode).toBe(200);
    expect((await ann.call('GET', '/api/appsettings/token/')).statusCode).toBe(200);
    expect((await ann.call('POST', `/api/appsettings/backup/${backup}/`, { dry_run: true })).statusCode).toBe(200);
    expect((await ann.call('DELETE', '/api/appsettings/token/')).statusCode).toBe(204);
  });
});
