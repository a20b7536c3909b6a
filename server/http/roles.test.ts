import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lines } from '../testing-roles.ts';
import { aUser, testArchive, type TestArchive } from '../testing.ts';

const pathOf = (url: string) =>
  url
    .replace(/:first/, 'n')
    .replace(/:\w+/g, 'nothing0000')
    .replace(/\*$/, 'nothing/nothing.mp4');
const isChange = (method: string) => method !== 'GET';
// What these do would leave the caller without what they came with.
const endsTheCaller = /logout|DELETE \/api\/(appsettings\/token|user\/sessions)/;
// Its answer never ends.
const isEndless = (url: string) => url === '/api/events/';

describe('who may', () => {
  let t: TestArchive;
  let webFolder: string;
  beforeAll(async () => {
    webFolder = await mkdtemp(join(tmpdir(), 'reelkeep-web-'));
    await mkdir(join(webFolder, 'assets'));
    await writeFile(join(webFolder, 'index.html'), '<base href="/">');
    t = await testArchive({ around: { webFolder } });
  });
  afterAll(async () => {
    await t.close();
    await rm(webFolder, { recursive: true });
  });

  const tokenOf = async (user: Awaited<ReturnType<typeof aUser>>) => {
    const { token } = (await user.call('GET', '/api/appsettings/token/')).json() as { token: string };
    return { authorization: `Token ${token}` };
  };

  /** Everybody who could ask, by the headers they send, and whether they count as logged in, as staff, and as our page. */
  async function everybody() {
    const [ordinary, staff] = [await aUser(t), await aUser(t, { isStaff: true })];
    const [expired, loggedOut] = [await aUser(t, { isStaff: true }), await aUser(t, { isStaff: true })];
    await t.archive.db.updateTable('session').set({ expiresAt: 1 }).where('accountId', '=', expired.id).execute();
    await loggedOut.call('POST', '/api/user/logout/');
    const nobody = { isIn: false, isStaff: false, isOurs: true };
    const reader = { isIn: true, isStaff: false, isOurs: true };
    const boss = { isIn: true, isStaff: true, isOurs: true };
    return [
      { name: 'nobody', headers: {}, ...nobody },
      { name: 'ordinary', headers: ordinary.headers, ...reader },
      { name: 'staff', headers: staff.headers, ...boss },
      { name: 'a token of somebody ordinary', headers: await tokenOf(ordinary), ...reader },
      { name: 'a token of staff', headers: await tokenOf(staff), ...boss },
      { name: 'a wrong token', headers: { authorization: `Token ${'0'.repeat(40)}` }, ...nobody },
      { name: 'a session that ran out', headers: expired.headers, ...nobody },
      { name: 'a session that was ended', headers: loggedOut.headers, ...nobody },
      { name: 'another page, guessing', headers: { ...staff.headers, 'x-csrftoken': 'guessed' }, ...boss, isOurs: false },
      { name: 'another page', headers: { ...staff.headers, origin: 'https://evil.example' }, ...boss, isOurs: false },
    ];
  }

  test('every route is in the table, every line of the table is a route, and the route says the same', () => {
    const routes = t.app.everyRoute.filter(({ method, url }) => method !== 'HEAD' && url !== '*');
    const found = routes.map(
      ({ method, url, may, bySession }) =>
        `${(may ?? 'anyone') === 'anyone' ? 'open' : may}${bySession ? '*' : ''} ${method} ${url}`,
    );
    expect(found.toSorted()).toEqual(lines.map((line) => line.join(' ')).toSorted());
    const heads = t.app.everyRoute.filter(({ method }) => method === 'HEAD').map(({ url }) => url);
    expect(heads.filter((url) => !lines.some(([, method, known]) => method === 'GET' && known === url))).toEqual([]);
  });

  test('everybody gets through where they may, and nowhere else', async () => {
    const people = await everybody();
    for (const [who, method, url] of lines) {
      const isLast = endsTheCaller.test(`${method} ${url}`);
      for (const [place] of people.entries()) {
        const { name, headers, isIn, isStaff, isOurs } = (isLast ? await everybody() : people)[place]!;
        const isRefusedAsToken = who.endsWith('*') && name.startsWith('a token');
        const may =
          who === 'open' || (isIn && (who.startsWith('user') || isStaff) && (isOurs || !isChange(method)) && !isRefusedAsToken);
        if (may && isEndless(url)) continue;
        const answer = await t.app.inject({
          method,
          url: pathOf(url),
          headers,
          ...(isChange(method) && { payload: { nonsense: true } }),
        });
        const what = `${name}: ${method} ${url} → ${answer.statusCode} ${answer.body.slice(0, 200)}`;
        if (may) {
          expect(answer.statusCode, what).not.toBe(403);
          expect(answer.statusCode, what).toBeLessThan(500);
        } else {
          expect(answer.statusCode, what).toBe(403);
          expect(answer.json().detail, what).toMatch(
            !isIn ? /not provided|Invalid token/ : isOurs ? /do not have permission/ : /CSRF Failed/,
          );
        }
      }
    }
  });

  test('no way of writing an address gives a better answer than the plain one', async () => {
    const [ordinary] = [await aUser(t)];
    const upper = (path: string) => path.toUpperCase();
    const ways: ((path: string) => string)[] = [
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
      (path) => `${path}?sig=`,
      (path) => `${path}?sig=t.1.zzzzzz.${'a'.repeat(43)}`,
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
    let tried = 0;
    for (const [who, method, url] of lines) {
      if (who === 'open') continue;
      const plain = pathOf(url);
      const asked = [
        ...ways.map((way) => ({ method, url: way(plain), headers: {} })),
        ...ways.flatMap((way, at) =>
          [7, 11, 19, 23].map((step) => ({ method, url: ways[(at + step) % ways.length]!(way(plain)), headers: {} })),
        ),
        ...overrides.map((headers) => ({ method, url: plain, headers })),
        ...(['HEAD', 'OPTIONS', 'GET'] as const).map((other) => ({ method: other, url: plain, headers: {} })),
      ];
      for (const one of asked) {
        const callers = [{}, ...(who.startsWith('staff') ? [ordinary.headers] : [])];
        for (const caller of callers) {
          if (caller === ordinary.headers && isChange(method) && !isChange(one.method.replace('HEAD', 'GET'))) continue; // another call
          const answer = await t.app.inject({
            ...one,
            headers: { ...one.headers, ...caller },
            ...(isChange(one.method) && one.method !== 'HEAD' && one.method !== 'OPTIONS' && { payload: { nonsense: true } }),
          } as never);
          tried++;
          const isPage = answer.body === '<base href="/">'; // the web app itself, which is open
          if (!isPage)
            expect(answer.statusCode, `${one.method} ${one.url} ${JSON.stringify(one.headers)}`).toBeGreaterThanOrEqual(400);
          expect(answer.statusCode, `${one.method} ${one.url}`).toBeLessThan(500);
        }
      }
    }
    process.stdout.write(`${tried} ways tried\n`);
  });

  test.each(['Token 0000', 'token', 'Token '])(
    '%j shuts nobody out who has a good session, which proves itself as ever',
    async (authorization) => {
      const staff = await aUser(t, { isStaff: true });
      const ask = async (headers: Record<string, string>, method: 'GET' | 'POST' = 'GET') => {
        const url = method === 'GET' ? '/api/user/account/' : '/api/user/me/';
        const answer = await t.app.inject({
          method,
          url,
          headers: { authorization, ...headers },
          ...(method === 'POST' && { payload: { grid_items: 4 } }),
        });
        return [answer.statusCode, answer.json().detail ?? answer.json().id ?? answer.json().grid_items];
      };
      const { cookie } = staff.headers;
      const wrong = authorization.endsWith('0') ? 'Invalid token.' : 'Invalid token header. No credentials provided.';
      expect(await ask({})).toEqual([403, wrong]);
      expect(await ask({ cookie: 'sessionid=0000' })).toEqual([403, wrong]);
      expect(await ask({ cookie })).toEqual([200, staff.id]);
      expect(await ask({ cookie }, 'POST')).toEqual([403, 'CSRF Failed: CSRF token missing.']);
      expect(await ask({ cookie, 'x-csrftoken': 'wrong' }, 'POST')).toEqual([403, 'CSRF Failed: CSRF token incorrect.']);
      expect(await ask({ ...staff.headers, origin: 'https://elsewhere.example' }, 'POST')).toEqual([
        403,
        expect.stringContaining('Origin checking failed'),
      ]);
      expect(await ask(staff.headers, 'POST')).toEqual([200, 4]);
    },
  );

  test('where it cannot be looked up who somebody is, nobody is let in', async () => {
    const broken = await testArchive();
    try {
      const staff = await aUser(broken, { isStaff: true });
      const token = await tokenOf(staff);
      for (const table of ['session', 'token', 'namedToken'] as const)
        await broken.archive.db.schema.alterTable(table).renameTo(`${table}Away`).execute();
      for (const headers of [staff.headers, token])
        await expect(broken.app.inject({ url: '/api/user/account/', headers })).rejects.toThrow(/→ 500/);
    } finally {
      await broken.close().catch(() => {}); // it tells of the answers that were no answers
    }
  });

  test('a good token goes before a session, and needs no proof', async () => {
    const [one, other] = [await aUser(t, { isStaff: true }), await aUser(t)];
    const { token } = (await one.call('GET', '/api/appsettings/token/')).json();
    const headers = { cookie: other.headers.cookie, authorization: `Token ${token}` };
    expect((await t.app.inject({ url: '/api/user/account/', headers })).json().id).toBe(one.id);
    expect((await t.app.inject({ method: 'POST', url: '/api/user/me/', headers, payload: {} })).statusCode).toBe(200);
  });

  test('what a path cannot do is said to whoever may know of it', async () => {
    const user = await aUser(t);
    const answer = await user.call('PUT', '/api/video/');
    expect([answer.statusCode, answer.json()]).toEqual([405, { detail: 'Method "PUT" not allowed.' }]);
    expect(answer.headers.allow).toBe('GET, HEAD, OPTIONS');
    expect((await t.app.inject({ method: 'PUT', url: '/api/video/' })).statusCode).toBe(403);
    expect((await t.app.inject({ method: 'DELETE', url: '/api/user/login/' })).statusCode).toBe(405);
    const unknown = await t.app.inject({ url: '/api/nothing/of/the/kind/' });
    expect([unknown.statusCode, unknown.json()]).toEqual([404, { error: 'path not found' }]);
  });
});
