import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { NamedToken, Session } from '#contract/access.ts';
import { aUser, engines, testArchive, type TestArchive } from '../testing.ts';

const day = 86_400;

describe.each(engines)('what lets a person in, on $engine', (on) => {
  let t: TestArchive;
  let clock: number;
  let ann: Awaited<ReturnType<typeof aUser>>;
  beforeEach(async () => {
    t = await testArchive({ on });
    clock = 1_800_000_000;
    Object.assign(t.archive, { now: () => clock });
    ann = await aUser(t, { name: 'Ann', password: 'words of Ann', isStaff: true });
  });
  afterEach(() => t.close());

  const elsewhere = async (browser: string) => {
    const answer = await t.app.inject({
      method: 'POST',
      url: '/api/user/login/',
      payload: { username: 'Ann', password: 'words of Ann' },
      headers: { 'user-agent': browser },
      remoteAddress: '10.9.8.7',
    });
    const headers = { cookie: answer.cookies.map(({ name, value }) => `${name}=${value}`).join('; ') };
    return async () => (await t.app.inject({ url: '/api/ping/', headers })).statusCode;
  };
  const sessions = async () => (await ann.call('GET', '/api/user/sessions/')).json() as Session[];
  const by = (token: string, method: 'GET' | 'POST' | 'DELETE', url: string, payload?: object) =>
    t.app.inject({ method, url, headers: { authorization: `Token ${token}` }, ...(payload && { payload }) });
  const make = async (body: object) =>
    (await ann.call('POST', '/api/user/tokens/', body)).json() as NamedToken & { token: string };

  test('one’s browsers are listed, this one first, and one of them is ended', async () => {
    const phone = await elsewhere('Phone/1.0\u00fc<script>');
    const tv = await elsewhere('TV');
    const all = await sessions();
    expect(all.map(({ is_this }) => is_this)).toEqual([true, false, false]);
    expect(all.map(({ browser }) => browser).toSorted()).toEqual(['Phone/1.0 <script>', 'TV', 'lightMyRequest']);
    const one = all.find(({ browser }) => browser.startsWith('Phone'))!;
    expect(one).toMatchObject({ address: '10.9.8.7', began: clock, seen: clock, ends: clock + 2 * day });
    expect((await ann.call('DELETE', `/api/user/sessions/${one.id}/`)).statusCode).toBe(204);
    expect([await phone(), await tv()]).toEqual([403, 200]);
    expect((await ann.call('DELETE', `/api/user/sessions/${one.id}/`)).statusCode).toBe(404);
    expect((await ann.call('DELETE', '/api/user/sessions/')).json()).toEqual({ ended: 1 });
    expect([await tv(), (await sessions()).length]).toEqual([403, 1]);
  });

  test('nobody ends another person’s session or token', async () => {
    const ben = await aUser(t, { name: 'Ben', isStaff: true });
    const [{ id }] = (await sessions()) as [Session];
    const token = await make({ name: 'mine' });
    expect((await ben.call('DELETE', `/api/user/sessions/${id}/`)).statusCode).toBe(404);
    expect((await ben.call('DELETE', `/api/user/tokens/${token.id}/`)).statusCode).toBe(404);
    expect((await ben.call('GET', '/api/user/tokens/')).json()).toEqual([]);
    expect((await by(token.token, 'GET', '/api/ping/')).statusCode).toBe(200);
    for (const bad of ['%', '0'.repeat(17), 'g'.repeat(16), "' or 1=1"])
      expect((await ann.call('DELETE', `/api/user/sessions/${encodeURIComponent(bad)}/`)).statusCode).toBe(404);
  });

  test('a named token is told once, says when it was used, ends by itself or when it is revoked', async () => {
    const kodi = await make({ name: ' Kodi ', days: 30 });
    expect(kodi).toMatchObject({ name: 'Kodi', created: clock, last_used: null, expires: clock + 30 * day });
    expect(kodi.token).toMatch(/^[0-9a-f]{40}$/);
    const kept = await t.archive.db.selectFrom('namedToken').selectAll().execute();
    expect(JSON.stringify(kept)).not.toContain(kodi.token);
    expect((await by(kodi.token, 'GET', '/api/ping/')).statusCode).toBe(200);
    const list = (await ann.call('GET', '/api/user/tokens/')).json() as NamedToken[];
    expect(list).toEqual([{ id: kodi.id, name: 'Kodi', created: clock, last_used: clock, expires: clock + 30 * day }]);
    clock += 30 * day;
    expect((await by(kodi.token, 'GET', '/api/ping/')).statusCode).toBe(403);
    const fresh = await aUser(t, { name: 'Cem' });
    const lasting = (await fresh.call('POST', '/api/user/tokens/', { name: 'x' })).json();
    expect(lasting.expires).toBeNull();
    expect((await fresh.call('DELETE', `/api/user/tokens/${lasting.id}/`)).statusCode).toBe(204);
    expect((await by(lasting.token, 'GET', '/api/ping/')).statusCode).toBe(403);
  });

  test('no token manages tokens, people or passwords, not even one of staff', async () => {
    const { token, id } = await make({ name: 'staff' });
    const readable = (await ann.call('GET', '/api/appsettings/token/')).json().token as string;
    for (const secret of [token, readable]) {
      expect((await by(secret, 'GET', '/api/download/')).statusCode).toBe(200);
      for (const [method, url, body] of [
        ['GET', '/api/user/tokens/'],
        ['POST', '/api/user/tokens/', { name: 'another' }],
        ['DELETE', `/api/user/tokens/${id}/`],
        ['GET', '/api/user/sessions/'],
        ['DELETE', '/api/user/sessions/'],
        ['GET', '/api/user/people/'],
        ['POST', '/api/user/people/', { username: 'Eve', is_staff: true }],
        ['POST', '/api/user/password/', { current: 'words of Ann', next: 'words of Eve' }],
      ] as const)
        expect((await by(secret, method, url, body)).statusCode, `${method} ${url}`).toBe(403);
    }
    expect(await t.archive.db.selectFrom('account').select('name').execute()).toEqual([{ name: 'Ann' }]);
    // What the original's clients use may read and revoke itself; one with a name leads to no other.
    for (const method of ['GET', 'DELETE'] as const)
      expect((await by(token, method, '/api/appsettings/token/')).statusCode).toBe(403);
    expect((await by(readable, 'GET', '/api/appsettings/token/')).json()).toEqual({ token: readable });
    expect((await by(readable, 'DELETE', '/api/appsettings/token/')).statusCode).toBe(204);
    expect((await by(readable, 'GET', '/api/ping/')).statusCode).toBe(403);
  });

  test.each([
    [{}],
    [{ name: ' ' }],
    [{ name: 'x'.repeat(101) }],
    [{ name: 'x', days: 0 }],
    [{ name: 'x', days: 3651 }],
    [{ name: 'x', days: '1e3' }],
  ])('a token of %j is refused', async (body) =>
    expect((await ann.call('POST', '/api/user/tokens/', body)).statusCode).toBe(400),
  );

  test('nobody gathers tokens without end', async () => {
    for (let n = 0; n < 50; n++) await make({ name: `token ${n}` });
    expect((await ann.call('POST', '/api/user/tokens/', { name: 'more' })).json().error).toMatch(/50 tokens/);
  });
});
