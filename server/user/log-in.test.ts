import { argon2Sync, randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { aUser, engines, testArchive, type TestArchive } from '../testing.ts';
import { resetPassword } from './reset-password.ts';
import { makeFirstAccount } from './first-account.ts';
import { findAccount, savePassword } from './store.ts';

describe.each(engines)('accounts on $engine', (on) => {
  let t: TestArchive;
  beforeEach(async () => {
    t = await testArchive({ on });
  });
  afterEach(() => t.close());

  const logIn = (username: string, password: string, from = '10.0.0.1', chosen?: string) =>
    t.app.inject({
      method: 'POST',
      url: '/api/user/login/',
      payload: { username, password, new_password: chosen },
      remoteAddress: from,
    });

  test('the first account is made once, and its generated password only lets somebody choose one of their own', async () => {
    const first = await makeFirstAccount(t.archive);
    expect(first?.name).toBe('admin');
    const made = first!.password!;
    expect(made).toMatch(/^[a-z2-9]{4}(-[a-z2-9]{4}){3}$/);
    expect(await makeFirstAccount(t.archive)).toBeNull();
    const refused = await logIn('admin', made);
    expect([refused.statusCode, refused.cookies, refused.json()]).toEqual([
      400,
      [],
      { error: expect.stringMatching(/^This password was made for you\./), must_choose_password: true },
    ]);
    const same = await logIn('admin', made, '10.0.0.1', made);
    expect([same.statusCode, same.json()]).toMatchObject([400, { error: expect.stringMatching(/^Choose another/) }]);
    expect((await logIn('admin', made, '10.0.0.1', 'short')).statusCode).toBe(400);
    expect((await logIn('admin', 'a guess', '10.0.0.1', 'words of my own')).json()).toEqual({ error: 'Invalid credentials' });
    const answer = await logIn('admin', made, '10.0.0.1', 'words of my own');
    expect(answer.statusCode).toBe(204);
    expect((await logIn('admin', made)).json()).toEqual({ error: 'Invalid credentials' });
    // From then on nothing takes its place unasked.
    expect((await logIn('admin', 'words of my own', '10.0.0.1', 'some other words')).statusCode).toBe(204);
    expect((await logIn('admin', 'words of my own')).statusCode).toBe(204);
    const names = answer.cookies.map(({ name, httpOnly, sameSite }) => [name, httpOnly ?? false, sameSite]);
    expect(names).toEqual(
      expect.arrayContaining([
        ['sessionid', true, 'Lax'],
        ['csrftoken', false, 'Lax'],
      ]),
    );
  });

  test('a password that somebody gave the first account is theirs already', async () => {
    t.archive.config.password = 'words from the environment';
    expect(await makeFirstAccount(t.archive)).toEqual({ name: 'admin', password: null });
    expect((await logIn('admin', 'words from the environment')).statusCode).toBe(204);
  });

  test('a password that is kept as it was first is right, and from then on kept as it is now', async () => {
    const { id } = await aUser(t, { name: 'Maria', password: 'secret words' });
    const salt = randomBytes(16);
    const hash = argon2Sync('argon2id', {
      message: 'secret words',
      nonce: salt,
      memory: 19_456,
      passes: 2,
      parallelism: 1,
      tagLength: 32,
    });
    const first = `argon2id$${salt.toString('base64url')}$${hash.toString('base64url')}`;
    await savePassword(t.archive.db, id, first, { mustChoose: true });
    const kept = async () => {
      const { passwordHash, mustChoosePassword } = await findAccount(t.archive.db, id);
      return { passwordHash, mustChoosePassword };
    };
    expect((await logIn('maria', 'other words')).statusCode).toBe(400);
    expect((await kept()).passwordHash).toBe(first);
    expect((await logIn('maria', 'secret words')).json()).toMatchObject({ must_choose_password: true });
    const anew = await kept();
    expect(anew).toEqual({ passwordHash: expect.stringMatching(/^\$argon2id\$v=19\$/), mustChoosePassword: 1 });
    expect((await logIn('maria', 'secret words', '10.0.0.1', 'words of Maria’s')).statusCode).toBe(204);
    expect((await logIn('maria', 'secret words')).statusCode).toBe(400);
  });

  test('a name is the same in any case, and a wrong password says no more than a wrong name', async () => {
    await aUser(t, { name: 'Maria', password: 'secret words' });
    expect((await logIn('mARIA', 'secret words')).statusCode).toBe(204);
    const [wrong, nobody] = [await logIn('maria', 'guess'), await logIn('nobody', 'guess')];
    expect([wrong.statusCode, wrong.json()]).toEqual([400, { error: 'Invalid credentials' }]);
    expect([nobody.statusCode, nobody.json()]).toEqual([400, { error: 'Invalid credentials' }]);
  });

  test('ten wrong passwords close the door for that address and account, and for nobody else', async () => {
    const name = `eve-${on.engine}`;
    await aUser(t, { name, password: 'secret words' });
    for (let n = 0; n < 10; n++) expect((await logIn(name, `guess ${n}`, '10.1.1.1')).statusCode).toBe(400);
    const shut = await logIn(name, 'secret words', '10.1.1.1');
    expect([shut.statusCode, shut.json().detail]).toEqual([
      429,
      expect.stringMatching(/^Too many wrong passwords; try again in \d+ minutes\.$/),
    ]);
    expect(Number(shut.headers['retry-after'])).toBeGreaterThan(0);
    expect((await logIn(name, 'secret words', '10.1.1.2')).statusCode).toBe(204);
  });

  test('each login has a key of its own, and ends the session that the browser came with', async () => {
    await aUser(t, { name: 'Nils', password: 'secret words' });
    const logInWith = (cookie: string) =>
      t.app.inject({
        method: 'POST',
        url: '/api/user/login/',
        payload: { username: 'Nils', password: 'secret words' },
        headers: { cookie },
      });
    const keyOf = (answer: Awaited<ReturnType<typeof logInWith>>) =>
      answer.cookies.find(({ name }) => name === 'sessionid')!.value;
    const isIn = async (key: string) =>
      (await t.app.inject({ url: '/api/ping/', headers: { cookie: `sessionid=${key}` } })).statusCode === 200;
    const chosen = 'chosen-by-somebody-else';
    const first = keyOf(await logInWith(`sessionid=${chosen}`));
    const second = keyOf(await logInWith(`sessionid=${first}`));
    expect(new Set([chosen, first, second]).size).toBe(3);
    expect(Buffer.from(second, 'base64url')).toHaveLength(32);
    expect([await isIn(chosen), await isIn(first), await isIn(second)]).toEqual([false, false, true]);
  });

  test.each([
    ['off', 2],
    ['on', 365],
  ])('a session that is not used ends; remembered (%s) after %i days', async (remember_me, days) => {
    let clock = t.archive.now();
    Object.assign(t.archive, { now: () => clock });
    const { name: username, password } = await aUser(t);
    const answer = await t.app.inject({ method: 'POST', url: '/api/user/login/', payload: { username, password, remember_me } });
    const cookie = answer.cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
    const statusAfter = async (seconds: number) => {
      clock += seconds;
      await new Promise((resolve) => setTimeout(resolve, 1100)); // a session is looked up once a second
      return (await t.app.inject({ url: '/api/ping/', headers: { cookie } })).statusCode;
    };
    const almost = days * 86_400 - 10;
    expect([await statusAfter(almost), await statusAfter(almost), await statusAfter(almost + 20)]).toEqual([200, 200, 403]);
    expect((await logIn(username, password)).statusCode).toBe(204); // however old, a password is good until it is changed
  });

  test('logging out ends the session at once', async () => {
    const user = await aUser(t);
    expect((await user.call('GET', '/api/ping/')).statusCode).toBe(200);
    expect((await user.call('POST', '/api/user/logout/')).statusCode).toBe(204);
    expect((await user.call('GET', '/api/ping/')).statusCode).toBe(403);
  });

  test('a changed password is the only one, and ends the other sessions but not this one', async () => {
    const user = await aUser(t, { name: 'Olga', password: 'secret words' });
    const elsewhere = await logIn('Olga', 'secret words');
    const cookie = elsewhere.cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
    const change = (current: string, next: string) => user.call('POST', '/api/user/password/', { current, next });
    expect((await change('wrong words', 'other words')).json()).toEqual({ error: 'That is not your present password.' });
    expect((await change('secret words', 'short')).statusCode).toBe(400);
    for (const first of ['iloveyou1', 'IloveYou1', 'olga-olga-1', 'Video Archive 7'])
      expect((await change('secret words', first)).json().error, first).toMatch(/first that anybody tries/);
    expect((await logIn('Olga', 'secret words', '10.0.0.8')).statusCode).toBe(204);
    expect((await change('secret words', 'other words')).statusCode).toBe(204);
    expect((await logIn('Olga', 'secret words', '10.0.0.9')).statusCode).toBe(400);
    expect((await logIn('Olga', 'other words', '10.0.0.9')).statusCode).toBe(204);
    expect((await user.call('GET', '/api/user/me/')).statusCode).toBe(200);
    expect((await t.app.inject({ url: '/api/user/me/', headers: { cookie } })).statusCode).toBe(403);
  });

  test('a lost password is replaced by whoever has the machine', async () => {
    const user = await aUser(t, { name: 'Ida', password: 'long forgotten' });
    expect(await resetPassword(t.archive.db, 'Idda')).toEqual({ names: expect.arrayContaining(['Ida']) });
    const { password } = (await resetPassword(t.archive.db, ' ida ')) as { password: string };
    expect((await logIn('Ida', 'long forgotten', '10.0.0.7')).statusCode).toBe(400);
    expect((await logIn('Ida', password, '10.0.0.7')).json()).toMatchObject({ must_choose_password: true });
    expect((await logIn('Ida', password, '10.0.0.7', 'never forgotten')).statusCode).toBe(204);
    expect((await user.call('GET', '/api/user/me/')).statusCode).toBe(403);
  });

  test('the database tells nobody how to log in', async () => {
    const user = await aUser(t, { password: 'secret words', isStaff: true });
    const { token } = (await user.call('GET', '/api/appsettings/token/')).json();
    const [accounts, sessions, tokens] = await Promise.all(
      (['account', 'session', 'token'] as const).map((table) => t.archive.db.selectFrom(table).selectAll().execute()),
    );
    const all = JSON.stringify([accounts, sessions, tokens]);
    expect(all).not.toContain('secret words');
    expect(all).not.toContain(token);
    expect(all).not.toContain(/sessionid=([^;]+)/.exec(user.headers.cookie)![1]);
  });

  test('a token can be read again, and is worthless once it is dropped', async () => {
    const user = await aUser(t, { isStaff: true });
    const read = async () => (await user.call('GET', '/api/appsettings/token/')).json().token as string;
    const token = await read();
    expect(token).toMatch(/^[0-9a-f]{40}$/);
    expect(await read()).toBe(token);
    const withToken = () => t.app.inject({ url: '/api/ping/', headers: { authorization: `Token ${token}` } });
    expect((await withToken()).statusCode).toBe(200);
    expect((await user.call('DELETE', '/api/appsettings/token/')).statusCode).toBe(204);
    expect((await withToken()).statusCode).toBe(403);
    expect(await read()).not.toBe(token);
  });

  test("a person's settings are their own, and a wrong one changes nothing", async () => {
    const [anna, ben] = [await aUser(t), await aUser(t)];
    expect((await anna.call('POST', '/api/user/me/', { page_size: 24, stylesheet: 'light.css' })).json()).toMatchObject({
      page_size: 24,
    });
    expect((await anna.call('GET', '/api/user/me/')).json()).toMatchObject({ page_size: 24, stylesheet: 'light.css' });
    expect((await ben.call('GET', '/api/user/me/')).json()).toMatchObject({ page_size: 12, stylesheet: 'dark.css' });
    expect((await anna.call('POST', '/api/user/me/', { page_size: -3, grid_items: 5 })).statusCode).toBe(400);
    expect((await anna.call('GET', '/api/user/me/')).json()).toMatchObject({ page_size: 24, grid_items: 3 });
  });
});
