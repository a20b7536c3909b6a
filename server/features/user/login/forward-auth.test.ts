import { get } from 'node:http';
import { text as textOf } from 'node:stream/consumers';
import { afterEach, expect, test } from 'vitest';
import { testApp, type TestApp } from '../../../test-support/app.ts';
import { accountForOidcLogin, accountForDirectoryEntry } from './external-accounts.ts';
import { addAccount } from '../account/store.ts';

let t: TestApp;
afterEach(() => t.close());
const openArchive = async (env: Record<string, string> = {}) => {
  t = await testApp({ env: { REELKEEP_FORWARD_AUTH: 'on', REELKEEP_TRUSTED_PROXIES: '10.0.0.1', ...env } });
};
/** Sends a request with the Remote-User header from a proxy address. */
const sendRequest = (
  name: string | undefined,
  { from = '10.0.0.1', method = 'GET', url = '/api/user/account/', headers = {} } = {},
) =>
  t.server.inject({
    method: method as 'GET',
    url,
    remoteAddress: from,
    headers: { ...(name !== undefined && { 'remote-user': name }), ...headers },
    ...(method === 'POST' && { payload: {} }),
  });

test('logs in the user named by the trusted proxy, with an account without rights', async () => {
  await openArchive();
  expect((await sendRequest('maria')).json()).toMatchObject({ name: 'maria', is_staff: false });
  const jörg = Buffer.from('Jörg', 'utf8').toString('latin1');
  expect((await sendRequest(jörg)).json()).toMatchObject({ name: 'Jörg' });
  const boss = await addAccount(t.app.db, { name: 'boss', passwordHash: '', isStaff: true }, 0);
  expect((await sendRequest('boss')).json()).toMatchObject({ id: boss!.id, is_staff: true });
});

/** Encodes a name like a proxy, as UTF-8 bytes. */
const utf8Header = (name: string) => Buffer.from(name, 'utf8').toString('latin1');

test.each(['Admin', 'ADMIN', 'ａｄｍｉｎ', 'ᴬᴰmiⁿ'])('rejects %s as the name of the account admin', async (name) => {
  await openArchive();
  await addAccount(t.app.db, { name: 'admin', passwordHash: '', isStaff: true }, 0);
  const response = await sendRequest(utf8Header(name));
  expect([response.statusCode, response.json().detail]).toEqual([403, expect.stringMatching(/existing account admin/)]);
  const add = await sendRequest(utf8Header(name), { method: 'POST', url: '/api/users/' });
  expect(add.statusCode).toBe(403);
  expect((await sendRequest('admin')).json()).toMatchObject({ name: 'admin', is_staff: true });
  expect(await t.app.db.selectFrom('account').select('name').execute()).toHaveLength(1);
});

test('matches a name in any Unicode normal form of the same characters', async () => {
  await openArchive();
  const { id } = (await sendRequest(utf8Header('Jörg'.normalize('NFC')))).json();
  expect((await sendRequest(utf8Header('Jörg'.normalize('NFD')))).json()).toMatchObject({ id });
});

test.each([
  ['a soft hyphen', 'ad\u00ADmin'],
  ['a zero width space', 'admin\u200B'],
  ['an override of direction', '\u202Enimda'],
  ['a Hangul filler', 'admin\u3164'],
  ['a variation selector', 'admin\uFE0F'],
  ['a no-break space at its end', 'admin\u00A0'],
])('rejects a name with %s', async (_what, name) => {
  await openArchive();
  const response = await sendRequest(utf8Header(name));
  expect([response.statusCode, response.json().detail]).toEqual([403, expect.stringMatching(/1 to 150 visible characters/)]);
  await expect(accountForDirectoryEntry(t.app, { name, isStaff: true })).rejects.toThrow(/1 to 150 visible characters/);
  const oidcLogin = { issuer: 'https://id.example', subject: '1', name, isStaff: undefined, authenticatedAt: 0 };
  await expect(accountForOidcLogin(t.app, oidcLogin, { linkTo: null, again: null })).rejects.toThrow('bad-name');
  expect(await t.app.db.selectFrom('account').select('name').execute()).toEqual([]);
});

test('rejects a doubled Remote-User header', async () => {
  await openArchive({ REELKEEP_TRUSTED_PROXIES: '127.0.0.1' });
  const address = await t.server.listen({ host: '127.0.0.1', port: 0 });
  const send = (names: string[]) =>
    new Promise<[number | undefined, string]>((resolve, reject) => {
      get(`${address}/api/user/account/`, { headers: { 'Remote-User': names } }, async (response) =>
        resolve([response.statusCode, await textOf(response)]),
      ).on('error', reject);
    });
  expect(await send(['bob', 'admin'])).toEqual([403, expect.stringContaining('remote-user was sent more than once')]);
  expect(await send(['bob'])).toEqual([200, expect.stringContaining('"bob"')]);
  expect(await t.app.db.selectFrom('account').select('name').execute()).toEqual([{ name: 'bob' }]);
});

test('pages of foreign origins are not logged in by the proxy if any origin may read replies, but by a token', async () => {
  await openArchive({ DISABLE_CORS: 'on' });
  const admin = await addAccount(t.app.db, { name: 'admin', passwordHash: '', isStaff: true }, 0);
  const { token } = (await sendRequest('admin', { url: '/api/appsettings/token/' })).json();
  for (const origin of ['http://evil.example', 'null'])
    for (const url of ['/api/appsettings/token/', '/api/user/account/']) {
      const headers = { origin, 'sec-fetch-site': 'cross-site' };
      const response = await sendRequest('admin', { url, headers });
      expect([response.statusCode, response.body]).toEqual([403, expect.stringContaining('API token')]);
      expect(response.body).not.toContain(token);
      const byToken = await sendRequest('admin', { url, headers: { ...headers, authorization: `Token ${token}` } });
      expect(byToken.statusCode).toBe(200);
    }
  for (const headers of [{ origin: 'http://localhost' }, { origin: 'moz-extension://x' }, {}])
    expect((await sendRequest('admin', { headers: { host: 'localhost', ...headers } })).statusCode).toBe(200);
  expect((await sendRequest('admin')).json()).toMatchObject({ id: admin!.id });
});

