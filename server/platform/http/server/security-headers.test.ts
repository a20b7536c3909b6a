import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createUser, createVideo, testApp, type TestApp } from '../../../test-support/app.ts';

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
  'trusted-types reelkeep-worker',
];

describe('security headers', () => {
  let t: TestApp;
  let webFolder: string;
  let user: Awaited<ReturnType<typeof createUser>>;
  beforeAll(async () => {
    webFolder = await mkdtemp(join(tmpdir(), 'reelkeep-web-'));
    await mkdir(join(webFolder, 'assets'));
    await writeFile(join(webFolder, 'index.html'), '<base href="/">');
    await writeFile(join(webFolder, 'assets/a.js'), '1');
    t = await testApp({ serverOptions: { webFolder }, env: { REELKEEP_HSTS: 'on', REELKEEP_TRUSTED_PROXIES: '10.9.9.9' } });
    user = await createUser(t, { isStaff: true });
  });
  afterAll(async () => {
    await t.close();
    await rm(webFolder, { recursive: true });
  });

  test('are the same on every route, with and without a login', async () => {
    const paths = new Set(t.server.allRoutes.map(({ url }) => url.replace(/:first/, 'n').replace(/:\w+|\*$/g, 'nothing0000')));
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
        const response = await t.server.inject({ url, headers });
        expect(response.headers, url).toMatchObject(always);
        const type = String(response.headers['content-type'] ?? '');
        if (response.body !== '')
          expect(type, url).toMatch(
            /^((text\/.+|application\/(json|javascript|manifest\+json)); charset=utf-8|application\/zip)$/,
          );
        const policyHeader = String(response.headers['content-security-policy']);
        if (response.headers['content-type']?.toString().startsWith('text/html') && !url.startsWith('/api/docs'))
          for (const rule of policy) expect(policyHeader, url).toContain(rule);
        else expect(policyHeader, url).toMatch(/default-src 'none'/);
        expect(policyHeader, url).not.toMatch(/unsafe-eval|script-src[^;]*unsafe-inline/);
        if (url.startsWith('/api/')) expect(response.headers['cache-control'], url).toBe('no-store');
        expect(response.headers['x-powered-by'], url).toBeUndefined();
        expect(response.headers['strict-transport-security'], url).toBeUndefined();
      }
  });

  test('allow the inline script of the page by its hash, and no other', async () => {
    await writeFile(join(webFolder, 'index.html'), '<base href="/"><script>theme()</script><script src="a.js"></script>');
    const other = await testApp({ serverOptions: { webFolder } });
    try {
      const { headers } = await other.server.inject({ url: '/' });
      const hash = createHash('sha256').update('theme()').digest('base64');
      expect(headers['content-security-policy']).toContain(`script-src 'self' 'sha256-${hash}';`);
      expect((await other.server.inject({ url: '/api/ping/' })).headers['content-security-policy']).not.toContain('sha256');
    } finally {
      await other.close();
      await writeFile(join(webFolder, 'index.html'), '<base href="/">');
    }
  });

  test('include the start time and the request id', async () => {
    const responses = await Promise.all(['/api/health/', '/', '/api/ping/'].map((url) => t.server.inject({ url })));
    for (const response of responses) expect(response.headers['x-start-timestamp']).toBe('1790000000');
    expect(new Set(responses.map((response) => response.headers['x-request-id'])).size).toBe(3);
    for (const word of ['Accept', 'Origin', 'Cookie', 'Authorization']) expect(responses[2]!.headers.vary).toContain(word);
  });

  test('include HSTS if configured and the request came by https', async () => {
    const response = await t.server.inject({ url: '/', headers: { 'x-forwarded-proto': 'https' }, remoteAddress: '10.9.9.9' });
    expect(response.headers['strict-transport-security']).toBe('max-age=31536000');
    const untrusted = await t.server.inject({ url: '/', headers: { 'x-forwarded-proto': 'https' }, remoteAddress: '10.9.9.8' });
    expect(untrusted.headers['strict-transport-security']).toBeUndefined();
  });

  describe('on a real connection', () => {
    let port: number;
    beforeAll(async () => {
      await t.server.listen({ port: 0, host: '127.0.0.1' });
      ({ port } = t.server.server.address() as { port: number });
    });
    const sendRequest = (target: string, headers = 'Host: x\r\n') =>
      new Promise<string>((resolve) => {
        let output = '';
        const socket = connect(port, '127.0.0.1', () =>
          socket.write(`${target} HTTP/1.1\r\n${headers}Cookie: sessionid=canary\r\nConnection: close\r\n\r\n`),
        );
        socket.setEncoding('latin1').on('data', (chunk: string) => (output += chunk));
        socket.on('close', () => resolve(output)).on('error', () => resolve(output));
      });

    test('never echoes a request with TRACE or an unknown method', async () => {
      for (const method of ['TRACE', 'TRACK', 'CONNECT', 'PROPFIND', 'DEBUG'])
        for (const path of ['/', '/api/ping/']) {
          const output = await sendRequest(`${method} ${path}`);
          expect(output, method).toMatch(/^(HTTP\/1\.1 4|$)/);
          expect(output, method).not.toContain('canary');
        }
    });

    test('returns 405 for TRACE', async () => {
      for (const path of ['/', '/api/ping/'])
        expect(await sendRequest(`TRACE ${path}`)).toMatch(/^HTTP\/1\.1 405 .*\r\nallow: GET, /is);
    });

    test('sends no-store for a request target with a host as well', async () => {
      for (const target of ['http://x/api/health/', 'HTTPS://x:8000/api/health/', 'http://x/api/video/'])
        expect(await sendRequest(`GET ${target}`), target).toMatch(/^HTTP\/1\.1 (200|403) .*\r\ncache-control: no-store\r\n/is);
    });

    test('rejects a request with two Host headers', async () => {
      expect(await sendRequest('GET /api/health/', 'Host: x\r\nhost: y\r\n')).toMatch(
        /^HTTP\/1\.1 400 .*The request has more than one Host header/s,
      );
      expect(await sendRequest('GET /api/health/')).toMatch(/^HTTP\/1\.1 200 /);
    });
  });

  test.each([
    '/.git/config',
    '/.env',
    '/package.json',
    '/server/main.ts',
    '/assets/../index.html',
    '/data/secret.key',
    '/assets/',
  ])('does not serve files next to the app at %s', async (url) => {
    const response = await t.server.inject({ url });
    expect([response.statusCode, response.body]).toEqual(
      response.statusCode === 200
        ? [200, '<base href="/">']
        : [404, '{"error":"path not found","messages":[{"id":"error.path"}]}'],
    );
  });

  test('files have a sandbox policy and require authorization', async () => {
    const id = await createVideo(t.app.db);
    const path = join(t.app.config.cacheFolder, 'videos', id[0]!, `${id}.jpg`);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, 'not really');
    const response = await user.call('GET', `/cache/videos/${id[0]}/${id}.jpg`);
    expect(response.statusCode).toBe(200);
    expect(response.headers).toMatchObject({
      ...always,
      'content-security-policy': "sandbox; default-src 'none'",
      'cache-control': 'private, max-age=3600',
      vary: expect.stringMatching(/Cookie.*Authorization/),
    });
  });

  test('logout clears the cache but not the cookies of other programs on the host', async () => {
    const other = await createUser(t);
    const response = await other.call('POST', '/api/user/logout/');
    expect(response.headers['clear-site-data']).toBe('"cache"');
    expect(response.cookies.filter(({ value }) => value === '').map(({ name }) => name)).toEqual(['sessionid', 'csrftoken']);
  });

  test('returns a JSON description of the path for OPTIONS', async () => {
    const [user, staff] = [await createUser(t), await createUser(t, { isStaff: true })];
    const options = (url: string, headers: Record<string, string> = {}) => t.server.inject({ method: 'OPTIONS', url, headers });
    const response = await options('/api/video/nothing0000/', user.headers);
    expect([response.statusCode, response.headers['content-type'], response.headers.allow]).toEqual([
      200,
      'application/json; charset=utf-8',
      'GET, HEAD, DELETE, OPTIONS',
    ]);
    expect(response.json()).toMatchObject({
      name: 'video/{id}/',
      description: expect.stringContaining('GET: Get a video'),
      renders: ['application/json'],
      parses: ['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data'],
    });
    expect((await options('/api/video/nothing0000')).json()).toMatchObject({
      detail: 'Authentication credentials were not provided.',
    });
    expect((await options('/api/download/', user.headers)).statusCode).toBe(403);
    expect((await options('/api/download/', staff.headers)).statusCode).toBe(200);
    expect((await options('/api/user/login/')).statusCode).toBe(200);
    expect((await options('/api/nothing/', staff.headers)).json()).toMatchObject({ error: 'path not found' });
    // Pages of other origins cannot read it.
    const foreign = await options('/api/user/login/', { origin: 'https://evil.example' });
    expect(foreign.headers['access-control-allow-origin']).toBeUndefined();
  });

  test('allows the browser extension and no other origin', async () => {
    const preflight = (origin: string) =>
      t.server.inject({
        method: 'OPTIONS',
        url: '/api/download/',
        headers: {
          origin,
          'access-control-request-method': 'POST',
          'access-control-request-headers': 'authorization,content-type,mode',
        },
      });
    for (const origin of ['moz-extension://1-2-3', 'chrome-extension://abc']) {
      const response = await preflight(origin);
      expect([response.statusCode, response.body]).toEqual([200, '']);
      expect(response.headers).toMatchObject({
        ...always,
        'access-control-allow-origin': origin,
        'access-control-allow-credentials': 'true',
        'access-control-max-age': '86400',
        'access-control-allow-headers': 'authorization, content-type, accept, x-csrftoken, x-requested-with, mode',
        'access-control-allow-methods': 'DELETE, GET, OPTIONS, PATCH, POST, PUT',
      });
      const actual = await t.server.inject({ url: '/api/health/', headers: { origin } });
      expect(actual.headers['access-control-expose-headers']).toContain('X-Start-Timestamp');
      expect([response, actual].map(({ headers }) => String(headers.vary))).toEqual([
        expect.stringContaining('Origin'),
        expect.stringContaining('Origin'),
      ]);
    }
    for (const origin of ['https://evil.example', 'null', 'https://moz-extension.evil', 'http://localhost:80'])
      expect((await preflight(origin)).headers['access-control-allow-origin'], origin).toBeUndefined();
  });
});

