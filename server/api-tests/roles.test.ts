import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lines } from '../test-support/role-table.ts';
import { createUser, testApp, type TestApp } from '../test-support/app.ts';

const pathOf = (url: string) =>
  url
    .replace(/:first/, 'n')
    .replace(/:\w+/g, 'nothing0000')
    .replace(/\*$/, 'nothing/nothing.mp4');
const isChange = (method: string) => method !== 'GET';
// Calls that end the session or token of the caller.
const endsTheCaller = /logout|DELETE \/api\/(appsettings\/token|user\/sessions)/;
// Endless response.
const isEndless = (url: string) => url === '/api/events/';

/** Routes that a secret in the address opens, and no login. */
const needsSecret = /\/:secret\//;

describe('authorization', () => {
  let t: TestApp;
  let webFolder: string;
  beforeAll(async () => {
    webFolder = await mkdtemp(join(tmpdir(), 'reelkeep-web-'));
    await mkdir(join(webFolder, 'assets'));
    await writeFile(join(webFolder, 'index.html'), '<base href="/">');
    t = await testApp({ serverOptions: { webFolder } });
  });
  afterAll(async () => {
    await t.close();
    await rm(webFolder, { recursive: true });
  });

  const tokenOf = async (user: Awaited<ReturnType<typeof createUser>>) => {
    const { token } = (await user.call('GET', '/api/appsettings/token/')).json() as { token: string };
    return { authorization: `Token ${token}` };
  };

  /** All kinds of callers with their headers, and whether they count as logged in, as staff and as same-origin. */
  async function allCallers() {
    const [ordinary, staff] = [await createUser(t), await createUser(t, { isStaff: true })];
    const [expired, loggedOut] = [await createUser(t, { isStaff: true }), await createUser(t, { isStaff: true })];
    await t.app.db.updateTable('session').set({ expiresAt: 1 }).where('accountId', '=', expired.id).execute();
    await loggedOut.call('POST', '/api/user/logout/');
    const anonymous = { isLoggedIn: false, isStaff: false, isSameOrigin: true };
    const reader = { isLoggedIn: true, isStaff: false, isSameOrigin: true };
    const admin = { isLoggedIn: true, isStaff: true, isSameOrigin: true };
    return [
      { name: 'anonymous', headers: {}, ...anonymous },
      { name: 'ordinary', headers: ordinary.headers, ...reader },
      { name: 'staff', headers: staff.headers, ...admin },
      { name: 'a token of an ordinary user', headers: await tokenOf(ordinary), ...reader },
      { name: 'a token of staff', headers: await tokenOf(staff), ...admin },
      { name: 'a wrong token', headers: { authorization: `Token ${'0'.repeat(40)}` }, ...anonymous },
      { name: 'an expired session', headers: expired.headers, ...anonymous },
      { name: 'a logged-out session', headers: loggedOut.headers, ...anonymous },
      {
        name: 'another page with a guessed CSRF token',
        headers: { ...staff.headers, 'x-csrftoken': 'guessed' },
        ...admin,
        isSameOrigin: false,
      },
      { name: 'another page', headers: { ...staff.headers, origin: 'https://evil.example' }, ...admin, isSameOrigin: false },
    ];
  }

  test('the role table lists exactly the registered routes with their roles', () => {
    const routes = t.server.allRoutes.filter(({ method, url }) => method !== 'HEAD' && url !== '*');
    const found = routes.map(
      ({ method, url, may, bySession }) =>
        `${(may ?? 'anyone') === 'anyone' ? 'open' : may}${bySession ? '*' : ''} ${method} ${url}`,
    );
    expect(found.toSorted()).toEqual(lines.map((line) => line.join(' ')).toSorted());
    const heads = t.server.allRoutes.filter(({ method }) => method === 'HEAD').map(({ url }) => url);
    expect(heads.filter((url) => !lines.some(([, method, known]) => method === 'GET' && known === url))).toEqual([]);
  });

  test('every caller can use exactly the permitted routes', async () => {
    const allKinds = await allCallers();
    for (const [role, method, url] of lines) {
      const isLast = endsTheCaller.test(`${method} ${url}`);
      for (const [index] of allKinds.entries()) {
        const { name, headers, isLoggedIn, isStaff, isSameOrigin } = (isLast ? await allCallers() : allKinds)[index]!;
        const isRejectedToken = role.endsWith('*') && name.startsWith('a token');
        const may =
          role === 'open' ||
          (isLoggedIn && (role.startsWith('user') || isStaff) && (isSameOrigin || !isChange(method)) && !isRejectedToken);
        if (may && isEndless(url)) continue;
        const response = await t.server.inject({
          method,
          url: pathOf(url),
          headers,
          ...(isChange(method) && { payload: { nonsense: true } }),
        });
        const description = `${name}: ${method} ${url} → ${response.statusCode} ${response.body.slice(0, 200)}`;
        if (needsSecret.test(url)) {
          expect([response.statusCode, response.json().detail], description).toEqual([
            403,
            expect.stringContaining('is not valid'),
          ]);
        } else if (may) {
          expect(response.statusCode, description).not.toBe(403);
          expect(response.statusCode, description).toBeLessThan(500);
        } else {
          // MCP clients ask for a token then.
          expect(response.statusCode, description).toBe(url === '/mcp/' && !isLoggedIn ? 401 : 403);
          expect(response.json().detail, description).toMatch(
            !isLoggedIn ? /not provided|Invalid token/ : isSameOrigin ? /do not have permission/ : /CSRF Failed/,
          );
        }
      }
    }
  });

  test('no other spelling of a URL bypasses authorization', async () => {
    const [ordinary] = [await createUser(t)];
    const upper = (path: string) => path.toUpperCase();
    const variants: ((path: string) => string)[] = [
      (path) => path.replace(/\/$/, ''),
      (path) => `/${path}`,
      (path) => path.replace('/api/', '/api//'),
      (path) => path.replace(/\/$/, '//'),
      (path) => `${path}/`,
      (path) => path.replace('/api/', '/api%2F'),
      (path) => path.replace('/api/', '/%61pi/'),
      (path) => path.replace(/\/$/, '%2F'),
      (path) => path.replace('/api/', '/api/./'),
      (path) => path.replace('/api/', '/api/x/../'),
      (path) => path.replace('/api/', '/api/x/%2e%2e/'),
      (path) => path.replace('/api/', '/./api/'),
      (path) => `/api/health/..${path}`,
      (path) => `/api/health/%2e%2e${path}`,
      (path) => `/assets/..${path}`,
      (path) => `/assets/%2e%2e${path}`,
      (path) => path.replace('/api/', '\\api\\'),
      (path) => path.replace('/api/', '/api%5c'),
      (path) => `${path};x`,
      (path) => `${path};/api/health/`,
      (path) => path.replace(/\/$/, ';a=b/'),
      (path) => `${path}%00`,
      (path) => `${path}.json`,
      (path) => `${path.replace(/\/$/, '')}.jpg`,
      (path) => `${path}%20`,
      (path) => `${path}%09`,
      (path) => `${path}?`,
      (path) => `${path}?x=/api/health/`,
      (path) => path.replace(/^\/\w+\//, '$&~/'),
      (path) => path.replace(/^\/\w+\//, `$&~t.1.zzzzzz.${'a'.repeat(43)}/`),
      (path) => `/youtube/~t.1.zzzzzz.${'a'.repeat(43)}/..${path}`,
      (path) => `${path}?auth=${'0'.repeat(40)}`,
      (path) => `${path}?format=json`,
      (path) => `${path}?_method=GET`,
      (path) => `${path}#/api/health/`,
      (path) => `http://archive${path}`,
      (path) => `//archive${path}`,
      upper,
      (path) => path.replace('api', 'API'),
      (path) => path.replace('api', 'ap\u0131'),
    ];
    const overrides: Record<string, string>[] = [
      {},
      { 'x-http-method-override': 'GET' },
      { 'x-method-override': 'OPTIONS' },
      { 'x-original-url': '/api/health/' },
      { 'x-rewrite-url': '/api/health/' },
      { 'x-forwarded-for': '127.0.0.1', 'x-forwarded-user': 'admin', 'remote-user': 'admin', 'x-real-ip': '127.0.0.1' },
      { 'x-forwarded-prefix': '/api' },
      { 'sec-fetch-site': 'same-origin' },
      { origin: 'moz-extension://0000' },
      { 'x-csrftoken': 'null', cookie: 'csrftoken=null; sessionid=null' },
    ];
    // Combines two spellings; each route tests another quarter of the pairs.
    const steps = [7, 11, 19, 23];
    for (const [index, [role, method, url]] of lines.entries()) {
      if (role === 'open') continue;
      const plain = pathOf(url);
      const step = steps[index % steps.length]!;
      const requests = [
        ...variants.map((variant) => ({ method, url: variant(plain), headers: {} })),
        ...variants.map((variant, at) => ({
          method,
          url: variants[(at + step) % variants.length]!(variant(plain)),
          headers: {},
        })),
        ...overrides.map((headers) => ({ method, url: plain, headers })),
        ...(['HEAD', 'OPTIONS', 'GET'] as const).map((other) => ({ method: other, url: plain, headers: {} })),
      ];
      for (const request of requests) {
        const callers = [{}, ...(role.startsWith('staff') ? [ordinary.headers] : [])];
        for (const caller of callers) {
          if (caller === ordinary.headers && request.method === 'OPTIONS') continue; // OPTIONS for a permitted method
          if (caller === ordinary.headers && isChange(method) && !isChange(request.method.replace('HEAD', 'GET'))) continue; // another endpoint
          const response = await t.server.inject({
            ...request,
            headers: { ...request.headers, ...caller },
            ...(isChange(request.method) &&
              request.method !== 'HEAD' &&
              request.method !== 'OPTIONS' && { payload: { nonsense: true } }),
          } as never);
          const isPage = response.body === '<base href="/">'; // the web app itself is public
          if (!isPage)
            expect(
              response.statusCode,
              `${request.method} ${request.url} ${JSON.stringify(request.headers)}`,
            ).toBeGreaterThanOrEqual(400);
          expect(response.statusCode, `${request.method} ${request.url}`).toBeLessThan(500);
        }
      }
    }
  });

  test.each(['Token 0000', 'token', 'Token '])(
    '%j does not invalidate a valid session, which still needs its CSRF token',
    async (authorization) => {
      const staff = await createUser(t, { isStaff: true });
      const sendRequest = async (headers: Record<string, string>, method: 'GET' | 'POST' = 'GET') => {
        const url = method === 'GET' ? '/api/user/account/' : '/api/user/me/';
        const response = await t.server.inject({
          method,
          url,
          headers: { authorization, ...headers },
          ...(method === 'POST' && { payload: { grid_items: 4 } }),
        });
        return [response.statusCode, response.json().detail ?? response.json().id ?? response.json().grid_items];
      };
      const { cookie } = staff.headers;
      const wrong = authorization.endsWith('0') ? 'Invalid token.' : 'Invalid token header. No credentials provided.';
      expect(await sendRequest({})).toEqual([403, wrong]);
      expect(await sendRequest({ cookie: 'sessionid=0000' })).toEqual([403, wrong]);
      expect(await sendRequest({ cookie })).toEqual([200, staff.id]);
      expect(await sendRequest({ cookie }, 'POST')).toEqual([403, 'CSRF Failed: CSRF token missing.']);
      expect(await sendRequest({ cookie, 'x-csrftoken': 'wrong' }, 'POST')).toEqual([403, 'CSRF Failed: CSRF token incorrect.']);
      expect(await sendRequest({ ...staff.headers, origin: 'https://elsewhere.example' }, 'POST')).toEqual([
        403,
        expect.stringContaining('Origin checking failed'),
      ]);
      expect(await sendRequest(staff.headers, 'POST')).toEqual([200, 4]);
    },
  );

  test('rejects all callers if credentials cannot be looked up', async () => {
    const broken = await testApp();
    try {
      const staff = await createUser(broken, { isStaff: true });
      const token = await tokenOf(staff);
      for (const table of ['session', 'token', 'namedToken'] as const)
        await broken.app.db.schema.alterTable(table).renameTo(`${table}Away`).execute();
      for (const headers of [staff.headers, token])
        await expect(broken.server.inject({ url: '/api/user/account/', headers })).rejects.toThrow(/→ 500/);
    } finally {
      await broken.close().catch(() => {}); // closing reports the failed responses
    }
  });

  test('a valid token takes precedence over a session and needs no CSRF token', async () => {
    const [one, other] = [await createUser(t, { isStaff: true }), await createUser(t)];
    const { token } = (await one.call('GET', '/api/appsettings/token/')).json();
    const headers = { cookie: other.headers.cookie, authorization: `Token ${token}` };
    expect((await t.server.inject({ url: '/api/user/account/', headers })).json().id).toBe(one.id);
    expect((await t.server.inject({ method: 'POST', url: '/api/user/me/', headers, payload: {} })).statusCode).toBe(200);
  });

  test('returns 405 for unsupported methods to authorized callers', async () => {
    const user = await createUser(t);
    const response = await user.call('PUT', '/api/video/');
    expect([response.statusCode, response.json()]).toMatchObject([405, { detail: 'Method "PUT" not allowed.' }]);
    expect(response.headers.allow).toBe('GET, HEAD, OPTIONS');
    expect((await t.server.inject({ method: 'PUT', url: '/api/video/' })).statusCode).toBe(403);
    expect((await t.server.inject({ method: 'DELETE', url: '/api/user/login/' })).statusCode).toBe(405);
    const unknown = await t.server.inject({ url: '/api/nothing/of/the/kind/' });
    expect([unknown.statusCode, unknown.json()]).toMatchObject([404, { error: 'path not found' }]);
  });
});
