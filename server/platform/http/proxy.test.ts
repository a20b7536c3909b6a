import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { request as askHttp, type IncomingMessage } from 'node:http';
import { request as askHttps } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { generate } from 'selfsigned';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createUser, createVideo, testApp, type TestApp } from '../../test-support/app.ts';
import { freePort, nginxPath, startNginx } from '../../test-support/nginx.ts';

const film = 'the bytes of a film';
const filmPath = 'a channel/100 % größer? #1.mp4';
const filmUrl = filmPath.split('/').map(encodeURIComponent).join('/');

describe.runIf(nginxPath)('behind nginx configured as in docs/operations.md', () => {
  let t: TestApp;
  let folder: string;
  let nginx: Awaited<ReturnType<typeof startNginx>>;
  let ports: { http: number; https: number };
  let user: Awaited<ReturnType<typeof createUser>>;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'reelkeep-nginx-'));
    await mkdir(join(folder, 'web/assets'), { recursive: true });
    await writeFile(join(folder, 'web/index.html'), '<base href="/">');
    t = await testApp({ env: { REELKEEP_TRUSTED_PROXIES: '127.0.0.1' }, serverOptions: { webFolder: join(folder, 'web') } });
    user = await createUser(t);
    await createVideo(t.app.db, { title: 'A film', mediaPath: filmPath });
    await mkdir(join(t.app.config.mediaFolder, 'a channel'), { recursive: true });
    await writeFile(join(t.app.config.mediaFolder, filmPath), film);
    const appPort = new URL(await t.server.listen({ port: 0, host: '127.0.0.1' })).port;
    ports = { http: await freePort(), https: await freePort() };
    const { private: key, cert } = await generate([{ name: 'commonName', value: 'tube.example.org' }], { keySize: 2048 });
    await writeFile(join(folder, 'tube.key'), key);
    await writeFile(join(folder, 'tube.pem'), cert);
    const doc = await readFile(new URL('../../../docs/operations.md', import.meta.url), 'utf8');
    const [ownHost = '', belowPath = '', ofMedia = ''] = [...doc.matchAll(/```nginx\n([\s\S]*?)```/g)].map(([, text]) =>
      text!.replaceAll('127.0.0.1:8000', `127.0.0.1:${appPort}`),
    );
    const secure = ownHost
      .replace('listen 443 ssl', `listen 127.0.0.1:${ports.https} ssl`)
      .replaceAll('/etc/ssl', folder)
      .replace(/}\s*$/, () => `${ofMedia.replace('/srv/reelkeep/media', t.app.config.mediaFolder)}}`);
    const plain = ownHost.replace('listen 443 ssl', `listen 127.0.0.1:${ports.http}`).replace(/^.*ssl_certificate.*$/gm, '');
    nginx = await startNginx(
      folder,
      `${plain.replace('tube.example.org', 'plain.example.org')}
       ${secure}
       ${plain.replace('tube.example.org', 'below.example.org').replace(/location \/ \{[\s\S]*?\n {2}\}/, () => belowPath)}`,
    );
    for (let tries = 0; ; tries++) {
      const health = await sendRequest({ host: 'plain.example.org' }, '/api/health/').catch(() => null);
      if (health?.status === 200) break;
      if (tries > 600) throw new Error(`nginx did not start: ${nginx.output.text}`);
      await wait(100);
    }
  });
  afterAll(async () => {
    await nginx.stop();
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
      const common = {
        host: '127.0.0.1',
        port,
        path: (site.base ?? '') + path,
        method,
        rejectUnauthorized: false,
        agent: false as const,
      };
      const request = send(
        { ...common, headers: { host: hostOf(site), ...(body && { 'content-type': 'application/json' }), ...headers } },
        resolve,
      );
      request.on('error', reject);
      request.end(file ?? (body && JSON.stringify(body)));
    });
  async function sendRequest(site: Site, path: string, options: Parameters<typeof open>[2] = {}) {
    const response = await open(site, path, options);
    const text = Buffer.concat(await Array.fromAsync(response as AsyncIterable<Buffer>)).toString();
    return { status: response.statusCode, headers: response.headers, text };
  }
  async function login(site: Site) {
    const response = await sendRequest(site, '/api/user/login/', {
      method: 'POST',
      body: { username: user.name, password: user.password },
    });
    expect(response.status).toBe(204);
    const setCookies = response.headers['set-cookie']!;
    const cookie = setCookies.map((one) => one.split(';')[0]).join('; ');
    return { setCookies, headers: { cookie, 'x-csrftoken': /csrftoken=([^;]+)/.exec(cookie)![1]! } };
  }

  test.each(sites)('$host: uploads a large backup', async (site) => {
    const staff = await createUser(t, { isStaff: true });
    const response = await sendRequest(site, '/api/appsettings/backup/ta_backup-20260101-manual.zip/file', {
      method: 'PUT',
      headers: { cookie: staff.headers.cookie, 'x-csrftoken': staff.headers['x-csrftoken'], 'content-type': 'application/zip' },
      file: Buffer.alloc(5_000_000),
    });
    // The request reached the server, which rejects the content.
    expect([response.status, JSON.parse(response.text).error]).toEqual([400, expect.stringMatching(/backup|ZIP/i)]);
  });

  test.each(sites)('$host: loads the page, logs in, changes a setting and logs out', async (site) => {
    const page = await sendRequest(site, '/some/page');
    expect(page.text).toBe(`<base href="${site.base ?? ''}/">`);
    const { setCookies, headers } = await login(site);
    for (const cookie of setCookies) {
      expect(cookie).toMatch(new RegExp(`; Path=${site.base ?? '/'}(;|$)`));
      expect(/; Secure/.test(cookie)).toBe(site.isSecure === true);
    }
    const change = (origin: string) =>
      sendRequest(site, '/api/user/me/', { method: 'POST', headers: { ...headers, origin }, body: { page_size: 20 } });
    expect((await change(originOf(site))).status).toBe(200);
    expect((await change('https://evil.example')).status).toBe(403);
    const out = await sendRequest(site, '/api/user/logout/', { method: 'POST', headers });
    expect(out.headers['set-cookie']![0]).toMatch(new RegExp(`Path=${site.base ?? '/'}(;|$)`));
    expect((await sendRequest(site, '/api/ping/', { headers })).status).toBe(403);
  });

  test.each(sites)('$host: delivers events immediately', async (site) => {
    const { headers } = await login(site);
    const stream = await open(site, '/api/events/', { headers });
    let received = '';
    stream.setEncoding('utf8').on('data', (text: string) => (received += text));
    await wait(200);
    t.app.announce('video');
    for (let tries = 0; tries < 600 && !received.includes('"video"'); tries++) await wait(100);
    stream.destroy();
    expect(received).toMatch(/event: changed\ndata: {"topics":\[.*"video"\]}/);
  });

  test('uses the request id of the proxy and not that of the client', async () => {
    const response = await sendRequest(sites[1]!, '/api/ping/', { headers: { 'x-request-id': 'chosen-by-a-stranger' } });
    expect(response.headers['x-request-id']).toMatch(/^[0-9a-f]{32}$/);
  });

  test('lets nginx send media files, for those who may see them, with the same headers', async () => {
    const site = sites[1]!;
    const { headers } = await login(site);
    const path = `/youtube/${filmUrl}`;
    const expected = (await t.server.inject({ url: path, headers })).headers;
    const { config } = t.app;
    config.sendfile = 'nginx';
    try {
      const all = await sendRequest(site, path, { headers });
      expect([all.status, all.text]).toEqual([200, film]);
      for (const name of [
        'content-type',
        'cache-control',
        'vary',
        'content-security-policy',
        'x-content-type-options',
        'cross-origin-resource-policy',
        'accept-ranges',
      ])
        expect([name, all.headers[name]]).toEqual([name, expected[name]]);
      expect(all.headers['x-accel-redirect']).toBeUndefined();
      const part = await sendRequest(site, `${path}?download`, { headers: { ...headers, range: 'bytes=2-5' } });
      expect([part.status, part.text, part.headers['content-range']]).toEqual([
        206,
        film.slice(2, 6),
        `bytes 2-5/${film.length}`,
      ]);
      expect(part.headers['content-disposition']).toMatch(/^attachment; filename="A film.mp4"/);
      const again = await sendRequest(site, path, { headers: { ...headers, 'if-none-match': all.headers.etag! } });
      expect(again.status).toBe(304);
      expect((await sendRequest(site, path)).status).toBe(403);
      expect((await sendRequest(site, `/reelkeep-media/${filmUrl}`, { headers })).status).toBe(404);
      // Without the proxy the file is sent by the server.
      expect((await t.server.inject({ url: path, headers })).body).toBe(film);
      config.sendfile = 'apache';
      const apache = await t.server.inject({
        url: path,
        headers: { ...headers, 'x-forwarded-for': '10.1.1.1' },
        remoteAddress: '127.0.0.1',
      });
      expect([apache.body, apache.headers['x-sendfile']]).toEqual([
        '',
        Buffer.from(`${config.mediaFolder}/${filmPath}`).toString('latin1'),
      ]);
    } finally {
      config.sendfile = 'off';
    }
  });

  test('serves the API documentation below the base path', async () => {
    const site = sites[2]!;
    const { headers } = await login(site);
    expect((await sendRequest(site, '/api/docs/', { headers })).text).toContain('<base href="/tube/api/docs/" />');
    expect(JSON.parse((await sendRequest(site, '/api/schema/', { headers })).text).servers).toEqual([{ url: '/tube' }]);
  });
});

