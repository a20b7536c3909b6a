import pino from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createUser, testApp, type TestApp } from '../../test-support/app.ts';

// Security events in the log at the default level: logins, rejections, and changes of accounts and credentials.

let t: TestApp;
let lines: string[];
beforeEach(async () => {
  lines = [];
  t = await testApp({ log: pino({ level: 'info' }, { write: (line) => void lines.push(line) }) });
});
afterEach(() => t.close());

const entries = () => lines.map((line) => JSON.parse(line) as Record<string, unknown>);
const login = (username: string, password: string, from = '10.7.0.1') =>
  t.server.inject({ method: 'POST', url: '/api/user/login/', payload: { username, password }, remoteAddress: from });

test('logs every login and failed login with account, method, address and time', async () => {
  const { id } = await createUser(t, { name: 'Maria', password: 'secret words' });
  const response = await login('maria', 'secret words');
  await login('maria', 'guess');
  await login('typed-my-password-here', 'guess');
  const common = { by: 'password', address: '10.7.0.1', route: '/api/user/login/', time: expect.any(Number) };
  expect(entries()).toEqual([
    expect.objectContaining({
      ...common,
      account: id,
      msg: 'authentication succeeded',
      request: response.headers['x-request-id'],
    }),
    expect.objectContaining({ ...common, account: id, msg: 'authentication failed', level: 40 }),
    expect.objectContaining({ ...common, account: null, msg: 'authentication failed' }),
  ]);
  expect(Math.abs((entries()[0]!.time as number) - Date.now())).toBeLessThan(60_000); // milliseconds since the epoch, so independent of time zones
  expect(lines.join('')).not.toMatch(/typed-my-password-here|secret words|guess/);
});

test('logs rejected requests with route and reason', async () => {
  const user = await createUser(t, { name: 'Ben' });
  await user.call('GET', '/api/health/checks/');
  await t.server.inject({ method: 'POST', url: '/api/user/me/', headers: { ...user.headers, origin: 'https://evil.example\n' } });
  await t.server.inject({ url: '/api/ping/', headers: { authorization: `Token ${'0'.repeat(40)}` } });
  await t.server.inject({ url: '/api/ping/' }); // not logged: requests without credentials are common
  for (let n = 0; n < 11; n++) await login('Ben', 'guess', '10.7.0.2');
  const denied = entries().filter(({ msg }) => msg === 'request denied');
  expect(denied).toEqual([
    expect.objectContaining({
      account: user.id,
      address: '127.0.0.1',
      method: 'GET',
      route: '/api/health/checks/',
      why: expect.stringMatching(/permission/),
    }),
    expect.objectContaining({ account: user.id, route: '/api/user/me/', why: expect.stringMatching(/Origin checking failed/) }),
    expect.objectContaining({ account: null, route: '/api/ping/', why: 'Invalid token.' }),
    expect.objectContaining({
      address: '10.7.0.2',
      route: '/api/user/login/',
      why: expect.stringMatching(/^Too many failed logins/),
    }),
  ]);
  for (const line of lines) expect(line.indexOf('\n')).toBe(line.length - 1); // no input can inject a line
});

test('a thousand rejections do not fill the disk', async () => {
  const sendRequest = (remoteAddress: string) =>
    t.server.inject({ url: '/api/ping/', headers: { authorization: `Token ${'0'.repeat(40)}` }, remoteAddress });
  for (let n = 0; n < 200; n++) await sendRequest('10.7.0.3');
  expect(lines).toHaveLength(31);
  expect(entries().at(-1)).toMatchObject({ address: '10.7.0.3', msg: expect.stringMatching(/are not logged/) });
  await sendRequest('10.7.0.4');
  expect(entries().at(-1)).toMatchObject({ address: '10.7.0.4', msg: 'request denied' });
});

test('logs changes of accounts, roles, passwords, tokens and sessions', async () => {
  const staff = await createUser(t, { name: 'Boss', isStaff: true, password: 'secret words' });
  const { user } = (await staff.call('POST', '/api/users/', { username: 'Ida' })).json();
  await staff.call('POST', `/api/users/${user.id}/`, { is_staff: true });
  await staff.call('POST', `/api/users/${user.id}/password/`, {});
  await staff.call('DELETE', `/api/users/${user.id}/`);
  const { id } = (await staff.call('POST', '/api/user/tokens/', { name: 'Kodi' })).json();
  await staff.call('DELETE', `/api/user/tokens/${id}/`);
  await staff.call('POST', '/api/user/password/', { current: 'secret words', next: 'other words' });
  await staff.call('POST', '/api/user/logout/');
  const [by, account] = [staff.id, user.id];
  expect(entries().map(({ level: _l, time: _t, pid: _p, hostname: _h, request: _r, ...fields }) => fields)).toEqual([
    { by, account, isStaff: false, msg: 'account created' },
    { by, account, isStaff: true, msg: 'account permissions changed' },
    { by, account, msg: 'password reset by staff' },
    { by, account, msg: 'account deleted' },
    { account: by, number: id, msg: 'API token created' },
    { account: by, number: id, msg: 'API token revoked' },
    { account: by, by: 'password', address: '127.0.0.1', route: '/api/user/password/', msg: 'authentication succeeded' },
    { account: by, address: '127.0.0.1', msg: 'password changed by its owner' },
    { account: by, address: '127.0.0.1', msg: 'logged out' },
  ]);
});
