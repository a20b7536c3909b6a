import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { request as askHttp, type IncomingMessage } from 'node:http';
import { request as askHttps } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { generate } from 'selfsigned';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aUser, testArchive, type TestArchive } from '../testing.ts';

const nginx = [process.env.REELKEEP_TEST_NGINX || '/usr/sbin/nginx', 'nginx'].find(
  (path) => spawnSync(path, ['-v']).status === 0,
);
if (!nginx) process.stdout.write('nginx could not be had: the tests behind a real proxy are skipped\n');

const freePort = () =>
  new Promise<number>((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });

describe.runIf(nginx)('behind nginx, set up as docs/operations.md says', () => {
  let t: TestArchive;
  let folder: string;
  let running: ChildProcess;
  let ports: { http: number; https: number };
  let user: Awaited<ReturnType<typeof aUser>>;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'reelkeep-nginx-'));
    await mkdir(join(folder, 'web/assets'), { recursive: true });
    await writeFile(join(folder, 'web/index.html'), '<base href="/">');
    t = await testArchive({ env: { REELKEEP_TRUSTED_PROXIES: '127.0.0.1' }, around: { webFolder: join(folder, 'web') } });
    user = await aUser(t);
    const ours = new URL(await t.app.listen({ port: 0, host: '127.0.0.1' })).port;
    ports = { http: await freePort(), https: await freePort() };
    const { private: key, cert } = await generate([{ name: 'commonName', value: 'tube.example.org' }], { keySize: 2048 });
    await writeFile(join(folder, 'tube.key'), key);
    await writeFile(join(folder, 'tube.pem'), cert);
    const doc = await readFile(new URL('../../docs/operations.md', import.meta.url), 'utf8');
    const [own = '', below = ''] = [...doc.matchAll(/```nginx\n([\s\S]*?)```/g)].map(([, text]) =>
      text!.replaceAll('127.0.0.1:8000', `127.0.0.1:${ours}`),
    );
    const secure = own.replace('listen 443 ssl', `listen 127.0.0.1:${ports.https} ssl`).replaceAll('/etc/ssl', folder);
    const plain = own.replace('listen 443 ssl', `listen 127.0.0.1:${ports.http}`).replace(/^.*ssl_certificate.*$/gm, '');
    await writeFile(
      join(folder, 'nginx.conf'),
      `daemon off; pid ${folder}/pid; error_log stderr; worker_processes 1; ${process.getuid?.() === 0 ? 'user root;' : ''}
       events {}
       http { access_log off; client_body_temp_path ${folder}/a; proxy_temp_path ${folder}/b; fastcgi_temp_path ${folder}/c; uwsgi_temp_path ${folder}/d; scgi_temp_path ${folder}/e;
         ${plain.replace('tube.example.org', 'plain.example.org')}
         ${secure}
         ${plain.replace('tube.example.org', 'below.example.org').replace(/location \/ \{[\s\S]*?\n {2}\}/, () => below)}
       }`,
    );
    running = spawn(nginx!, ['-p', folder, '-c', join(folder, 'nginx.conf')], { stdio: ['ignore', 'ignore', 'pipe'] });
    let words = '';
    running.stderr!.setEncoding('utf8').on('data', (text: string) => (words += text));
    for (let tries = 0; ; tries++) {
      const is = await ask({ host: 'plain.example.org' }, '/api/health/').catch(() => null);
      if (is?.status === 200) break;
      if (tries > 600) throw new Error(`nginx did not start: ${words}`);
      await wait(100);
    }
  });
  afterAll(async () => {
    running.kill('SIGTERM');
    await new Promise((resolve) => running.once('exit', resolve));
    await t.close();
    await rm(folder, { recursive: true, force: true });
  });

  interface Site {
    host: string;
    isSecure?: boolean;
    base?: string;
  }
  const sites: Site[] = [
    { host: 'plain.example.org' },
    { host: 'tube.example.org', isSecure: true },
    { host: 'below.example.org', base: '/tube' },
  ];
  const hostOf = ({ host, isSecure }: Site) => `${host}:${isSecure ? ports.https : ports.http}`;
  const originOf = (site: Site) => `${site.isSecure ? 'https' : 'http'}://${hostOf(site)}`;

  const open = (
    site: Site,
    path: string,
    {
      method = 'GET',
      headers = {},
      body,
      file,
    }: { method?: string; headers?: Record<string, string>; body?: object; file?: Buffer } = {},
  ) =>
    new Promise<IncomingMessage>((resolve, reject) => {
      const send = site.isSecure ? askHttps : askHttp;
      const port = site.isSecure ? ports.https : ports.http;
      const about = {
        host: '127.0.0.1',
        port,
        path: (site.base ?? '') + path,
        method,
        rejectUnauthorized: false,
        agent: false as const,
      };
      const request = send(
        { ...about, headers: { host: hostOf(site), ...(body && { 'content-type': 'application/json' }), ...headers } },
        resolve,
      );
      request.on('error', reject);
      request.end(file ?? (body && JSON.stringify(body)));
    });
  async function ask(site: Site, path: string, wish: Parameters<typeof open>[2] = {}) {
    const answer = await open(site, path, wish);
    const text = Buffer.concat(await Array.fromAsync(answer as AsyncIterable<Buffer>)).toString();
    return { status: answer.statusCode, headers: answer.headers, text };
  }
  async function logIn(site: Site) {
    const answer = await ask(site, '/api/user/login/', {
      method: 'POST',
      body: { username: user.name, password: user.password },
    });
    expect(answer.status).toBe(204);
    const given = answer.headers['set-cookie']!;
    const cookie = given.map((one) => one.split(';')[0]).join('; ');
    return { given, headers: { cookie, 'x-csrftoken': /csrftoken=([^;]+)/.exec(cookie)![1]! } };
  }

  test.each(sites)('$host: a backup is uploaded, however large', async (site) => {
    const staff = await aUser(t, { isStaff: true });
    const answer = await ask(site, '/api/appsettings/backup/ta_backup-20260101-manual.zip/file', {
      method: 'PUT',
      headers: { cookie: staff.headers.cookie, 'x-csrftoken': staff.headers['x-csrftoken'], 'content-type': 'application/zip' },
      file: Buffer.alloc(5_000_000),
    });
    // It came to us, who say what is wrong with it.
    expect([answer.status, JSON.parse(answer.text).error]).toEqual([400, expect.stringMatching(/backup|ZIP/i)]);
  });

  test.each(sites)('$host: page, login, a change, and leaving', async (site) => {
    const page = await ask(site, '/some/page');
    expect(page.text).toBe(`<base href="${site.base ?? ''}/">`);
    const { given, headers } = await logIn(site);
    for (const cookie of given) {
      expect(cookie).toMatch(new RegExp(`; Path=${site.base ?? '/'}(;|$)`));
      expect(/; Secure/.test(cookie)).toBe(site.isSecure === true);
    }
    const change = (origin: string) =>
      ask(site, '/api/user/me/', { method: 'POST', headers: { ...headers, origin }, body: { page_size: 20 } });
    expect((await change(originOf(site))).status).toBe(200);
    expect((await change('https://evil.example')).status).toBe(403);
    const out = await ask(site, '/api/user/logout/', { method: 'POST', headers });
    expect(out.headers['set-cookie']![0]).toMatch(new RegExp(`Path=${site.base ?? '/'}(;|$)`));
    expect((await ask(site, '/api/ping/', { headers })).status).toBe(403);
  });

  test.each(sites)('$host: what changes is told at once', async (site) => {
    const { headers } = await logIn(site);
    const stream = await open(site, '/api/events/', { headers });
    let told = '';
    stream.setEncoding('utf8').on('data', (text: string) => (told += text));
    await wait(200);
    t.archive.announce('video');
    for (let tries = 0; tries < 600 && !told.includes('"video"'); tries++) await wait(100);
    stream.destroy();
    expect(told).toMatch(/event: changed\ndata: {"rooms":\[.*"video"\]}/);
  });

  test('the request keeps the name that the proxy gave it, not one that a stranger chose', async () => {
    const answer = await ask(sites[1]!, '/api/ping/', { headers: { 'x-request-id': 'chosen-by-a-stranger' } });
    expect(answer.headers['x-request-id']).toMatch(/^[0-9a-f]{32}$/);
  });

  test('the documents of the API stand below the path as well', async () => {
    const site = sites[2]!;
    const { headers } = await logIn(site);
    expect((await ask(site, '/api/docs/', { headers })).text).toContain('<base href="/tube/api/docs/" />');
    expect(JSON.parse((await ask(site, '/api/schema/', { headers })).text).servers).toEqual([{ url: '/tube' }]);
  });
});