test('OpenID and proxy users of the same name get different accounts', async () => {
  await openArchive();
  const loginWithOidc = (subject: string, name: string, linkTo: number | null = null) =>
    accountForOidcLogin(
      t.app,
      { issuer: 'https://id.example', subject, name, isStaff: undefined, authenticatedAt: 0 },
      { linkTo, again: null },
    );
  await loginWithOidc('1', 'maria');
  const rejected = await sendRequest('maria');
  expect([rejected.statusCode, rejected.json().detail]).toEqual([
    403,
    expect.stringMatching(/^The account maria logs in with the OpenID provider/),
  ]);
  await expect(accountForDirectoryEntry(t.app, { name: 'maria', isStaff: true })).rejects.toThrow(
    /^The account maria logs in with the OpenID provider/,
  );
  // An existing account that its owner linked accepts both login methods.
  const { id } = (await addAccount(t.app.db, { name: 'boss', passwordHash: '', isStaff: true }, 0))!;
  await loginWithOidc('2', 'boss', id);
  expect((await sendRequest('boss')).json()).toMatchObject({ id });
  expect(await accountForDirectoryEntry(t.app, { name: 'boss', isStaff: false })).toBe(id);
});

test('does not ask proxy users to reauthenticate', async () => {
  await openArchive();
  const createToken = (from: string) =>
    t.server.inject({
      method: 'POST',
      url: '/api/user/tokens/',
      remoteAddress: from,
      headers: { 'remote-user': 'maria' },
      payload: { name: 'Kodi' },
    });
  expect([(await createToken('10.0.0.1')).statusCode, (await createToken('10.0.0.2')).statusCode]).toEqual([200, 403]);
});

test('directs proxy users to the proxy to change their password', async () => {
  await openArchive();
  const response = await t.server.inject({
    method: 'POST',
    url: '/api/user/password/',
    remoteAddress: '10.0.0.1',
    headers: { 'remote-user': 'maria' },
    payload: { current: 'any words', next: 'quite other words' },
  });
  expect([response.statusCode, response.json().error]).toEqual([
    400,
    'Your account has no password here, because a proxy logs you in. Change your password there.',
  ]);
});

test('ignores the header from other addresses', async () => {
  await openArchive();
  for (const from of ['10.0.0.2', '127.0.0.1', '::ffff:10.0.0.2'])
    expect((await sendRequest('boss', { from })).statusCode).toBe(403);
  // Only the address of the connection counts, not X-Forwarded-For.
  expect((await sendRequest('boss', { from: '10.0.0.2', headers: { 'x-forwarded-for': '10.0.0.1' } })).statusCode).toBe(403);
  expect((await sendRequest(undefined)).statusCode).toBe(403);
  expect((await sendRequest(' ')).statusCode).toBe(403);
  expect((await sendRequest('a\tb')).statusCode).toBe(403);
  expect((await sendRequest('x'.repeat(151))).statusCode).toBe(403);
  expect(await t.app.db.selectFrom('account').select('name').execute()).toEqual([]);
});

test('rejects cross-site changes of proxy users', async () => {
  await openArchive();
  const post = (headers: object) => sendRequest('maria', { method: 'POST', url: '/api/user/me/', headers: headers as never });
  expect((await post({ origin: 'https://evil.example' })).statusCode).toBe(403);
  // Sandboxed frames, pages that hide their origin, and extensions: without CSRF token, the origin is the only check.
  for (const headers of [
    { origin: 'null', 'sec-fetch-site': 'cross-site' },
    { origin: 'null' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { origin: 'chrome-extension://abcdef' },
  ])
    expect([(await post(headers as Record<string, string>)).statusCode, headers]).toEqual([403, headers]);
  expect((await post({ 'sec-fetch-site': 'none' })).statusCode).toBe(200);
  expect((await post({ 'sec-fetch-site': 'same-origin' })).statusCode).toBe(200);
  expect((await post({ host: 'videos.example', origin: 'https://videos.example' })).statusCode).toBe(200);
});

test('asks for no password, and returns the logout URL', async () => {
  await openArchive({ REELKEEP_FORWARD_AUTH_LOGOUT: 'https://sso.example/logout' });
  expect((await sendRequest(undefined, { url: '/api/user/login-methods/' })).json()).toEqual({
    password: false,
    oidc: null,
    logout_url: 'https://sso.example/logout',
    awaits_first_login: false,
  });
  const payload = { username: 'boss', password: 'correct horse' };
  expect((await t.server.inject({ method: 'POST', url: '/api/user/login/', payload })).statusCode).toBe(400);
});

test.each([
  {},
  { REELKEEP_TRUSTED_PROXIES: '0.0.0.0/0' },
  { REELKEEP_TRUSTED_PROXIES: '0.0.0.0/1,128.0.0.0/1' },
  { REELKEEP_TRUSTED_PROXIES: '10.0.0.1 ::/0' },
])('does not start if any client could claim any name: %o', async (proxies) => {
  await expect(openArchive({ REELKEEP_TRUSTED_PROXIES: '', ...proxies })).rejects.toThrow(/or anyone could be anybody/);
  await openArchive(); // for afterEach
});
