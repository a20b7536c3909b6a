import { argon2Sync, randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createUser, engines, testApp, type TestApp } from '../../../test-support/app.ts';
import { resetPassword } from '../reset-password.ts';
import { createFirstAccount } from '../first-account.ts';
import { findAccount, savePassword } from '../account/store.ts';

describe.each(engines)('accounts on $engine', (on) => {
  let t: TestApp;
  beforeEach(async () => {
    t = await testApp({ on });
  });
  afterEach(() => t.close());

  const login = (username: string, password: string, from = '10.0.0.1', newPassword?: string) =>
    t.server.inject({
      method: 'POST',
      url: '/api/user/login/',
      payload: { username, password, new_password: newPassword },
      remoteAddress: from,
    });

  test('creates the first account once with a generated password that must be changed', async () => {
    const first = await createFirstAccount(t.app);
    expect(first?.name).toBe('admin');
    const initialPassword = first!.password!;
    const awaitsFirstLogin = async () =>
      (await t.server.inject({ url: '/api/user/login-methods/' })).json<{ awaits_first_login: boolean }>().awaits_first_login;
    expect(await awaitsFirstLogin()).toBe(true);
    expect(initialPassword).toMatch(/^[a-z2-9]{4}(-[a-z2-9]{4}){3}$/);
    expect(await createFirstAccount(t.app)).toBeNull();
    const rejected = await login('admin', initialPassword);
    expect([rejected.statusCode, rejected.cookies, rejected.json()]).toMatchObject([
      400,
      [],
      { error: expect.stringMatching(/^Your temporary password must be replaced\./), must_choose_password: true },
    ]);
    const unchanged = await login('admin', initialPassword, '10.0.0.1', initialPassword);
    expect([unchanged.statusCode, unchanged.json()]).toMatchObject([
      400,
      { error: expect.stringMatching(/Choose another password/) },
    ]);
    expect((await login('admin', initialPassword, '10.0.0.1', 'short')).statusCode).toBe(400);
    expect((await login('admin', 'a guess', '10.0.0.1', 'words of my own')).json()).toMatchObject({
      error: 'Invalid credentials',
    });
    const response = await login('admin', initialPassword, '10.0.0.1', 'words of my own');
    expect(response.statusCode).toBe(204);
    expect(await awaitsFirstLogin()).toBe(false);
    expect((await login('admin', initialPassword)).json()).toMatchObject({ error: 'Invalid credentials' });
    // A later login ignores the new password.
    expect((await login('admin', 'words of my own', '10.0.0.1', 'some other words')).statusCode).toBe(204);
    expect((await login('admin', 'words of my own')).statusCode).toBe(204);
    const names = response.cookies.map(({ name, httpOnly, sameSite }) => [name, httpOnly ?? false, sameSite]);
    expect(names).toEqual(
      expect.arrayContaining([
        ['sessionid', true, 'Lax'],
        ['csrftoken', false, 'Lax'],
      ]),
    );
  });

  test('a login in an empty archive chooses the subtitle language of the interface', async () => {
    const staff = await createUser(t, { isStaff: true });
    const languages = async () => (await staff.call('GET', '/api/appsettings/config/')).json().downloads.subtitle as string;
    const loginWithLanguage = (language: string) =>
      t.server.inject({
        method: 'POST',
        url: '/api/user/login/',
        payload: { username: staff.name, password: staff.password },
        headers: { 'accept-language': language },
      });
    expect((await loginWithLanguage('fr-FR,fr;q=0.9')).statusCode).toBe(204);
    expect(await languages()).toBe('en,original');
    await loginWithLanguage('de-CH,de;q=0.9,en;q=0.8');
    expect(await languages()).toBe('de,original');
    await loginWithLanguage('en-GB');
    expect(await languages()).toBe('de,original');
  });

  test('a configured first password need not be changed', async () => {
    t.app.config.password = 'words from the environment';
    expect(await createFirstAccount(t.app)).toEqual({ name: 'admin', password: null });
    expect((await login('admin', 'words from the environment')).statusCode).toBe(204);
  });

  test('accepts a password hash of the first format, and renews it', async () => {
    const { id } = await createUser(t, { name: 'Maria', password: 'secret words' });
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
    await savePassword(t.app.db, id, first, { mustChoose: true });
    const readStored = async () => {
      const { passwordHash, mustChoosePassword } = await findAccount(t.app.db, id);
      return { passwordHash, mustChoosePassword };
    };
    expect((await login('maria', 'other words')).statusCode).toBe(400);
    expect((await readStored()).passwordHash).toBe(first);
    expect((await login('maria', 'secret words')).json()).toMatchObject({ must_choose_password: true });
    const renewed = await readStored();
    expect(renewed).toEqual({ passwordHash: expect.stringMatching(/^\$argon2id\$v=19\$/), mustChoosePassword: 1 });
    expect((await login('maria', 'secret words', '10.0.0.1', 'words of Maria’s')).statusCode).toBe(204);
    expect((await login('maria', 'secret words')).statusCode).toBe(400);
  });

  test('names ignore case, and wrong names and passwords get the same response', async () => {
    await createUser(t, { name: 'Maria', password: 'secret words' });
    expect((await login('mARIA', 'secret words')).statusCode).toBe(204);
    const [wrongPassword, unknownUser] = [await login('maria', 'guess'), await login('nobody', 'guess')];
    expect([wrongPassword.statusCode, wrongPassword.json()]).toMatchObject([400, { error: 'Invalid credentials' }]);
    expect([unknownUser.statusCode, unknownUser.json()]).toMatchObject([400, { error: 'Invalid credentials' }]);
  });

  test('ten wrong passwords block that address and account only', async () => {
    const name = `eve-${on.engine}`;
    await createUser(t, { name, password: 'secret words' });
    for (let n = 0; n < 10; n++) expect((await login(name, `guess ${n}`, '10.1.1.1')).statusCode).toBe(400);
    const blocked = await login(name, 'secret words', '10.1.1.1');
    expect([blocked.statusCode, blocked.json().detail]).toEqual([
      429,
      expect.stringMatching(/^Too many failed logins\. Try again in \d+ minutes\.$/),
    ]);
    expect(blocked.json().error).toBe(blocked.json().detail);
    expect(Number(blocked.headers['retry-after'])).toBeGreaterThan(0);
    expect((await login(name, 'secret words', '10.1.1.2')).statusCode).toBe(204);
  });

  test('each login gets a new session, and ends the previous one of the browser', async () => {
    await createUser(t, { name: 'Nils', password: 'secret words' });
    const loginWithCookie = (cookie: string) =>
      t.server.inject({
        method: 'POST',
        url: '/api/user/login/',
        payload: { username: 'Nils', password: 'secret words' },
        headers: { cookie },
      });
    const sessionKeyOf = (response: Awaited<ReturnType<typeof loginWithCookie>>) =>
      response.cookies.find(({ name }) => name === 'sessionid')!.value;
    const isValid = async (key: string) =>
      (await t.server.inject({ url: '/api/ping/', headers: { cookie: `sessionid=${key}` } })).statusCode === 200;
    const fixedKey = 'chosen-by-an-attacker';
    const first = sessionKeyOf(await loginWithCookie(`sessionid=${fixedKey}`));
    const second = sessionKeyOf(await loginWithCookie(`sessionid=${first}`));
    expect(new Set([fixedKey, first, second]).size).toBe(3);
    expect(Buffer.from(second, 'base64url')).toHaveLength(32);
    expect([await isValid(fixedKey), await isValid(first), await isValid(second)]).toEqual([false, false, true]);
  });

  test.each([
    ['off', 2],
    ['on', 365],
  ])('an unused session expires; remembered (%s) after %i days', async (remember_me, days) => {
    let clock = t.app.now();
    Object.assign(t.app, { now: () => clock });
    const { name: username, password } = await createUser(t);
    const response = await t.server.inject({
      method: 'POST',
      url: '/api/user/login/',
      payload: { username, password, remember_me },
    });
    const cookie = response.cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
    const statusAfter = async (seconds: number) => {
      clock += seconds;
      await new Promise((resolve) => setTimeout(resolve, 1100)); // sessions are cached for a second
      return (await t.server.inject({ url: '/api/ping/', headers: { cookie } })).statusCode;
    };
    const justBeforeExpiry = days * 86_400 - 10;
    expect([
      await statusAfter(justBeforeExpiry),
      await statusAfter(justBeforeExpiry),
      await statusAfter(justBeforeExpiry + 20),
    ]).toEqual([200, 200, 403]);
    expect((await login(username, password)).statusCode).toBe(204); // passwords do not expire
  });

  test('a logout ends the session immediately', async () => {
    const user = await createUser(t);
    expect((await user.call('GET', '/api/ping/')).statusCode).toBe(200);
    expect((await user.call('POST', '/api/user/logout/')).statusCode).toBe(204);
    expect((await user.call('GET', '/api/ping/')).statusCode).toBe(403);
  });

  test('changing the password ends all other sessions', async () => {
    const user = await createUser(t, { name: 'Olga', password: 'secret words' });
    const otherSession = await login('Olga', 'secret words');
    const cookie = otherSession.cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
    const change = (current: string, next: string) => user.call('POST', '/api/user/password/', { current, next });
    expect((await change('wrong words', 'other words')).json()).toMatchObject({ error: 'The current password is incorrect.' });
    expect((await change('secret words', 'short')).statusCode).toBe(400);
    for (const first of ['iloveyou1', 'IloveYou1', 'olga-olga-1', 'Video Archive 7'])
      expect((await change('secret words', first)).json().error, first).toMatch(/That password is too common/);
    expect((await login('Olga', 'secret words', '10.0.0.8')).statusCode).toBe(204);
    expect((await change('secret words', 'other words')).statusCode).toBe(204);
    expect((await login('Olga', 'secret words', '10.0.0.9')).statusCode).toBe(400);
    expect((await login('Olga', 'other words', '10.0.0.9')).statusCode).toBe(204);
    expect((await user.call('GET', '/api/user/me/')).statusCode).toBe(200);
    expect((await t.server.inject({ url: '/api/user/me/', headers: { cookie } })).statusCode).toBe(403);
  });

  test('a lost password is reset on the command line', async () => {
    const user = await createUser(t, { name: 'Ida', password: 'long forgotten' });
    expect(await resetPassword(t.app.db, 'Idda')).toEqual({ names: expect.arrayContaining(['Ida']) });
    const { password } = (await resetPassword(t.app.db, ' ida ')) as { password: string };
    expect((await login('Ida', 'long forgotten', '10.0.0.7')).statusCode).toBe(400);
    expect((await login('Ida', password, '10.0.0.7')).json()).toMatchObject({ must_choose_password: true });
    expect((await login('Ida', password, '10.0.0.7', 'never forgotten')).statusCode).toBe(204);
    expect((await user.call('GET', '/api/user/me/')).statusCode).toBe(403);
  });

  test('the database contains no usable credentials', async () => {
    const user = await createUser(t, { password: 'secret words', isStaff: true });
    const { token } = (await user.call('GET', '/api/appsettings/token/')).json();
    const [accounts, sessions, tokens] = await Promise.all(
      (['account', 'session', 'token'] as const).map((table) => t.app.db.selectFrom(table).selectAll().execute()),
    );
    const all = JSON.stringify([accounts, sessions, tokens]);
    expect(all).not.toContain('secret words');
    expect(all).not.toContain(token);
    expect(all).not.toContain(/sessionid=([^;]+)/.exec(user.headers.cookie)![1]);
  });

  test('a token can be read again, and is invalid once deleted', async () => {
    const user = await createUser(t, { isStaff: true });
    const read = async () => (await user.call('GET', '/api/appsettings/token/')).json().token as string;
    const token = await read();
    expect(token).toMatch(/^[0-9a-f]{40}$/);
    expect(await read()).toBe(token);
    const withToken = () => t.server.inject({ url: '/api/ping/', headers: { authorization: `Token ${token}` } });
    expect((await withToken()).statusCode).toBe(200);
    expect((await user.call('DELETE', '/api/appsettings/token/')).statusCode).toBe(204);
    expect((await withToken()).statusCode).toBe(403);
    expect(await read()).not.toBe(token);
  });

  test('settings belong to a user, and invalid ones change nothing', async () => {
    const [anna, ben] = [await createUser(t), await createUser(t)];
    expect((await anna.call('POST', '/api/user/me/', { page_size: 24, stylesheet: 'light.css' })).json()).toMatchObject({
      page_size: 24,
    });
    expect((await anna.call('GET', '/api/user/me/')).json()).toMatchObject({ page_size: 24, stylesheet: 'light.css' });
    expect((await ben.call('GET', '/api/user/me/')).json()).toMatchObject({ page_size: 12, stylesheet: 'system.css' });
    expect((await anna.call('POST', '/api/user/me/', { page_size: -3, grid_items: 5 })).statusCode).toBe(400);
    expect((await anna.call('GET', '/api/user/me/')).json()).toMatchObject({ page_size: 24, grid_items: 3 });
  });
});
