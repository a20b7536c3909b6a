import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aUser, aVideo, testArchive, type TestArchive } from '../testing.ts';

const always = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'x-frame-options': 'DENY',
  'permissions-policy': expect.stringContaining('camera=()'),
};
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "media-src 'self' blob:",
  "connect-src 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "object-src 'none'",
  "require-trusted-types-for 'script'",
];

describe('what goes with every answer', () => {
  let t: TestArchive;
  let webFolder: string;
  let user: Awaited<ReturnType<typeof aUser>>;
  beforeAll(async () => {
    webFolder = await mkdtemp(join(tmpdir(), 'reelkeep-web-'));
    await mkdir(join(webFolder, 'assets'));
    await writeFile(join(webFolder, 'index.html'), '<base href="/">');
    await writeFile(join(webFolder, 'assets/a.js'), '1');
    t = await testArchive({ around: { webFolder }, env: { REELKEEP_HSTS: 'on', REELKEEP_TRUSTED_PROXIES: '10.9.9.9' } });
    user = await aUser(t, { isStaff: true });
  });
  afterAll(async () => {
    await t.close();
    await rm(webFolder, { recursive: true });
  });

  test('the same set on every route there is, for strangers and for who is logged in', async () => {
    const paths = new Set(t.app.everyRoute.map(({ url }) => url.replace(/:first/, 'n').replace(/:\w+|\*$/g, 'nothing0000')));
    for (const url of [
      ...paths,
      '/',
      '/video/abc',
      '/api/unknown/',
      '/assets/a.js',
      '/assets/b.js',
      '/api/video/%ff',
      '/%',
      `/api/video/${'x'.repeat(400)}/`,
    ])
      for (const headers of [{}, user.headers]) {
        if (url === '/api/events/' && headers === user.headers) continue;
        const answer = await t.app.inject({ url, headers });
        expect(answer.headers, url).toMatchObject(always);
        const type = String(answer.headers['content-type'] ?? '');
        if (answer.body !== '')
          expect(type, url).toMatch(/^(text\/.+|application\/(json|javascript|manifest\+json)); charset=utf-8$/);
        const given = String(answer.headers['content-security-policy']);
        if (answer.headers['content-type']?.toString().startsWith('text/html') && !url.startsWith('/api/docs'))
          for (const rule of policy) expect(given, url).toContain(rule);
        else expect(given, url).toMatch(/default-src 'none'/);
        expect(given, url).not.toMatch(/unsafe-eval|script-src[^;]*unsafe-inline/);
        if (url.startsWith('/api/')) expect(answer.headers['cache-control'], url).toBe('no-store');
        expect(answer.headers['x-powered-by'], url).toBeUndefined();
        expect(answer.headers['strict-transport-security'], url).toBeUndefined();
      }
  });

  test('the start is told, and the request named', async () => {
    const answers = await Promise.all(['/api/health/', '/', '/api/ping/'].map((url) => t.app.inject({ url })));
    for (const answer of answers) expect(answer.headers['x-start-timestamp']).toBe('1790000000');
    expect(new Set(answers.map((answer) => answer.headers['x-request-id'])).size).toBe(3);
    for (const word of ['Accept', 'Origin', 'Cookie', 'Authorization']) expect(answers[2]!.headers.vary).toContain(word);
  });

  test('https alone is asked for when the setting says so and the request came that way', async () => {
    const answer = await t.app.inject({ url: '/', headers: { 'x-forwarded-proto': 'https' }, remoteAddress: '10.9.9.9' });
    expect(answer.headers['strict-transport-security']).toBe('max-age=31536000');
    const liar = await t.app.inject({ url: '/', headers: { 'x-forwarded-proto': 'https' }, remoteAddress: '10.9.9.8' });
    expect(liar.headers['strict-transport-security']).toBeUndefined();
  });

  test('TRACE and methods that nobody knows are answered with nothing of what was sent', async () => {
    await t.app.listen({ port: 0, host: '127.0.0.1' });
    const { port } = t.app.server.address() as { port: number };
    for (const method of ['TRACE', 'TRACK', 'CONNECT', 'PROPFIND', 'DEBUG'])
      for (const path of ['/', '/api/ping/']) {
        const said = await new Promise<string>((resolve) => {
          let words = '';
          const socket = connect(port, '127.0.0.1', () =>
            socket.write(`${method} ${path} HTTP/1.1\r\nHost: x\r\nCookie: sessionid=canary\r\nConnection: close\r\n\r\n`),
          );
          socket.setEncoding('latin1').on('data', (piece: string) => (words += piece));
          socket.on('close', () => resolve(words)).on('error', () => resolve(words));
        });
        expect(said, method).toMatch(/^(HTTP\/1\.1 4|$)/);
        expect(said, method).not.toContain('canary');
      }
  });

  test.each([
    '/.git/config',
    '/.env',
    '/package.json',
    '/server/main.ts',
    '/assets/../index.html',
    '/data/secret.key',
    '/assets/',
  ])('what stands beside the app is not to be had at %s', async (url) => {
    const answer = await t.app.inject({ url });
    expect([answer.statusCode, answer.body]).toEqual(
      answer.statusCode === 200 ? [200, '<base href="/">'] : [404, '{"error":"path not found"}'],
    );
  });

  test('files: a sandbox around each, and only by whoever may', async () => {
    const id = await aVideo(t.archive.db);
    const path = join(t.archive.config.cacheFolder, 'videos', id[0]!, `${id}.jpg`);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, 'not really');
    const answer = await user.call('GET', `/cache/videos/${id[0]}/${id}.jpg`);
    expect(answer.statusCode).toBe(200);
    expect(answer.headers).toMatchObject({
      ...always,
      'content-security-policy': "sandbox; default-src 'none'",
      'cache-control': 'private, max-age=3600',
      vary: expect.stringMatching(/Cookie.*Authorization/),
    });
  });

  test('after a logout the browser keeps none of the pictures; other programs of the host keep their cookies', async () => {
    const other = await aUser(t);
    const answer = await other.call('POST', '/api/user/logout/');
    expect(answer.headers['clear-site-data']).toBe('"cache"');
    expect(answer.cookies.filter(({ value }) => value === '').map(({ name }) => name)).toEqual(['sessionid', 'csrftoken']);
  });

  test('the extension may ask, other pages may not', async () => {
    const preflight = (origin: string) =>
      t.app.inject({
        method: 'OPTIONS',
        url: '/api/download/',
        headers: {
          origin,
          'access-control-request-method': 'POST',
          'access-control-request-headers': 'authorization,content-type,mode',
        },
      });
    for (const origin of ['moz-extension://1-2-3', 'chrome-extension://abc']) {
      const answer = await preflight(origin);
      expect([answer.statusCode, answer.body]).toEqual([200, '']);
      expect(answer.headers).toMatchObject({
        ...always,
        'access-control-allow-origin': origin,
        'access-control-allow-credentials': 'true',
        'access-control-max-age': '86400',
        'access-control-allow-headers': 'authorization, content-type, accept, x-csrftoken, x-requested-with, mode',
        'access-control-allow-methods': 'DELETE, GET, OPTIONS, PATCH, POST, PUT',
      });
      const real = await t.app.inject({ url: '/api/health/', headers: { origin } });
      expect(real.headers['access-control-expose-headers']).toContain('X-Start-Timestamp');
      expect([answer, real].map(({ headers }) => String(headers.vary))).toEqual([
        expect.stringContaining('Origin'),
        expect.stringContaining('Origin'),
      ]);
    }
    for (const origin of ['https://evil.example', 'null', 'https://moz-extension.evil', 'http://localhost:80'])
      expect((await preflight(origin)).headers['access-control-allow-origin'], origin).toBeUndefined();
  });
});
