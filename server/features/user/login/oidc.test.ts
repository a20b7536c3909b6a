import { createHash } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { hashPassword } from './password.ts';
import { createClient, createUser, createVideo, engines, testApp, type TestApp } from '../../../test-support/app.ts';
import { startOidcProvider, base64, otherKey } from '../../../test-support/oidc-provider.ts';
import { sealWithoutPurpose } from '../../../test-support/encryption.ts';

describe.each(engines)('OpenID login, on $engine', (on) => {
  let idp: Awaited<ReturnType<typeof startOidcProvider>>;
  let t: TestApp;
  beforeEach(async () => {
    idp = await startOidcProvider();
    t = await testApp({
      on,
      env: { REELKEEP_OIDC_ISSUER: idp.issuer, REELKEEP_OIDC_STAFF_GROUP: 'keepers', REELKEEP_TRUSTED_PROXIES: '127.0.0.1' },
    });
  });
  afterEach(async () => {
    await t.close();
    await idp.close();
  });

  const cookiesOf = (response: { cookies: { name: string; value: string }[] }) =>
    response.cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
  const startLogin = (path = '/api/user/oidc/', headers: Record<string, string> = {}) => t.server.inject({ url: path, headers });
  /** Runs a complete login: start, authorization at the provider, callback. Tests can replace each step. */
  async function login({
    path = '/api/user/oidc/',
    headers = {} as Record<string, string>,
    start = () => startLogin(path, headers),
    changeQuery = (query: object): object => query,
    changeAddress = (address: string) => address,
    cookie = '',
  } = {}) {
    const redirect = await start();
    const address = (redirect.headers.location as string | undefined) ?? (redirect.json() as { address: string }).address;
    const query = changeQuery(idp.authorize(changeAddress(address))) as Record<string, string>;
    const cookieHeader = [cookie || cookiesOf(redirect), headers.cookie].filter(Boolean).join('; ');
    return t.server.inject({ url: `/api/user/oidc/callback/?${new URLSearchParams(query)}`, headers: { cookie: cookieHeader } });
  }
  const readAccount = async (response: Awaited<ReturnType<typeof login>>) =>
    (await t.server.inject({ url: '/api/user/account/', headers: { cookie: cookiesOf(response) } })).json();
  const errorOf = (response: { headers: Record<string, unknown> }) =>
    new URL(String(response.headers.location), 'http://x').searchParams.get('why');

  test('uses the public URL behind an https proxy and a base path', async () => {
    const headers = {
      host: 'films.example.org',
      'x-forwarded-host': 'films.example.org',
      'x-forwarded-proto': 'https',
      'x-forwarded-prefix': '/tube',
    };
    const redirect = await startLogin('/api/user/oidc/?next=/video/abc', headers);
    const address = redirect.headers.location as string;
    const callbackUrl = 'https://films.example.org/tube/api/user/oidc/callback/';
    expect(new URL(address).searchParams.get('redirect_uri')).toBe(callbackUrl);
    const attributes = { httpOnly: true, sameSite: 'Lax', secure: true, path: '/tube/api/user/oidc/' };
    expect(redirect.cookies).toEqual([expect.objectContaining({ name: 'oidc', ...attributes })]);
    const url = `/api/user/oidc/callback/?${new URLSearchParams(idp.authorize(address))}`;
    const response = await t.server.inject({ url, headers: { ...headers, cookie: cookiesOf(redirect) } });
    expect([response.statusCode, response.headers.location]).toEqual([302, '/tube/video/abc']);
    expect(response.cookies.find(({ name }) => name === 'sessionid')).toMatchObject({ path: '/tube', secure: true });
    expect(idp.redirectUris).toEqual([callbackUrl]);
    expect((await readAccount(response)).name).toBe('maria');
  });

  test('logs in the same account every time, and continues to the requested page', async () => {
    const redirect = await startLogin('/api/user/oidc/?next=/video/abc');
    const parameters = new URL(redirect.headers.location as string).searchParams;
    expect(Object.fromEntries(parameters)).toMatchObject({
      client_id: 'reelkeep',
      code_challenge_method: 'S256',
      response_type: 'code',
    });
    const first = await login({ path: '/api/user/oidc/?next=/video/abc' });
    expect([first.statusCode, first.headers.location]).toEqual([302, '/video/abc']);
    expect(JSON.stringify(first.headers) + first.body).not.toContain(base64({ alg: 'RS256', kid: 'k' })); // tokens are not sent to the browser
    const maria = await readAccount(first);
    expect(maria).toMatchObject({ name: 'maria', is_staff: false });
    idp.settings.person = { sub: 'sub-1', preferred_username: 'maria-who-married' };
    expect((await readAccount(await login())).id).toBe(maria.id);
    idp.settings.person = { sub: 'sub-2', preferred_username: 'another' };
    expect((await readAccount(await login())).id).not.toBe(maria.id);
    expect((await t.server.inject({ url: '/api/user/login-methods/' })).json()).toMatchObject({
      password: true,
      oidc: 'single sign-on',
    });
  });

  test('the group claim sets the staff role at each login', async () => {
    idp.settings.person.groups = ['readers', 'keepers'];
    expect((await readAccount(await login())).is_staff).toBe(true);
    idp.settings.groupsOnlyInUserinfo = true;
    expect((await readAccount(await login())).is_staff).toBe(true);
    idp.settings.person.groups = ['readers'];
    expect((await readAccount(await login())).is_staff).toBe(false);
  });

  test('confirms large deletions with the number of videos', async () => {
    idp.settings.person.groups = ['keepers'];
    const session = await login();
    const { call } = createClient(t.server, Object.fromEntries(session.cookies.map(({ name, value }) => [name, value])));
    const id = await createVideo(t.app.db, { sizeBytes: 200e9 });
    const remove = (confirm?: string) => call('DELETE', `/api/video/${id}/`, undefined, confirm);
    expect((await remove()).json().confirm).toMatchObject({ by: 'number', videos: 1 });
    expect((await remove('2')).statusCode).toBe(400);
    expect((await remove('1')).statusCode).toBe(204);
  });

  test('directs users without a local password to the provider to change it', async () => {
    const { call } = browserOf(await login());
    const change = async () => {
      const response = await call('POST', '/api/user/password/', { current: 'our own', next: 'quite other words' });
      return [response.statusCode, response.statusCode === 204 ? null : response.json().error];
    };
    expect(await change()).toEqual([
      400,
      'Your account has no password here, because you log in with an OpenID provider. Change your password there.',
    ]);
    await t.app.db
      .updateTable('account')
      .set({ passwordHash: await hashPassword('our own') })
      .execute();
    expect(await change()).toEqual([204, null]);
  });

  test('does not take over a local account of the same name before it is linked', async () => {
    const maria = await createUser(t, { name: 'Maria', isStaff: true });
    const rejected = await login();
    expect(errorOf(rejected)).toBe('name-taken');
    expect(rejected.cookies.map(({ name }) => name)).not.toContain('sessionid');
    const link = (user: typeof maria) =>
      login({ start: () => user.call('POST', '/api/user/oidc/link/', { next: '/settings/user/' }), headers: user.headers });
    const linked = await link(maria);
    expect(linked.headers.location).toBe('/settings/user/');
    expect((await readAccount(await login())).id).toBe(maria.id);
    expect(errorOf(await link(await createUser(t)))).toBe('linked-elsewhere');
  });

  test('other sites cannot start a login or link an account', async () => {
    const crossSiteHeaders = [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { referer: 'http://evil.example/' },
      { 'sec-fetch-site': 'cross-site', host: 'nas:8000', referer: 'http://nas:8000/' },
    ];
    const maria = await createUser(t);
    const link = (headers: object) =>
      t.server.inject({ method: 'POST', url: '/api/user/oidc/link/', headers: { cookie: maria.headers.cookie, ...headers } });
    for (const headers of crossSiteHeaders) {
      const response = await startLogin('/api/user/oidc/?next=/video/abc', headers as Record<string, string>);
      expect(response.headers.location).toBe('/login/?next=%2Fvideo%2Fabc'); // the login page, where the user clicks
      expect(response.cookies).toEqual([]);
      expect((await link(headers)).statusCode).toBe(403);
    }
    expect((await startLogin('/api/user/oidc/', { 'sec-fetch-site': 'none' })).headers.location).toContain('/authorize');
  });

  test.each(['//evil.example', 'https://evil.example', '/\\evil.example', 'javascript:alert(1)', '/ok and more'])(
    'does not redirect to %s',
    async (next) => {
      const response = await login({ path: `/api/user/oidc/?next=${encodeURIComponent(next)}` });
      expect(response.headers.location).toBe('/');
    },
  );

  test.each<[string, () => Promise<{ headers: Record<string, unknown>; cookies: { name: string }[] }>, string?]>([
    ['another state', () => login({ changeQuery: (query) => ({ ...query, state: 'guessed' }) })],
    ['no state', () => login({ changeQuery: (query) => ({ code: (query as { code: string }).code }) })],
    ['an unknown code', () => login({ changeQuery: (query) => ({ ...query, code: 'guessed' }) })],
    [
      'an error of the provider',
      () => login({ changeQuery: (query) => ({ state: (query as { state: string }).state, error: 'access_denied' }) }),
    ],
    ['no cookie', () => login({ cookie: 'other=1' }), 'expired'],
    ['a cookie from another program', () => login({ cookie: `oidc=${base64({ state: 'x' })}` }), 'expired'],
    ['another nonce', () => ((idp.settings.claims = (claims) => ({ ...claims, nonce: 'other' })), login())],
    ['another issuer', () => ((idp.settings.claims = (claims) => ({ ...claims, iss: 'https://evil.example' })), login())],
    ['another audience', () => ((idp.settings.claims = (claims) => ({ ...claims, aud: 'other' })), login())],
    ['an expired token', () => ((idp.settings.claims = (claims) => ({ ...claims, exp: 1 })), login())],
    ['no signature', () => ((idp.settings.isUnsigned = true), login())],
    ['no subject', () => ((idp.settings.claims = (claims) => ({ ...claims, sub: undefined })), login())],
  ])('rejects a callback with %s', async (_what, sendCallback, reason = 'failed') => {
    const response = await sendCallback();
    expect(errorOf(response)).toBe(reason);
    expect(response.cookies.map(({ name }) => name)).not.toContain('sessionid');
    expect(await t.app.db.selectFrom('session').selectAll().execute()).toEqual([]);
    expect(await t.app.db.selectFrom('account').selectAll().execute()).toEqual([]);
  });

  test('rejects an ID token that is signed with another key', async () => {
    const subjects = async () => (await t.app.db.selectFrom('identity').select('subject').execute()).map((row) => row.subject);
    expect(errorOf(await login())).toBeNull();
    const rightKey = idp.settings.key;
    idp.settings.key = otherKey;
    idp.settings.person = { sub: 'sub-9', preferred_username: 'ann' };
    expect(errorOf(await login())).toBe('failed');
    expect(await subjects()).toEqual(['sub-1']);
    idp.settings.key = rightKey;
    expect(errorOf(await login())).toBeNull();
    expect((await subjects()).toSorted()).toEqual(['sub-1', 'sub-9']);
  });

  const browserOf = (response: Awaited<ReturnType<typeof login>>) =>
    createClient(t.server, Object.fromEntries(response.cookies.map(({ name, value }) => [name, value])));
  type Browser = ReturnType<typeof browserOf>;
  const createToken = async ({ call }: Browser) => {
    const response = await call('POST', '/api/user/tokens/', { name: 'Kodi' });
    return response.statusCode === 200 ? 'created' : (response.json() as { prove: { by: string } }).prove.by;
  };
  const reauthenticate = ({ headers }: Browser, options: Parameters<typeof login>[0] = {}) =>
    login({ path: '/api/user/oidc/reauthenticate/?next=/logged-in/', headers, ...options });

  test('asks for a new login at the provider before sensitive actions', async () => {
    const maria = browserOf(await login());
    expect(await createToken(maria)).toBe('login');
    const redirect = await startLogin('/api/user/oidc/reauthenticate/', maria.headers);
    expect(Object.fromEntries(new URL(redirect.headers.location as string).searchParams)).toMatchObject({
      prompt: 'login',
      max_age: '60',
    });
    const response = await reauthenticate(maria);
    expect(response.headers.location).toBe('/logged-in/');
    expect(await createToken(browserOf(response))).toBe('created');
    expect((await maria.call('GET', '/api/ping/')).statusCode).toBe(403); // reauthentication ends the previous session
    idp.settings.secondsSinceLogin = 30;
    expect(await createToken(browserOf(await login()))).toBe('created'); // by the auth_time of the provider
  });

  test('rejects a reauthentication that was not requested or is by another person', async () => {
    const maria = browserOf(await login());
    const withoutPrompt = await reauthenticate(maria, {
      changeAddress: (address) => address.replace('prompt=login', 'prompt=none'),
    });
    expect(errorOf(withoutPrompt)).toBe('not-recent');
    idp.settings.secondsSinceLogin = null;
    expect(errorOf(await reauthenticate(maria))).toBe('not-recent');
    idp.settings.secondsSinceLogin = 7200;
    idp.settings.person = { sub: 'sub-2', preferred_username: 'another' };
    const otherPerson = await reauthenticate(maria);
    expect(errorOf(otherPerson)).toBe('other-person');
    for (const response of [withoutPrompt, otherPerson])
      expect(response.cookies.map(({ name }) => name)).not.toContain('sessionid');
    expect(await t.app.db.selectFrom('account').select('name').execute()).toEqual([{ name: 'maria' }]);
    expect(await createToken(maria)).toBe('login');
  });

  test('linking an account asks for the password after a while', async () => {
    const ben = await createUser(t, { name: 'Ben', password: 'words of Ben' });
    await t.app.db.updateTable('session').set({ authenticatedAt: 1 }).execute();
    const link = (confirm?: string) => ben.call('POST', '/api/user/oidc/link/', { next: '/' }, confirm);
    expect((await link()).json().prove).toEqual({ by: 'password' });
    expect((await link('guess')).json()).toMatchObject({
      error: 'The current password is incorrect.',
      prove: { by: 'password' },
    });
    expect((await link('words of Ben')).json().address).toContain('/authorize');
    await idp.close();
    expect((await link('words of Ben')).statusCode).toBe(200); // the provider metadata is cached
  });

  test('a login flow is valid once', async () => {
    const redirect = await startLogin();
    const query = new URLSearchParams(idp.authorize(redirect.headers.location as string));
    const sendCallback = () =>
      t.server.inject({ url: `/api/user/oidc/callback/?${query}`, headers: { cookie: cookiesOf(redirect) } });
    expect((await sendCallback()).headers.location).toBe('/');
    expect(errorOf(await sendCallback())).toBe('expired');
  });

  test('rejects a second callback of one flow, also with a new code and in parallel', async () => {
    const redirect = await startLogin();
    const address = redirect.headers.location as string;
    const sendCallback = () => {
      const query = new URLSearchParams(idp.authorize(address));
      return t.server.inject({ url: `/api/user/oidc/callback/?${query}`, headers: { cookie: cookiesOf(redirect) } });
    };
    const responses = [...(await Promise.all([sendCallback(), sendCallback()])), await sendCallback()];
    const loggedIn = responses.filter(({ cookies }) => cookies.some(({ name }) => name === 'sessionid'));
    expect(loggedIn).toHaveLength(1);
    expect(responses.filter((one) => errorOf(one) === 'expired')).toHaveLength(2);
  });

  test('rejects a sealed membership token as the cookie of an OpenID flow', async () => {
    const admin = await createUser(t, { name: 'admin', isStaff: true });
    const { token } = (
      await (await createUser(t, { isStaff: true })).call('POST', '/api/user/tokens/', { name: 'script', scopes: ['staff'] })
    ).json();
    const redirectUri = 'http://localhost:80/api/user/oidc/callback/';
    const [verifier, nonce] = ['v'.repeat(43), 'n'.repeat(43)];
    const flow = { verifier, state: 's', nonce, next: '/', redirectUri, linkTo: admin.id, again: null, until: 9_999_999_999 };
    const tokenResponse = await t.server.inject({
      method: 'POST',
      url: '/api/appsettings/membership/token/',
      payload: { token: JSON.stringify(flow) },
      headers: { authorization: `Token ${token}` },
    });
    expect(tokenResponse.statusCode).toBe(200);
    // Backups contain the encrypted value.
    const { sealed } = await t.app.db.selectFrom('secret').select('sealed').executeTakeFirstOrThrow();
    const authorization = new URL((await startLogin()).headers.location as string);
    authorization.searchParams.set('code_challenge', createHash('sha256').update(verifier).digest('base64url'));
    authorization.searchParams.set('nonce', nonce);
    authorization.searchParams.set('state', 's');
    const query = new URLSearchParams(idp.authorize(authorization.href));
    for (const cookie of [sealed, sealWithoutPurpose(t.app.keys.present, JSON.stringify(flow))]) {
      const response = await t.server.inject({
        url: `/api/user/oidc/callback/?${query}`,
        headers: { cookie: `oidc=${cookie}`, host: 'localhost:80' },
      });
      expect(errorOf(response)).toBe('expired');
      expect(response.cookies.map(({ name }) => name)).not.toContain('sessionid');
    }
    expect(await t.app.db.selectFrom('identity').selectAll().execute()).toEqual([]);
  });

  test('rejects a provider with another issuer', async () => {
    idp.settings.hasWrongIssuer = true;
    expect(errorOf(await startLogin())).toBe('provider-away');
    idp.settings.hasWrongIssuer = false;
    expect((await startLogin()).headers.location).toContain('/authorize');
  });

  test('completes a login that another server of the archive started, and consumes it there', async () => {
    // Another process has its own modules.
    vi.resetModules();
    const { openOtherServer } = await import('../../../test-support/other-server.ts');
    const other = await openOtherServer(t, { REELKEEP_OIDC_ISSUER: idp.issuer });
    try {
      const redirect = await startLogin();
      const query = new URLSearchParams(idp.authorize(redirect.headers.location as string) as unknown as Record<string, string>);
      const callback = { url: `/api/user/oidc/callback/?${query}`, headers: { cookie: cookiesOf(redirect) } };
      const response = await other.server.inject(callback);
      expect([response.statusCode, errorOf(response)]).toEqual([302, null]);
      expect((await readAccount(response)).name).toBe('maria');
      expect(errorOf(await other.server.inject(callback))).toBe('expired');
    } finally {
      await other.close();
    }
  });

  test('reports an unreachable provider, and tries again at the next login', async () => {
    await idp.close();
    expect(errorOf(await startLogin())).toBe('provider-away');
  });
});

test('without a provider its routes do not exist', async () => {
  const t = await testApp();
  expect((await t.server.inject({ url: '/api/user/oidc/' })).statusCode).toBe(404);
  expect((await t.server.inject({ url: '/api/user/login-methods/' })).json()).toEqual({
    password: true,
    oidc: null,
    logout_url: null,
    awaits_first_login: false,
  });
  await t.close();
});
