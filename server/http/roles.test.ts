import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { routes } from '../rooms.ts';
import { aUser, testArchive, type TestArchive } from '../testing.ts';

const pathOf = (path: string) => path.replace(/:\w+/g, 'nothing0000');
const table = routes.map((route) => ({ ...route, may: route.call.may, name: `${route.method} ${route.path}` }));
const isChange = (method: string) => method !== 'GET';

describe('who may', () => {
  let t: TestArchive;
  let user: Awaited<ReturnType<typeof aUser>>;
  let staff: Awaited<ReturnType<typeof aUser>>;
  let token: string;
  beforeAll(async () => {
    t = await testArchive();
    user = await aUser(t);
    staff = await aUser(t, { isStaff: true });
    token = (await staff.call('GET', '/api/appsettings/token/')).json().token;
  });
  afterAll(() => t.close());

  test('a call says who may make it', () => {
    expect(table.length).toBeGreaterThan(30);
    for (const { call } of table) expect(['anyone', 'user', 'staff']).toContain(call.may);
  });

  test.each(table.filter(({ may }) => may !== 'anyone'))('nobody may $name', async ({ method, path }) => {
    const answer = await t.app.inject({ method, url: pathOf(path), ...(isChange(method) && { payload: { nonsense: true } }) });
    expect([answer.statusCode, answer.json()]).toEqual([403, { detail: 'Authentication credentials were not provided.' }]);
  });

  test.each(table.filter(({ may }) => may === 'staff'))('a person who is not staff may not $name', async ({ method, path }) => {
    const answer = await user.call(method, pathOf(path), isChange(method) ? { nonsense: true } : undefined);
    expect([answer.statusCode, answer.json()]).toEqual([403, { detail: 'You do not have permission to perform this action.' }]);
  });

  test.each(table.filter(({ may, method }) => may !== 'anyone' && isChange(method)))(
    'a page elsewhere cannot $name in the name of who is logged in',
    async ({ method, path }) => {
      const { cookie } = staff.headers;
      const send = (headers: Record<string, string>) =>
        t.app.inject({ method, url: pathOf(path), headers: { cookie, ...headers }, payload: {} });
      expect((await send({})).json()).toEqual({ detail: 'CSRF Failed: CSRF token missing.' });
      expect((await send({ 'x-csrftoken': 'guessed' })).json()).toEqual({ detail: 'CSRF Failed: CSRF token incorrect.' });
      const foreign = await send({ 'x-csrftoken': staff.headers['x-csrftoken'], origin: 'https://evil.example' });
      expect([foreign.statusCode, foreign.json().detail]).toEqual([403, expect.stringContaining('Origin checking failed')]);
    },
  );

  test.each(table.filter(({ method, path, may }) => method === 'GET' && may !== 'anyone' && !path.includes('token')))(
    'staff may $name, with a session and with a token',
    async ({ method, path }) => {
      const url = pathOf(path)
        .replace('/api/download/aggs/', '/api/download/aggs/?filter=pending')
        .replace('/channel/search/', '/channel/search/?q=nothing')
        .replace('/api/search/', '/api/search/?query=nothing');
      const bySession = await staff.call(method, url);
      expect([200, 404]).toContain(bySession.statusCode);
      const byToken = await t.app.inject({ method, url, headers: { authorization: `Token ${token}` } });
      expect(byToken.statusCode).toBe(bySession.statusCode);
    },
  );

  test('a wrong token is refused even where a good session comes with it', async () => {
    const answer = await t.app.inject({ url: '/api/ping/', headers: { ...staff.headers, authorization: 'Token 0000' } });
    expect([answer.statusCode, answer.json()]).toEqual([403, { detail: 'Invalid token.' }]);
  });

  test.each([
    '/youtube/a/b.mp4',
    '/media/a/b.mp4',
    '/cache/videos/a/abc.jpg',
    '/cache/channels/UC_thumb.jpg',
    '/cache/playlists/PL.jpg',
    '/api/events/',
  ])('nobody sees %s without a login', async (url) => {
    expect((await t.app.inject({ url })).statusCode).toBe(403);
  });
});
