import { afterEach, expect, test } from 'vitest';
import { testArchive, type TestArchive } from '../testing.ts';
import { accountOfArrived, accountOfEntry } from './elsewhere.ts';
import { addAccount } from './store.ts';

let t: TestArchive;
afterEach(() => t.close());
const open = async (env: Record<string, string> = {}) => {
  t = await testArchive({ env: { REELKEEP_FORWARD_AUTH: 'on', REELKEEP_TRUSTED_PROXIES: '10.0.0.1', ...env } });
};
/** A request as the proxy at an address passes it on. */
const ask = (name: string | undefined, { from = '10.0.0.1', method = 'GET', url = '/api/user/account/', more = {} } = {}) =>
  t.app.inject({
    method: method as 'GET',
    url,
    remoteAddress: from,
    headers: { ...(name !== undefined && { 'remote-user': name }), ...more },
    ...(method === 'POST' && { payload: {} }),
  });

test('whom the trusted proxy names is logged in, with an account of their own and no rights', async () => {
  await open();
  expect((await ask('maria')).json()).toMatchObject({ name: 'maria', is_staff: false });
  expect((await ask('MARIA')).json()).toMatchObject({ name: 'maria' }); // one person, however it is written
  const jörg = Buffer.from('Jörg', 'utf8').toString('latin1');
  expect((await ask(jörg)).json()).toMatchObject({ name: 'Jörg' });
  const boss = await addAccount(t.archive.db, { name: 'boss', passwordHash: '', isStaff: true }, 0);
  expect((await ask('boss')).json()).toMatchObject({ id: boss!.id, is_staff: true });
});

test('who chose a name at the OpenID provider does not get what the proxy’s person of that name is led to, nor they theirs', async () => {
  await open();
  const arrive = (subject: string, name: string, linkTo: number | null = null) =>
    accountOfArrived(
      t.archive,
      { issuer: 'https://id.example', subject, name, isStaff: undefined, provedAt: 0 },
      { linkTo, again: null },
    );
  await arrive('1', 'maria');
  const refused = await ask('maria');
  expect([refused.statusCode, refused.json().detail]).toEqual([
    403,
    expect.stringMatching(/^The account called maria is of somebody/),
  ]);
  await expect(accountOfEntry(t.archive, { name: 'Maria', isStaff: true })).rejects.toThrow(
    /^The account called maria is of somebody/,
  );
  // One that was there before, and was linked by whoever has it, goes on.
  const { id } = (await addAccount(t.archive.db, { name: 'boss', passwordHash: '', isStaff: true }, 0))!;
  await arrive('2', 'boss', id);
  expect((await ask('boss')).json()).toMatchObject({ id });
  expect(await accountOfEntry(t.archive, { name: 'boss', isStaff: false })).toBe(id);
});

test('whom the proxy names is not asked to prove it again: it does so with each request', async () => {
  await open();
  const make = (from: string) =>
    t.app.inject({
      method: 'POST',
      url: '/api/user/tokens/',
      remoteAddress: from,
      headers: { 'remote-user': 'maria' },
      payload: { name: 'Kodi' },
    });
  expect([(await make('10.0.0.1')).statusCode, (await make('10.0.0.2')).statusCode]).toEqual([200, 403]);
});

test('whom it names is told that their password is changed there', async () => {
  await open();
  const answer = await t.app.inject({
    method: 'POST',
    url: '/api/user/password/',
    remoteAddress: '10.0.0.1',
    headers: { 'remote-user': 'maria' },
    payload: { current: 'any words', next: 'quite other words' },
  });
  expect([answer.statusCode, answer.json().error]).toEqual([
    400,
    'You have no password here: a proxy logs you in. Change the one that you use there.',
  ]);
});

test('from anywhere else the name is a word like any other', async () => {
  await open();
  for (const from of ['10.0.0.2', '127.0.0.1', '::ffff:10.0.0.2']) expect((await ask('boss', { from })).statusCode).toBe(403);
  // Who forwards it does not count, only who is connected.
  expect((await ask('boss', { from: '10.0.0.2', more: { 'x-forwarded-for': '10.0.0.1' } })).statusCode).toBe(403);
  expect((await ask(undefined)).statusCode).toBe(403);
  expect((await ask(' ')).statusCode).toBe(403);
  expect((await ask('a\tb')).statusCode).toBe(403);
  expect((await ask('x'.repeat(151))).statusCode).toBe(403);
  expect(await t.archive.db.selectFrom('account').select('name').execute()).toEqual([]);
});

test('a page elsewhere changes nothing in the name of whom the proxy names', async () => {
  await open();
  const post = (more: object) => ask('maria', { method: 'POST', url: '/api/user/me/', more: more as never });
  expect((await post({ origin: 'https://evil.example' })).statusCode).toBe(403);
  // Frames without an origin, pages that tell none, and extensions: nothing else would prove that it is ours.
  for (const hidden of [
    { origin: 'null', 'sec-fetch-site': 'cross-site' },
    { origin: 'null' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { origin: 'chrome-extension://abcdef' },
  ])
    expect([(await post(hidden as Record<string, string>)).statusCode, hidden]).toEqual([403, hidden]);
  expect((await post({ 'sec-fetch-site': 'none' })).statusCode).toBe(200);
  expect((await post({ 'sec-fetch-site': 'same-origin' })).statusCode).toBe(200);
  expect((await post({ host: 'videos.example', origin: 'https://videos.example' })).statusCode).toBe(200);
});

test('passwords are not asked for then, and the way out is told', async () => {
  await open({ REELKEEP_FORWARD_AUTH_LOGOUT: 'https://sso.example/logout' });
  expect((await ask(undefined, { url: '/api/user/ways/' })).json()).toEqual({
    password: false,
    oidc: null,
    logout_url: 'https://sso.example/logout',
  });
  const payload = { username: 'boss', password: 'correct horse' };
  expect((await t.app.inject({ method: 'POST', url: '/api/user/login/', payload })).statusCode).toBe(400);
});

test.each([
  {},
  { REELKEEP_TRUSTED_PROXIES: '0.0.0.0/0' },
  { REELKEEP_TRUSTED_PROXIES: '0.0.0.0/1,128.0.0.0/1' },
  { REELKEEP_TRUSTED_PROXIES: '10.0.0.1 ::/0' },
])('it does not start when everybody could say who they are: %o', async (proxies) => {
  await expect(open({ REELKEEP_TRUSTED_PROXIES: '', ...proxies })).rejects.toThrow(/or anyone could be anybody/);
  await open(); // for the end of the test
});