describe('DISABLE_CORS', () => {
  const corsHeadersFor = async (DISABLE_CORS: string, origin: string, path = '/api/appsettings/token/') => {
    const t = await testApp({ env: { DISABLE_CORS } });
    try {
      const user = await createUser(t);
      const [actual, preflight] = await Promise.all([
        t.server.inject({ url: path, headers: { ...user.headers, origin, 'sec-fetch-site': 'cross-site' } }),
        t.server.inject({ method: 'OPTIONS', url: path, headers: { origin, 'access-control-request-method': 'GET' } }),
      ]);
      return [actual, preflight].map(({ headers }) => [
        headers['access-control-allow-origin'],
        headers['access-control-allow-credentials'],
      ]);
    } finally {
      await t.close();
    }
  };
  const bothResponses = (...headers: (string | undefined)[]) => [headers, headers];

  test.each(['*', 'on'])('%s allows requests from any origin, without cookies', async (value) => {
    expect(await corsHeadersFor(value, 'http://evil.example')).toEqual(bothResponses('*', undefined));
    expect(await corsHeadersFor(value, 'moz-extension://1-2-3')).toEqual(bothResponses('moz-extension://1-2-3', 'true'));
  });

  test('as a list allows requests from exactly these origins, with cookies', async () => {
    const list = 'https://pages.example, http://nas:8080';
    expect(await corsHeadersFor(list, 'https://pages.example')).toEqual(bothResponses('https://pages.example', 'true'));
    for (const origin of ['http://pages.example', 'https://pages.example.evil', 'http://nas', 'null'])
      expect(
        (await corsHeadersFor(list, origin)).map(([allowed]) => allowed),
        origin,
      ).toEqual([undefined, undefined]);
  });
});
