import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { createServer as createSecureServer } from 'node:tls';
import pino from 'pino';
import { generate } from 'selfsigned';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hashPassword } from './password.ts';
import { aBrowser, aUser, aVideo, testArchive, type TestArchive } from '../testing.ts';

// With OpenLDAP's own server, as Debian packages it.
const slapd = process.env.REELKEEP_TEST_SLAPD || ['/usr/sbin/slapd'].find((path) => spawnSync(path, ['-VV']).status === 0);
const modules = '/usr/lib/ldap';

const freePort = () =>
  new Promise<number>((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });

const entry = (uid: string, password: string, of = 'people') =>
  `dn: uid=${uid},ou=${of},dc=example\nobjectClass: inetOrgPerson\nuid: ${uid}\ncn: ${uid}\nsn: ${uid}\nuserPassword: ${password}\n\n`;

describe.runIf(slapd)('people of a directory', () => {
  let folder: string;
  let server: ChildProcess;
  let port: number;
  let t: TestArchive;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'reelkeep-ldap-'));
    await mkdir(join(folder, 'db'));
    const schema = (name: string) => `include /etc/ldap/schema/${name}.schema\n`;
    await writeFile(
      join(folder, 'slapd.conf'),
      `${['core', 'cosine', 'inetorgperson'].map(schema).join('')}modulepath ${modules}\nmoduleload back_mdb
pidfile ${folder}/pid\ndatabase mdb\nsuffix "dc=example"\nrootdn "cn=admin,dc=example"\nrootpw secret\ndirectory ${folder}/db
access to attrs=userPassword by anonymous auth by * none\naccess to * by users read by anonymous auth\n`,
    );
    await writeFile(
      join(folder, 'people.ldif'),
      `dn: dc=example\nobjectClass: dcObject\nobjectClass: organization\no: Example\ndc: example\n\n${['people', 'others']
        .map((ou) => `dn: ou=${ou},dc=example\nobjectClass: organizationalUnit\nou: ${ou}\n\n`)
        .join('')}${entry('Maria', 'right')}${entry('boss', 'bossy')}${entry('twin', 'one')}${entry('twin', 'one', 'others')}`,
    );
    port = await freePort();
    const conf = join(folder, 'slapd.conf');
    const filled = spawnSync(slapd!, ['-T', 'add', '-f', conf, '-l', join(folder, 'people.ldif')], { encoding: 'utf8' });
    if (filled.status !== 0) throw new Error(filled.stderr);
    server = spawn(slapd!, ['-f', conf, '-h', `ldap://127.0.0.1:${port}`, '-d', '0'], { stdio: 'ignore' });
    t = await testArchive({
      env: {
        TA_LOGIN_AUTH_MODE: 'ldap_local',
        TA_LDAP_SERVER_URI: `ldap://127.0.0.1:${port}`,
        TA_LDAP_BIND_DN: 'cn=admin,dc=example',
        TA_LDAP_BIND_PASSWORD: 'secret',
        TA_LDAP_USER_BASE: 'dc=example',
        TA_LDAP_USER_FILTER: '(objectClass=inetOrgPerson)',
        TA_LDAP_PROMOTE_USERNAMES_TO_SUPERUSER: 'Boss',
      },
    });
    for (let tries = 0; tries < 600 && (await login('Maria', 'right')).statusCode === 503; tries++) await wait(100);
  });
  afterAll(async () => {
    await t?.close();
    server?.kill('SIGKILL');
    await rm(folder, { recursive: true, force: true });
  });

  const login = (username: string, password: string) =>
    t.app.inject({ method: 'POST', url: '/api/user/login/', payload: { username, password } });
  async function whoIs(answer: Awaited<ReturnType<typeof login>>) {
    const cookie = answer.cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
    return (await t.app.inject({ url: '/api/user/account/', headers: { cookie } })).json();
  }

  test('log in with their name and password there, and have an account from then on', async () => {
    expect(await whoIs(await login('maria', 'right'))).toMatchObject({ name: 'Maria', is_staff: false });
    expect(await whoIs(await login('boss', 'bossy'))).toMatchObject({ name: 'boss', is_staff: true });
    const names = (await t.archive.db.selectFrom('account').select('name').orderBy('name').execute()).map(({ name }) => name);
    expect(names).toEqual(['Maria', 'boss']);
  });

  test.each([
    ['maria', 'wrong'],
    ['nobody', 'right'],
    ['*', 'right'],
    ['maria)(uid=*', 'right'],
    ['ma*', 'right'],
    ['twin', 'one'],
  ])('%j with %j is nobody', async (name, password) => {
    const answer = await login(name, password);
    expect([answer.statusCode, answer.json().error]).toEqual([400, 'Invalid credentials']);
  });

  test('a name that only we know is asked here', async () => {
    expect(await whoIs(await login((await aUser(t, { name: 'local', password: 'our own' })).name, 'our own'))).toMatchObject({
      name: 'local',
    });
    // Who has an account through the directory has no password here that could be guessed.
    expect((await login('Maria', '')).statusCode).toBe(400);
  });

  test('after a while they make a token with the password there', async () => {
    const entered = await login('Maria', 'right');
    const { call } = aBrowser(t.app, Object.fromEntries(entered.cookies.map(({ name, value }) => [name, value])));
    await t.archive.db.updateTable('session').set({ provedAt: 1 }).execute();
    const make = (confirm?: string) => call('POST', '/api/user/tokens/', { name: 'Kodi' }, confirm);
    expect((await make()).json().prove).toEqual({ by: 'password' });
    expect((await make('wrong')).statusCode).toBe(400);
    expect((await make('right')).statusCode).toBe(200);
  });

  test('who deletes very much confirms it with the password there', async () => {
    const entered = await login('boss', 'bossy');
    const { call } = aBrowser(t.app, Object.fromEntries(entered.cookies.map(({ name, value }) => [name, value])));
    const id = await aVideo(t.archive.db, { sizeBytes: 200e9 });
    const remove = (confirm?: string) => call('DELETE', `/api/video/${id}/`, undefined, confirm);
    expect((await remove()).json().confirm).toMatchObject({ by: 'password', videos: 1 });
    // How many they are is not enough, nor is somebody else's password.
    for (const wrong of ['1', 'right']) {
      const refused = await remove(wrong);
      expect([refused.statusCode, refused.json().error]).toEqual([400, 'That is not your present password.']);
    }
    expect((await remove('bossy')).statusCode).toBe(204);
  });

  test('who has no password here, or says the one there, is told where it is changed', async () => {
    const there = 'The password that you log in with is that of the directory (LDAP). Change it there.';
    const change = async (name: string, current: string) => {
      const entered = await login(name, 'right');
      const { call } = aBrowser(t.app, Object.fromEntries(entered.cookies.map((one) => [one.name, one.value])));
      const answer = await call('POST', '/api/user/password/', { current, next: 'quite other words' });
      return [answer.statusCode, answer.statusCode === 204 ? null : answer.json().error];
    };
    for (const current of ['right', 'wrong']) expect(await change('Maria', current)).toEqual([400, there]);
    // With one here as well, it is this one that is changed.
    await t.archive.db
      .updateTable('account')
      .set({ passwordHash: await hashPassword('our own') })
      .where('name', '=', 'Maria')
      .execute();
    expect(await change('Maria', 'right')).toEqual([400, there]);
    expect(await change('Maria', 'wrong')).toEqual([400, 'That is not your present password.']);
    expect(await change('Maria', 'our own')).toEqual([204, null]);
    expect((await login('Maria', 'quite other words')).statusCode).toBe(204);
    await t.archive.db.updateTable('account').set({ passwordHash: '' }).where('name', '=', 'Maria').execute();
  });

  test('a directory that is away is said so, and lets nobody in meanwhile but those who have a password here', async () => {
    await aUser(t, { name: 'keeper', password: 'our own' });
    server.kill('SIGKILL');
    await wait(200);
    for (const [name, password] of [
      ['maria', 'right'],
      ['keeper', 'wrong'],
    ] as const) {
      const answer = await login(name, password);
      expect([answer.statusCode, answer.json().error]).toEqual([503, expect.stringMatching(/directory of people/)]);
      expect(answer.body).not.toMatch(/127\.0\.0\.1|ECONN/);
    }
    expect(await whoIs(await login('keeper', 'our own'))).toMatchObject({ name: 'keeper' });
  });
});

