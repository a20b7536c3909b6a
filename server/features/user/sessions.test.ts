import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { NamedToken, Session } from '#contract/sessions.ts';
import { createChannel, createUser, createVideo, engines, testApp, type TestApp } from '../../test-support/app.ts';

const day = 86_400;

describe.each(engines)('sessions and tokens, on $engine', (on) => {
  let t: TestApp;
  let clock: number;
  let ann: Awaited<ReturnType<typeof createUser>>;
  beforeEach(async () => {
    t = await testApp({ on });
    clock = 1_800_000_000;
    Object.assign(t.app, { now: () => clock });
    ann = await createUser(t, { name: 'Ann', password: 'words of Ann', isStaff: true });
  });
  afterEach(() => t.close());

  const loginWithBrowser = async (browser: string) => {
    const response = await t.server.inject({
      method: 'POST',
      url: '/api/user/login/',
      payload: { username: 'Ann', password: 'words of Ann' },
      headers: { 'user-agent': browser },
      remoteAddress: '10.9.8.7',
    });
    const headers = { cookie: response.cookies.map(({ name, value }) => `${name}=${value}`).join('; ') };
    return async () => (await t.server.inject({ url: '/api/ping/', headers })).statusCode;
  };
  const sessions = async () => (await ann.call('GET', '/api/user/sessions/')).json() as Session[];
  const sendWithToken = (token: string, method: 'GET' | 'POST' | 'DELETE', url: string, payload?: object) =>
    t.server.inject({ method, url, headers: { authorization: `Token ${token}` }, ...(payload && { payload }) });
  const createToken = async (body: object) =>
    (await ann.call('POST', '/api/user/tokens/', body)).json() as NamedToken & { token: string };

  test('lists sessions, the current one first, and ends one', async () => {
    const phone = await loginWithBrowser('Phone/1.0\u00fc<script>');
    const tv = await loginWithBrowser('TV');
    const all = await sessions();
    expect(all.map(({ is_this }) => is_this)).toEqual([true, false, false]);
    expect(all.map(({ browser }) => browser).toSorted()).toEqual(['Phone/1.0 <script>', 'TV', 'lightMyRequest']);
    const phoneSession = all.find(({ browser }) => browser.startsWith('Phone'))!;
    expect(phoneSession).toMatchObject({ address: '10.9.8.7', began: clock, seen: clock, ends: clock + 2 * day });
    expect((await ann.call('DELETE', `/api/user/sessions/${phoneSession.id}/`)).statusCode).toBe(204);
    expect([await phone(), await tv()]).toEqual([403, 200]);
    expect((await ann.call('DELETE', `/api/user/sessions/${phoneSession.id}/`)).statusCode).toBe(404);
    expect((await ann.call('DELETE', '/api/user/sessions/')).json()).toEqual({ ended: 1 });
    expect([await tv(), (await sessions()).length]).toEqual([403, 1]);
  });

  test('users cannot end a session or token of another user', async () => {
    const ben = await createUser(t, { name: 'Ben', isStaff: true });
    const [{ id }] = (await sessions()) as [Session];
    const token = await createToken({ name: 'mine' });
    expect((await ben.call('DELETE', `/api/user/sessions/${id}/`)).statusCode).toBe(404);
    expect((await ben.call('DELETE', `/api/user/tokens/${token.id}/`)).statusCode).toBe(404);
    expect((await ben.call('GET', '/api/user/tokens/')).json()).toEqual([]);
    expect((await sendWithToken(token.token, 'GET', '/api/ping/')).statusCode).toBe(200);
    for (const invalidId of ['%', '0'.repeat(17), 'g'.repeat(16), "' or 1=1"])
      expect((await ann.call('DELETE', `/api/user/sessions/${encodeURIComponent(invalidId)}/`)).statusCode).toBe(404);
  });

  test('a named token is shown once, records its use, expires, and can be revoked', async () => {
    const kodi = await createToken({ name: ' Kodi ', days: 30 });
    expect(kodi).toMatchObject({ name: 'Kodi', created: clock, last_used: null, expires: clock + 30 * day });
    expect(kodi.token).toMatch(/^[0-9a-f]{40}$/);
    const stored = await t.app.db.selectFrom('namedToken').selectAll().execute();
    expect(JSON.stringify(stored)).not.toContain(kodi.token);
    expect((await sendWithToken(kodi.token, 'GET', '/api/ping/')).statusCode).toBe(200);
    const list = (await ann.call('GET', '/api/user/tokens/')).json() as NamedToken[];
    expect(list).toEqual([
      { id: kodi.id, name: 'Kodi', created: clock, last_used: clock, expires: clock + 30 * day, scopes: ['read', 'watch'] },
    ]);
    clock += 30 * day;
    expect((await sendWithToken(kodi.token, 'GET', '/api/ping/')).statusCode).toBe(403);
    const otherUser = await createUser(t, { name: 'Cem' });
    const permanentToken = (await otherUser.call('POST', '/api/user/tokens/', { name: 'x' })).json();
    expect(permanentToken.expires).toBeNull();
    expect((await otherUser.call('DELETE', `/api/user/tokens/${permanentToken.id}/`)).statusCode).toBe(204);
    expect((await sendWithToken(permanentToken.token, 'GET', '/api/ping/')).statusCode).toBe(403);
  });

  test('a named token may do only what its scopes allow', async () => {
    const { db } = t.app;
    const channelId = await createChannel(db);
    const id = await createVideo(db, { channelId });
    const attempts = [
      ['read', 'GET', `/api/video/${id}/`],
      ['read', 'GET', '/api/search/?query=bread'],
      ['read', 'GET', `/api/video/${id}/link/`],
      ['watch', 'POST', `/api/video/${id}/progress/`, { position: 3 }],
      ['watch', 'POST', '/api/watched/', { id, is_watched: true }],
      ['watch', 'DELETE', `/api/video/${id}/progress/`],
      ['download', 'GET', '/api/download/'],
      ['download', 'POST', '/api/download/', { data: [{ youtube_id: 'aaaaaaaaaaa' }] }],
      ['staff', 'POST', '/api/user/me/', { hide_watched: true }],
      ['staff', 'POST', '/api/list/', { name: 'List', filter: { watch: 'watched' } }],
      ['staff', 'GET', '/api/trash/'],
      ['staff', 'DELETE', `/api/video/${id}/`],
    ] as const;
    for (const [scopes, allowed] of [
      [['read'], ['read']],
      [['watch'], ['read', 'watch']],
      [['download'], ['download']],
      [['staff'], ['read', 'watch', 'download', 'staff']],
    ] as const) {
      const { token } = await createToken({ name: 'app', scopes });
      for (const [scope, method, url, body] of attempts) {
        const { statusCode, json } = await sendWithToken(token, method, url, body);
        const isAllowed = (allowed as readonly string[]).includes(scope);
        expect(statusCode !== 403, `${scopes.join()}: ${method} ${url}`).toBe(isAllowed);
        if (!isAllowed)
          expect(json().detail).toBe(
            `This token lacks the scope “${scope}”. Create one with it in Settings → Apps and API tokens.`,
          );
      }
    }
  });

  test('no token manages tokens, users or passwords, not even one of staff', async () => {
    const { token, id } = await createToken({ name: 'staff', scopes: ['staff'] });
    const readable = (await ann.call('GET', '/api/appsettings/token/')).json().token as string;
    for (const secret of [token, readable]) {
      expect((await sendWithToken(secret, 'GET', '/api/download/')).statusCode).toBe(200);
      for (const [method, url, body] of [
        ['GET', '/api/user/tokens/'],
        ['POST', '/api/user/tokens/', { name: 'another' }],
        ['DELETE', `/api/user/tokens/${id}/`],
        ['GET', '/api/user/sessions/'],
        ['DELETE', '/api/user/sessions/'],
        ['GET', '/api/users/'],
        ['POST', '/api/users/', { username: 'Eve', is_staff: true }],
        ['POST', '/api/user/password/', { current: 'words of Ann', next: 'words of Eve' }],
      ] as const)
        expect((await sendWithToken(secret, method, url, body)).statusCode, `${method} ${url}`).toBe(403);
    }
    expect(await t.app.db.selectFrom('account').select('name').execute()).toEqual([{ name: 'Ann' }]);
    // The legacy token, which TubeArchivist clients use, can read and revoke itself. Named tokens cannot read it.
    for (const method of ['GET', 'DELETE'] as const)
      expect((await sendWithToken(token, method, '/api/appsettings/token/')).statusCode).toBe(403);
    expect((await sendWithToken(readable, 'GET', '/api/appsettings/token/')).json()).toEqual({ token: readable });
    expect((await sendWithToken(readable, 'DELETE', '/api/appsettings/token/')).statusCode).toBe(204);
    expect((await sendWithToken(readable, 'GET', '/api/ping/')).statusCode).toBe(403);
  });

  test.each([
    [{}],
    [{ name: ' ' }],
    [{ name: 'x'.repeat(101) }],
    [{ name: 'x', days: 0 }],
    [{ name: 'x', days: 3651 }],
    [{ name: 'x', days: '1e3' }],
    [{ name: 'x', scopes: [] }],
    [{ name: 'x', scopes: ['admin'] }],
  ])('rejects a token of %j', async (body) => expect((await ann.call('POST', '/api/user/tokens/', body)).statusCode).toBe(400));

  test('limits the number of tokens', async () => {
    for (let n = 0; n < 50; n++) await createToken({ name: `token ${n}` });
    expect((await ann.call('POST', '/api/user/tokens/', { name: 'more' })).json().error).toMatch(/50 tokens/);
    await t.app.db.deleteFrom('namedToken').where('accountId', '=', ann.id).execute();
    const responses = await Promise.all(Array.from({ length: 80 }, () => ann.call('POST', '/api/user/tokens/', { name: 'x' })));
    expect(responses.filter(({ statusCode }) => statusCode === 200)).toHaveLength(50);
    expect((await ann.call('GET', '/api/user/tokens/')).json()).toHaveLength(50);
  });
});
