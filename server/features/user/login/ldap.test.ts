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
import { createClient, createUser, createVideo, testApp, type TestApp } from '../../../test-support/app.ts';

// Path of the OpenLDAP server; the default is that of the Debian package.
const slapd = process.env.REELKEEP_TEST_SLAPD || ['/usr/sbin/slapd'].find((path) => spawnSync(path, ['-VV']).status === 0);
const modules = '/usr/lib/ldap';

const freePort = () =>
  new Promise<number>((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });

const entry = (uid: string, password: string, unit = 'people') =>
  `dn: uid=${uid},ou=${unit},dc=example\nobjectClass: inetOrgPerson\nuid: ${uid}\ncn: ${uid}\nsn: ${uid}\nuserPassword: ${password}\n\n`;

describe.runIf(slapd)('LDAP users', () => {
  let folder: string;
  let server: ChildProcess;
  let port: number;
  let t: TestApp;

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
        .join(
          '',
        )}${entry('Maria', 'right')}${entry('boss', 'bossy')}${entry('ADMIN', 'right')}${entry('twin', 'one')}${entry('twin', 'one', 'others')}`,
    );
    port = await freePort();
    const configFile = join(folder, 'slapd.conf');
    const imported = spawnSync(slapd!, ['-T', 'add', '-f', configFile, '-l', join(folder, 'people.ldif')], { encoding: 'utf8' });
    if (imported.status !== 0) throw new Error(imported.stderr);
    server = spawn(slapd!, ['-f', configFile, '-h', `ldap://127.0.0.1:${port}`, '-d', '0'], { stdio: 'ignore' });
    t = await testApp({
      env: {
        TA_LOGIN_AUTH_MODE: 'ldap_local',
        TA_LDAP_SERVER_URI: `ldap://127.0.0.1:${port}`,
        TA_LDAP_BIND_DN: 'cn=admin,dc=example',
        TA_LDAP_BIND_PASSWORD: 'secret',
        TA_LDAP_USER_BASE: 'dc=example',
        TA_LDAP_USER_FILTER: '(objectClass=inetOrgPerson)',
        TA_LDAP_PROMOTE_USERNAMES_TO_SUPERUSER: 'boss maria',
      },
    });
    for (let attempts = 0; attempts < 600 && (await login('Maria', 'right')).statusCode === 503; attempts++) await wait(100);
  });
  afterAll(async () => {
    await t?.close();
    server?.kill('SIGKILL');
    await rm(folder, { recursive: true, force: true });
  });

  const login = (username: string, password: string) =>
    t.server.inject({ method: 'POST', url: '/api/user/login/', payload: { username, password } });
  async function readAccount(response: Awaited<ReturnType<typeof login>>) {
    const cookie = response.cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
    return (await t.server.inject({ url: '/api/user/account/', headers: { cookie } })).json();
  }

  test('log in with their directory password, and get an account', async () => {
    expect(await readAccount(await login('maria', 'right'))).toMatchObject({ name: 'Maria', is_staff: false });
    expect(await readAccount(await login('boss', 'bossy'))).toMatchObject({ name: 'boss', is_staff: true });
    const names = (await t.app.db.selectFrom('account').select('name').orderBy('name').execute()).map(({ name }) => name);
    expect(names).toEqual(['Maria', 'boss']);
  });

  test('rejects an entry whose name merely looks like that of an account', async () => {
    const admin = await createUser(t, { name: 'admin', password: 'our own', isStaff: true });
    const response = await login('admin', 'right');
    expect([response.statusCode, response.json().error]).toEqual([400, expect.stringMatching(/existing account admin/)]);
    expect(response.cookies).toEqual([]);
    expect(await readAccount(await login('admin', 'our own'))).toMatchObject({ id: admin.id });
  });

  test.each([
    ['maria', 'wrong'],
    ['nobody', 'right'],
    ['*', 'right'],
    ['maria)(uid=*', 'right'],
    ['ma*', 'right'],
    ['twin', 'one'],
  ])('rejects %j with %j', async (name, password) => {
    const response = await login(name, password);
    expect([response.statusCode, response.json().error]).toEqual([400, 'Invalid credentials']);
  });

  test('checks local accounts locally', async () => {
    expect(
      await readAccount(await login((await createUser(t, { name: 'local', password: 'our own' })).name, 'our own')),
    ).toMatchObject({
      name: 'local',
    });
    // An account of the directory has no local password that could match.
    expect((await login('Maria', '')).statusCode).toBe(400);
  });

  test('reauthenticate with the directory password', async () => {
    const loginResponse = await login('Maria', 'right');
    const { call } = createClient(t.server, Object.fromEntries(loginResponse.cookies.map(({ name, value }) => [name, value])));
    await t.app.db.updateTable('session').set({ authenticatedAt: 1 }).execute();
    const createToken = (confirm?: string) => call('POST', '/api/user/tokens/', { name: 'Kodi' }, confirm);
    expect((await createToken()).json().prove).toEqual({ by: 'password' });
    expect((await createToken('wrong')).statusCode).toBe(400);
    expect((await createToken('right')).statusCode).toBe(200);
  });

  test('confirm large deletions with the directory password', async () => {
    const loginResponse = await login('boss', 'bossy');
    const { call } = createClient(t.server, Object.fromEntries(loginResponse.cookies.map(({ name, value }) => [name, value])));
    const id = await createVideo(t.app.db, { sizeBytes: 200e9 });
    const remove = (confirm?: string) => call('DELETE', `/api/video/${id}/`, undefined, confirm);
    expect((await remove()).json().confirm).toMatchObject({ by: 'password', videos: 1 });
    // Neither the number of videos nor the password of another user is accepted.
    for (const wrong of ['1', 'right']) {
      const rejected = await remove(wrong);
      expect([rejected.statusCode, rejected.json().error]).toEqual([400, 'The current password is incorrect.']);
    }
    expect((await remove('bossy')).statusCode).toBe(204);
  });

  test('must change their password in the directory', async () => {
    const expectedError = 'You log in with a password from the LDAP directory. Change it there.';
    const change = async (name: string, current: string) => {
      const loginResponse = await login(name, 'right');
      const { call } = createClient(t.server, Object.fromEntries(loginResponse.cookies.map((one) => [one.name, one.value])));
      const response = await call('POST', '/api/user/password/', { current, next: 'quite other words' });
      return [response.statusCode, response.statusCode === 204 ? null : response.json().error];
    };
    for (const current of ['right', 'wrong']) expect(await change('Maria', current)).toEqual([400, expectedError]);
    // A user who also has a local password changes the local one.
    await t.app.db
      .updateTable('account')
      .set({ passwordHash: await hashPassword('our own') })
      .where('name', '=', 'Maria')
      .execute();
    expect(await change('Maria', 'right')).toEqual([400, expectedError]);
    expect(await change('Maria', 'wrong')).toEqual([400, 'The current password is incorrect.']);
    expect(await change('Maria', 'our own')).toEqual([204, null]);
    expect((await login('Maria', 'quite other words')).statusCode).toBe(204);
    await t.app.db.updateTable('account').set({ passwordHash: '' }).where('name', '=', 'Maria').execute();
  });

  test('local accounts can log in while the directory is unreachable', async () => {
    await createUser(t, { name: 'keeper', password: 'our own' });
    server.kill('SIGKILL');
    await wait(200);
    for (const [name, password] of [
      ['maria', 'right'],
      ['keeper', 'wrong'],
    ] as const) {
      const response = await login(name, password);
      expect([response.statusCode, response.json().error]).toEqual([
        503,
        expect.stringMatching(/LDAP directory cannot be reached/),
      ]);
      expect(response.body).not.toMatch(/127\.0\.0\.1|ECONN/);
    }
    expect(await readAccount(await login('keeper', 'our own'))).toMatchObject({ name: 'keeper' });
  });
});