test('where a directory is that does not answer, and how, is told by the log and to no stranger', async () => {
  const lines: string[] = [];
  const log = pino({ level: 'warn' }, { write: (line) => void lines.push(line) });
  const away = `ldap://127.0.0.1:${await freePort()}`;
  const t = await testArchive({ log, env: { REELKEEP_LDAP_URL: away, REELKEEP_LDAP_BASE: 'dc=example' } });
  try {
    const payload = { username: 'maria', password: 'right' };
    const answer = await t.app.inject({ method: 'POST', url: '/api/user/login/', payload });
    expect([answer.statusCode, answer.json()]).toEqual([
      503,
      { error: 'The directory of people (LDAP) cannot be asked just now; the log says why.' },
    ]);
    expect(lines.join('')).toMatch(/ECONNREFUSED/);
  } finally {
    await t.close();
  }
});

test('a directory that cannot prove who it is gets no password', async () => {
  const { private: key, cert } = await generate([{ name: 'commonName', value: 'localhost' }], {
    keyType: 'ec',
    algorithm: 'sha256',
  });
  let said = '';
  const server = createSecureServer({ key, cert }, (socket) => socket.on('data', (piece) => (said += piece.toString('latin1'))));
  server.on('tlsClientError', () => {});
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const lines: string[] = [];
  const log = pino({ level: 'warn' }, { write: (line) => void lines.push(line) });
  const url = `ldaps://localhost:${(server.address() as { port: number }).port}`;
  const t = await testArchive({ log, env: { REELKEEP_LDAP_URL: url, REELKEEP_LDAP_BASE: 'dc=example' } });
  try {
    const payload = { username: 'maria', password: 'canary' };
    expect((await t.app.inject({ method: 'POST', url: '/api/user/login/', payload })).statusCode).toBe(503);
    expect(lines.join('')).toMatch(/self-signed certificate/);
    expect(said).toBe('');
  } finally {
    await t.close();
    server.close();
  }
});

test.runIf(!slapd)('OpenLDAP could not be had: what needs it was not tried', () => expect(slapd).toBeUndefined());
