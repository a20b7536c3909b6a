import { readdir } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { api } from '#contract/api.ts';
import { backupFolder } from '../backup/folder.ts';
import { runBackup } from '../backup/run-backup.ts';
import { aUser, engines, patience, testArchive, type TestArchive } from '../testing.ts';

const password = 'größe, 100 % sicher';
const aWhile = 601;
let guesses = 0;

type Method = 'POST' | 'DELETE';
type Id = { id: number };
/** Each call that makes or changes what lets people in, as its row is named, with what is sent. */
const ways: Record<string, (who: { ben: Id; backup: string }) => [url: string, body?: object]> = {
  'POST /api/user/tokens/': () => ['/api/user/tokens/', { name: 'Kodi' }],
  'POST /api/user/people/': () => ['/api/user/people/', { username: 'Eve', password: 'words of Eve' }],
  'POST /api/user/people/:id/': ({ ben }) => [`/api/user/people/${ben.id}/`, { is_staff: true }],
  'POST /api/user/people/:id/password/': ({ ben }) => [`/api/user/people/${ben.id}/password/`, { password: 'words of Eve' }],
  'DELETE /api/user/people/:id/': ({ ben }) => [`/api/user/people/${ben.id}/`],
  'POST /api/appsettings/backup/:filename/': ({ backup }) => [`/api/appsettings/backup/${backup}/`, {}],
};
/** Tried with a provider, in server/user/oidc.test.ts. */
const elsewhere = ['POST /api/user/oidc/link/'];

test('every call that asks for a proof is tried, and no API token may make it', () => {
  const asking = Object.entries(api).filter(([, call]) => 'proven' in call);
  const tried = [...Object.keys(ways), ...elsewhere].filter((name) => !name.includes('/backup/'));
  expect(asking.map(([name]) => name).toSorted()).toEqual(tried.toSorted());
  expect(asking.filter(([, call]) => !('bySession' in call))).toEqual([]);
});