test('logs connection problems, and hides them from clients', async () => {
  const lines: string[] = [];
  const log = pino({ level: 'warn' }, { write: (line) => void lines.push(line) });
  const unreachableUrl = `ldap://127.0.0.1:${await freePort()}`;
  const t = await testApp({ log, env: { REELKEEP_LDAP_URL: unreachableUrl, REELKEEP_LDAP_BASE: 'dc=example' } });
  try {
    const payload = { username: 'maria', password: 'right' };
    const response = await t.server.inject({ method: 'POST', url: '/api/user/login/', payload });
    expect([response.statusCode, response.json()]).toMatchObject([
      503,
      { error: 'The LDAP directory cannot be reached. See the log for details.' },
    ]);
    expect(lines.join('')).toMatch(/ECONNREFUSED/);
  } finally {
    await t.close();
  }
});

test('a directory without a valid certificate gets no password', async () => {
  const { private: key, cert } = await generate([{ name: 'commonName', value: 'localhost' }], {
    keyType: 'ec',
    algorithm: 'sha256',
  });
  let received = '';
  const server = createSecureServer({ key, cert }, (socket) =>
    socket.on('data', (chunk) => (received += chunk.toString('latin1'))),
  );
  server.on('tlsClientError', () => {});
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const lines: string[] = [];
  const log = pino({ level: 'warn' }, { write: (line) => void lines.push(line) });
  const url = `ldaps://localhost:${(server.address() as { port: number }).port}`;
  const t = await testApp({ log, env: { REELKEEP_LDAP_URL: url, REELKEEP_LDAP_BASE: 'dc=example' } });
  try {
    const payload = { username: 'maria', password: 'canary' };
    expect((await t.server.inject({ method: 'POST', url: '/api/user/login/', payload })).statusCode).toBe(503);
    expect(lines.join('')).toMatch(/self-signed certificate/);
    expect(received).toBe('');
  } finally {
    await t.close();
    server.close();
  }
});