describe('forwarded headers', () => {
  let t: TestApp;
  beforeAll(async () => {
    t = await testApp({ env: { REELKEEP_TRUSTED_PROXIES: '10.0.0.0/24, fd00::/8' } });
  });
  afterAll(() => t.close());

  const received = {
    'x-forwarded-for': '9.9.9.9',
    'x-forwarded-proto': 'https',
    'x-forwarded-host': 'evil.example',
    'x-forwarded-prefix': '/evil',
    'x-request-id': 'chosen',
  };
  const login = async (remoteAddress: string) => {
    const { name, password } = await createUser(t);
    return t.server.inject({
      method: 'POST',
      url: '/api/user/login/',
      payload: { username: name, password },
      headers: received,
      remoteAddress,
    });
  };

  test.each(['192.168.0.1', '10.0.1.1', '::1', '2001:db8::1'])('are ignored from %s', async (address) => {
    const response = await login(address);
    expect(response.cookies[0]).toMatchObject({ path: '/' });
    expect(response.cookies[0]).not.toHaveProperty('secure');
    expect(response.headers['x-request-id']).not.toBe('chosen');
  });

  test.each(['10.0.0.7', '::ffff:10.0.0.7', 'fd00::1'])('are accepted from the proxy at %s', async (address) => {
    const response = await login(address);
    expect(response.cookies[0]).toMatchObject({ path: '/evil', secure: true });
    expect(response.headers['x-request-id']).toBe('chosen');
  });

  test.each(['/a b', '/..', '/a/../b', '//evil.example', '/..;/x', '/a"><script>', `/${'x'.repeat(60)}`, '/a\\b', 'evil'])(
    'rejects the base path %s even from a trusted proxy',
    async (prefix) => {
      const { name, password } = await createUser(t);
      const response = await t.server.inject({
        method: 'POST',
        url: '/api/user/login/',
        payload: { username: name, password },
        headers: { 'x-forwarded-prefix': prefix },
        remoteAddress: '10.0.0.7',
      });
      expect(response.cookies[0]!.path).toBe('/');
    },
  );
});