describe.each(engines)('who has a session that is not fresh, on $engine', (on) => {
  let t: TestArchive;
  let ann: Awaited<ReturnType<typeof aUser>>;
  let ben: Awaited<ReturnType<typeof aUser>>;
  let clock: number;
  let backup: string;
  beforeEach(async () => {
    t = await testArchive({ on, onDisk: true });
    clock = 1_800_000_000;
    Object.assign(t.archive, { now: () => clock });
    ann = await aUser(t, { name: 'Ann', password, isStaff: true });
    ben = await aUser(t, { name: 'Ben' });
    backup = '';
  });
  afterEach(() => t.close());

  async function aBackup() {
    const { id } = await t.archive.tasks.start(runBackup, { reason: 'manual' });
    t.runner.begin();
    await expect.poll(async () => (await ann.call('GET', `/api/task/by-id/${id}/`)).json().status, patience).toBe('SUCCESS');
    [backup = ''] = await readdir(backupFolder(t.archive));
  }
  const everything = async () =>
    JSON.stringify([
      await t.archive.db.selectFrom('account').selectAll().orderBy('id').execute(),
      await t.archive.db.selectFrom('namedToken').selectAll().execute(),
      await t.archive.db.selectFrom('identity').selectAll().execute(),
      await t.archive.db.selectFrom('task').select('name').where('name', '=', 'restore_backup').execute(),
    ]);
  /** With another password, each time from another address: those are counted too. */
  const guess = (method: Method, url: string, body?: object, from = `10.9.${++guesses >> 8}.${guesses & 255}`) =>
    t.app.inject({
      method,
      url,
      headers: { ...ann.headers, 'x-reelkeep-confirm': 'a guess' },
      remoteAddress: from,
      ...(body && { payload: body }),
    });

  test.each(Object.entries(ways))('%s', async (name, way) => {
    if (name.includes('/backup/')) await aBackup();
    const method = name.split(' ')[0] as Method;
    const [url, body] = way({ ben, backup });
    const before = await everything();
    clock += aWhile;
    const bare = await ann.call(method, url, body);
    expect([bare.statusCode, bare.json()]).toEqual([
      400,
      {
        error:
          'This changes who may come in. Prove that it is you: send your password, percent-encoded, in the header X-Reelkeep-Confirm.',
        prove: { by: 'password' },
      },
    ]);
    expect(decodeURIComponent(String(bare.headers['reelkeep-said']))).toContain('prove.password');
    const failures = async () => (await t.archive.meter.loginFailures.get()).values[0]?.value ?? 0;
    const failed = await failures();
    const guessed = await guess(method, url, body);
    expect([guessed.statusCode, guessed.json()]).toEqual([
      400,
      { error: 'That is not your present password.', prove: { by: 'password' } },
    ]);
    expect(await failures()).toBe(failed + 1);
    const { token } = (await ann.call('GET', '/api/appsettings/token/')).json();
    const authorization = `Token ${token}`;
    for (const headers of [{ authorization }, { authorization, 'x-reelkeep-confirm': encodeURIComponent(password) }])
      expect((await t.app.inject({ method, url, headers, ...(body && { payload: body }) })).statusCode).toBe(403);
    expect(await everything()).toBe(before);
    expect((await ann.call(method, url, body, password)).statusCode).toBeLessThan(300);
    expect(await everything()).not.toBe(before);
  });

  test.each(Object.entries(ways))('and who has just logged in is not asked: %s', async (name, way) => {
    if (name.includes('/backup/')) await aBackup();
    const [url, body] = way({ ben, backup });
    const before = await everything();
    clock += aWhile - 1;
    expect((await ann.call(name.split(' ')[0] as Method, url, body)).statusCode).toBeLessThan(300);
    expect(await everything()).not.toBe(before);
  });

  test('what is typed counts for the one call, a new login for those that follow', async () => {
    clock += aWhile;
    const make = (confirm?: string) => ann.call('POST', '/api/user/tokens/', { name: 'x' }, confirm);
    expect((await make(password)).statusCode).toBe(200);
    expect((await make()).statusCode).toBe(400);
    const payload = { username: 'Ann', password };
    const answer = await t.app.inject({ method: 'POST', url: '/api/user/login/', payload });
    const cookies = Object.fromEntries(answer.cookies.map(({ name, value }) => [name, value]));
    const headers = { cookie: `sessionid=${cookies.sessionid}`, 'x-csrftoken': cookies.csrftoken! };
    const again = () => t.app.inject({ method: 'POST', url: '/api/user/tokens/', headers, payload: { name: 'y' } });
    expect([(await again()).statusCode, (await again()).statusCode]).toEqual([200, 200]);
    // Being used makes no session fresh, and neither does a clock that is set back.
    clock += 7200;
    await t.app.inject({ url: '/api/ping/', headers });
    expect((await again()).statusCode).toBe(400);
    clock -= 30_000;
    expect((await again()).statusCode).toBe(400);
  });

  test('guesses are limited as those of the login, and together with them', async () => {
    clock += aWhile;
    const from = `10.8.1.${++guesses}`;
    const payload = { name: 'x' };
    for (let n = 0; n < 10; n++) expect((await guess('POST', '/api/user/tokens/', payload, from)).statusCode).toBe(400);
    expect((await guess('POST', '/api/user/tokens/', payload, from)).statusCode).toBe(429);
    const login = { method: 'POST' as const, url: '/api/user/login/', payload: { username: 'Ann', password } };
    expect((await t.app.inject({ ...login, remoteAddress: from })).statusCode).toBe(429);
    const right = { ...ann.headers, 'x-reelkeep-confirm': encodeURIComponent(password) };
    const late = await t.app.inject({ method: 'POST', url: '/api/user/tokens/', headers: right, remoteAddress: from, payload });
    expect(late.statusCode).toBe(429);
  });

  test('and ends what lets people in without being asked, reads the token that older clients show, looks into a backup', async () => {
    await aBackup();
    const { id } = (await ann.call('POST', '/api/user/tokens/', { name: 'x' })).json();
    clock += aWhile;
    expect((await ann.call('DELETE', `/api/user/tokens/${id}/`)).statusCode).toBe(204);
    expect((await ann.call('DELETE', '/api/user/sessions/')).statusCode).toBe(200);
    expect((await ann.call('GET', '/api/appsettings/token/')).statusCode).toBe(200);
    expect((await ann.call('POST', `/api/appsettings/backup/${backup}/`, { dry_run: true })).statusCode).toBe(200);
    expect((await ann.call('DELETE', '/api/appsettings/token/')).statusCode).toBe(204);
  });
});
