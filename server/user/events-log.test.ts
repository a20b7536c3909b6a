import pino from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { aUser, testArchive, type TestArchive } from '../testing.ts';

// Who came in, who did not, and who was given or taken what: in the log as it is unless somebody says otherwise.

let t: TestArchive;
let lines: string[];
beforeEach(async () => {
  lines = [];
  t = await testArchive({ log: pino({ level: 'info' }, { write: (line) => void lines.push(line) }) });
});
afterEach(() => t.close());

const logged = () => lines.map((line) => JSON.parse(line) as Record<string, unknown>);
const logIn = (username: string, password: string, from = '10.7.0.1') =>
  t.app.inject({ method: 'POST', url: '/api/user/login/', payload: { username, password }, remoteAddress: from });

test('every login is a line with the account, the way, the address and the time, and so is each that failed', async () => {
  const { id } = await aUser(t, { name: 'Maria', password: 'secret words' });
  const answer = await logIn('maria', 'secret words');
  await logIn('maria', 'guess');
  await logIn('typed-my-password-here', 'guess');
  const common = { by: 'password', address: '10.7.0.1', route: '/api/user/login/', time: expect.any(Number) };
  expect(logged()).toEqual([
    expect.objectContaining({
      ...common,
      account: id,
      msg: 'somebody proved who they are',
      request: answer.headers['x-request-id'],
    }),
    expect.objectContaining({ ...common, account: id, msg: 'somebody did not prove who they are', level: 40 }),
    expect.objectContaining({ ...common, account: null, msg: 'somebody did not prove who they are' }),
  ]);
  expect(Math.abs((logged()[0]!.time as number) - Date.now())).toBeLessThan(60_000); // of the epoch, so of no time zone
  expect(lines.join('')).not.toMatch(/typed-my-password-here|secret words|guess/);
});

test('who is turned away is told with what for and why: no rights, a forged page, a wrong token, too many tries', async () => {
  const user = await aUser(t, { name: 'Ben' });
  await user.call('GET', '/api/doctor/');
  await t.app.inject({ method: 'POST', url: '/api/user/me/', headers: { ...user.headers, origin: 'https://evil.example\n' } });
  await t.app.inject({ url: '/api/ping/', headers: { authorization: `Token ${'0'.repeat(40)}` } });
  await t.app.inject({ url: '/api/ping/' }); // whoever has not logged in yet is nothing unusual
  for (let n = 0; n < 11; n++) await logIn('Ben', 'guess', '10.7.0.2');
  const away = logged().filter(({ msg }) => msg === 'turned away');
  expect(away).toEqual([
    expect.objectContaining({
      account: user.id,
      address: '127.0.0.1',
      method: 'GET',
      route: '/api/doctor/',
      why: expect.stringMatching(/permission/),
    }),
    expect.objectContaining({ account: user.id, route: '/api/user/me/', why: expect.stringMatching(/Origin checking failed/) }),
    expect.objectContaining({ account: null, route: '/api/ping/', why: 'Invalid token.' }),
    expect.objectContaining({
      address: '10.7.0.2',
      route: '/api/user/login/',
      why: expect.stringMatching(/^Too many wrong passwords/),
    }),
  ]);
  for (const line of lines) expect(line.indexOf('\n')).toBe(line.length - 1); // one line each, whatever somebody sends
});

test('a thousand who are turned away do not fill the disk', async () => {
  const ask = (remoteAddress: string) =>
    t.app.inject({ url: '/api/ping/', headers: { authorization: `Token ${'0'.repeat(40)}` }, remoteAddress });
  for (let n = 0; n < 200; n++) await ask('10.7.0.3');
  expect(lines).toHaveLength(31);
  expect(logged().at(-1)).toMatchObject({ address: '10.7.0.3', msg: expect.stringMatching(/no more is told/) });
  await ask('10.7.0.4');
  expect(logged().at(-1)).toMatchObject({ address: '10.7.0.4', msg: 'turned away' });
});

test('what is given and taken is told: accounts, rights, passwords, tokens, and the end of a session', async () => {
  const staff = await aUser(t, { name: 'Boss', isStaff: true, password: 'secret words' });
  const { person } = (await staff.call('POST', '/api/user/people/', { username: 'Ida' })).json();
  await staff.call('POST', `/api/user/people/${person.id}/`, { is_staff: true });
  await staff.call('POST', `/api/user/people/${person.id}/password/`, {});
  await staff.call('DELETE', `/api/user/people/${person.id}/`);
  const { id } = (await staff.call('POST', '/api/user/tokens/', { name: 'Kodi' })).json();
  await staff.call('DELETE', `/api/user/tokens/${id}/`);
  await staff.call('POST', '/api/user/password/', { current: 'secret words', next: 'other words' });
  await staff.call('POST', '/api/user/logout/');
  const [by, account] = [staff.id, person.id];
  expect(logged().map(({ level: _l, time: _t, pid: _p, hostname: _h, request: _r, ...said }) => said)).toEqual([
    { by, account, isStaff: false, msg: 'an account was added' },
    { by, account, isStaff: true, msg: 'what an account may was changed' },
    { by, account, msg: 'a password was replaced by staff' },
    { by, account, msg: 'an account was deleted' },
    { account: by, number: id, msg: 'an API token was made' },
    { account: by, number: id, msg: 'an API token was revoked' },
    { account: by, by: 'password', address: '127.0.0.1', route: '/api/user/password/', msg: 'somebody proved who they are' },
    { account: by, address: '127.0.0.1', msg: 'a password was changed by its owner' },
    { account: by, address: '127.0.0.1', msg: 'somebody logged out' },
  ]);
});