describe('what a stranger says of where they come from', () => {
  let t: TestArchive;
  beforeAll(async () => {
    t = await testArchive({ env: { REELKEEP_TRUSTED_PROXIES: '10.0.0.0/24, fd00::/8' } });
  });
  afterAll(() => t.close());

  const told = {
    'x-forwarded-for': '9.9.9.9',
    'x-forwarded-proto': 'https',
    'x-forwarded-host': 'evil.example',
    'x-forwarded-prefix': '/evil',
    'x-request-id': 'chosen',
  };
  const logIn = async (remoteAddress: string) => {
    const { name, password } = await aUser(t);
    return t.app.inject({
      method: 'POST',
      url: '/api/user/login/',
      payload: { username: name, password },
      headers: told,
      remoteAddress,
    });
  };

  test.each(['192.168.0.1', '10.0.1.1', '::1', '2001:db8::1'])('is not believed from %s', async (address) => {
    const answer = await logIn(address);
    expect(answer.cookies[0]).toMatchObject({ path: '/' });
    expect(answer.cookies[0]).not.toHaveProperty('secure');
    expect(answer.headers['x-request-id']).not.toBe('chosen');
  });

  test.each(['10.0.0.7', '::ffff:10.0.0.7', 'fd00::1'])('is believed from the proxy at %s', async (address) => {
    const answer = await logIn(address);
    expect(answer.cookies[0]).toMatchObject({ path: '/evil', secure: true });
    expect(answer.headers['x-request-id']).toBe('chosen');
  });

  test.each(['/a b', '/..', '/a/../b', '//evil.example', '/..;/x', '/a"><script>', `/${'x'.repeat(60)}`, '/a\\b', 'evil'])(
    'even a proxy is not believed that we live below %s',
    async (prefix) => {
      const { name, password } = await aUser(t);
      const answer = await t.app.inject({
        method: 'POST',
        url: '/api/user/login/',
        payload: { username: name, password },
        headers: { 'x-forwarded-prefix': prefix },
        remoteAddress: '10.0.0.7',
      });
      expect(answer.cookies[0]!.path).toBe('/');
    },
  );
});
