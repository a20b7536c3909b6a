import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { api } from '#contract/api.ts';
import { createChannel, createUser, createVideo, engines, testApp, type TestApp } from '../test-support/app.ts';
import { attachmentHeader } from '../platform/http/files/files.ts';
import { depthOf } from '../platform/http/body-parsers.ts';

const calls = Object.keys(api).map((name) => name.split(' ') as [Method, string]);
type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
const slow = /checks|ytdlp|cookie/; // these run programs; their input is tested elsewhere
const withParams = calls.filter(([, path]) => path.includes(':'));

describe.each(engines)('hostile requests, on $engine', (on) => {
  let t: TestApp;
  let staff: Awaited<ReturnType<typeof createUser>>;
  beforeAll(async () => {
    t = await testApp({ on });
    staff = await createUser(t, { isStaff: true });
    await writeFile(join(t.folder, 'secret.key'), 'not for anybody');
    await mkdir(join(t.app.config.mediaFolder, 'UCa'), { recursive: true });
  });
  afterAll(() => t.close());

  const isAlive = async () => expect((await staff.call('GET', '/api/health/')).json()).toBe('OK');
  const send = (method: Method, url: string, payload?: object | string) => staff.call(method, url, payload);

  const needsSecret = /\/:secret\/|^\/m3u\//;
  const oddValues = [
    ...'%00 %0a a%0d%0aSet-Cookie:%20x=1 %F0%9F%98%80 %25 %22%27%60 %E2%80%AE %ED%A0%80 %ff % %u0041 .. . %2e%2e %20 %09 * %3f %23'.split(
      ' ',
    ),
    ...'..%2f..%2fetc%2fpasswd ..%5c..%5cwindows a%27%20or%201=1-- %3Cscript%3E -rf --exec __proto__ constructor toString'.split(
      ' ',
    ),
    ...'null undefined NaN 0 -1 1e309 @name @%C3%A9 TA_playlist_ UC {} []'.split(' '),
    ...[199, 201, 301, 10_000].map((length) => 'x'.repeat(length)),
  ];

  test('an invalid id is not found and causes no error in any endpoint', async () => {
    for (const [method, path] of withParams) {
      if (slow.test(path)) continue;
      for (const id of oddValues) {
        const response = await send(method, path.replace(/:\w+/, id), method === 'GET' || method === 'DELETE' ? undefined : {});
        // Lists of unknown ids are empty, and deleting unknown ids succeeds.
        expect(
          [
            200,
            204,
            400,
            404,
            ...(/^(\.|%2e)/i.test(id) ? [405] : []),
            // Without a valid secret in the address, access is denied.
            ...(needsSecret.test(path) ? [403] : []),
            // JSON is no file.
            ...(path.includes('/upload/') ? [415] : []),
          ],
          `${method} ${path} ${id.slice(0, 40)} → ${response.statusCode}`,
        ).toContain(response.statusCode);
        if (method === 'GET' && /%00|%0a|%ED|%ff$|x{201}/.test(id))
          expect([400, 404, ...(needsSecret.test(path) ? [403] : [])]).toContain(response.statusCode);
      }
    }
    await isAlive();
  });

  test.each(['x', '-1', '1.5', '1e3', '1e309', '9'.repeat(400), '0x10', '٣', '1,2', '%00', '[]', 'NaN', 'Infinity', '10000001'])(
    'page %s is rejected with a message on every list',
    async (page) => {
      for (const list of ['video', 'channel', 'playlist', 'download']) {
        const response = await send('GET', `/api/${list}/?page=${page}`);
        expect([response.statusCode, typeof response.json().error], `${list} ${page}`).toEqual([400, 'string']);
      }
    },
  );

  test('the highest page is empty; repeated and unknown parameters are harmless', async () => {
    expect((await send('GET', '/api/video/?page=10000000')).json()).toMatchObject({ data: [], paginate: { total_hits: 0 } });
    for (const [query, status] of [
      ['page=1&page=x', 400],
      ['__proto__=1&constructor=2&prototype[x]=3', 200],
      ['a[b][c]=1', 200],
      ['&&&=&=', 200],
      ['sort=views&sort=;drop', 400],
      [`q=${'a'.repeat(5000)}`, 200],
      ['%=%', 200],
      ['page=%00', 400],
      ['channel=%00', 400],
    ] as const)
      expect((await send('GET', `/api/video/?${query}`)).statusCode, query).toBe(status);
    expect(({} as Record<string, unknown>)['x']).toBeUndefined();
    await isAlive();
  });

  const bodies: [string, string][] = [
    ['10,000 lists in each other', `${'['.repeat(10_000)}${']'.repeat(10_000)}`],
    ['10,000 objects in each other', `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`],
    ['a list that never ends', '['.repeat(100_000)],
    ['a NUL', '{"data":[{"youtube_id":"a\\u0000b"}],"username":"a\\u0000","id":"\\u0000","playlist_name":"\\u0000x"}'],
    ['lone surrogates', '{"data":[{"youtube_id":"\\ud800"}],"id":"\\udfff","username":"\\ud800","password":"\\ud800"}'],
    ['__proto__', '{"__proto__":{"polluted":1},"data":[]}'],
    ['__proto__ inside', '{"data":[{"__proto__":{"polluted":1}}],"downloads":{"__proto__":{"polluted":1}}}'],
    ['constructor.prototype', '{"constructor":{"prototype":{"polluted":1}}}'],
    ['prototype', '{"prototype":{"polluted":1},"downloads":{"prototype":1},"config":{"prototype":1}}'],
    ['doubled keys', '{"data":[],"data":[1],"is_watched":true,"is_watched":"no"}'],
    ['a byte order mark', '\uFEFF{}'],
    ['huge numbers', '{"position":1e400,"page_size":-1e400,"since":9007199254740993}'],
    ['a text', '"text"'],
    ['null', 'null'],
    ['a number', '7'],
    ['a list', '[1,2]'],
    ['nonsense', '{]'],
    ['nothing at all', ''],
  ];
  test.each(bodies)('a body with %s is rejected or harmless in every endpoint', async (name, body) => {
    for (const [method, path] of calls) {
      if (
        method === 'GET' ||
        method === 'DELETE' ||
        slow.test(path) ||
        /login|logout|password|by-name|manual-import|rescan/.test(path)
      )
        continue;
      const response = await send(method, path.replace(/:\w+/g, 'nothing0000'), body);
      expect(response.statusCode, `${method} ${path} ${name}: ${response.body.slice(0, 200)}`).toBeLessThan(500);
      if (/10,000|never ends|NUL|__proto__|constructor/.test(name)) expect(response.statusCode, `${method} ${path}`).toBe(400);
      if (/10,000|never ends/.test(name)) expect(response.json().error).toMatch(/nested deeper/);
    }
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
    expect(Object.keys(Object.prototype)).toEqual([]);
    await isAlive();
  });

  test('rejects a body of 1 MB and one byte in every endpoint', async () => {
    const body = JSON.stringify({ x: 'x'.repeat(1024 * 1024 + 1 - 8) });
    expect(body.length).toBe(1024 * 1024 + 1);
    for (const [method, path] of calls)
      if (!['GET', 'DELETE'].includes(method) && !path.includes('by-name'))
        expect((await send(method, path.replace(/:\w+/g, 'nothing0000'), body)).statusCode, path).toBe(413);
    expect((await send('POST', '/api/user/me/', body.replace('x', ''))).statusCode).toBe(200);
  });

  test.each(['text/plain', 'application/xml', 'text/html', 'application/json5', ''])(
    'does not read a body of type %s',
    async (type) => {
      const response = await t.server.inject({
        method: 'POST',
        url: '/api/user/me/',
        headers: { ...staff.headers, 'content-type': type },
        payload: '{"page_size": 77}',
      });
      expect(response.statusCode).toBe(415);
      expect((await send('GET', '/api/user/me/')).json().page_size).not.toBe(77);
    },
  );

  // Independent of the database.
  test.runIf(on.engine === 'sqlite')('rejects 500 forms of path traversal', async () => {
    const parentForms = [
      '..',
      '%2e%2e',
      '.%2e',
      '%2e.',
      '..;',
      '%252e%252e',
      '%c0%ae%c0%ae',
      '..%00',
      '....',
      '%2e%2e%20',
      '．．',
      '%uff0e%uff0e',
    ];
    const separators = ['/', '%2f', '\\', '%5c', '//', '%252f', '/./', '%c0%af'];
    const targets = ['secret.key', 'reelkeep.db', 'etc/passwd', 'etc%2fpasswd', 'reelkeep.db%00.jpg', 'secret.key%00.mp4'];
    const ways = parentForms.flatMap((one) =>
      separators.flatMap((slash) => targets.map((target) => `${`${one}${slash}`.repeat(3)}${target}`)),
    );
    expect(ways.length).toBeGreaterThan(500);
    const roots = [
      '/youtube/',
      '/media/',
      '/cache/',
      '/youtube/UCa/',
      '/cache/videos/a/',
      '/cache/channels/',
      '/cache/renditions/x/',
      '/assets/',
    ];
    // Each form with three folders; neighbouring forms, which differ only in the target, with others.
    for (const [place, way] of ways.entries())
      for (const root of [0, 3, 5].map((step) => roots[(place + step) % roots.length]!)) {
        const response = await send('GET', root + encodeURI(way).replaceAll('%25', '%'));
        expect([400, 404], root + way).toContain(response.statusCode);
        expect(response.body).not.toContain('not for anybody');
      }
    await isAlive();
  });

  test('random requests cause no server error', async () => {
    const paths = calls.filter(([, path]) => !slow.test(path)).map(([, path]) => path);
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...paths),
        fc.constantFrom<Method>('GET', 'POST', 'PATCH', 'PUT'),
        fc.string({ unit: 'binary', maxLength: 60 }),
        fc.jsonValue({ maxDepth: 4 }),
        async (path, method, id, body) => {
          if (method !== 'GET' && /by-name|by-id|logout|import|rescan|refresh|subscri/.test(path)) return;
          const url = path.replace(/:\w+/g, () => encodeURIComponent(id.toWellFormed() || 'x'));
          const response = await send(method, url, method === 'GET' ? undefined : JSON.stringify(body));
          expect(response.statusCode, `${method} ${url} ${JSON.stringify(body)} ${response.body}`).toBeLessThan(500);
        },
      ),
      { numRuns: 400 },
    );
    await isAlive();
  });

  test('a title cannot inject headers and is the name of the file', async () => {
    const title = 'a\r\nSet-Cookie: x=1\r\n\r\n<script>"quoted" 😀 ../../etc\u202Egpj';
    const id = await createVideo(t.app.db, { title, channelId: await createChannel(t.app.db) });
    const { mediaPath } = await t.app.db.selectFrom('video').select('mediaPath').where('id', '=', id).executeTakeFirstOrThrow();
    await mkdir(dirname(join(t.app.config.mediaFolder, mediaPath)), { recursive: true });
    await writeFile(join(t.app.config.mediaFolder, mediaPath), 'film');
    const response = await send('GET', `/youtube/${mediaPath}?download`);
    expect([response.statusCode, response.headers['set-cookie']]).toEqual([200, undefined]);
    const disposition = String(response.headers['content-disposition']);
    expect(disposition).toMatch(/^attachment; filename="[ !#-~]+"; filename\*=UTF-8''[\w!#$&+.^`|~%-]+$/);
    expect(decodeURIComponent(disposition.split("UTF-8''")[1]!)).toBe('a Set-Cookie x=1 script quoted 😀 .. .. etc gpj.mp4');
  });

  test('every endpoint with an id of user data is tested with an id of another user', () => {
    // server/api-tests/user-data.test.ts, server/features/user/sessions.test.ts,
    // server/features/smart-list/smart-list.test.ts, server/features/podcast/podcast.test.ts, server/features/share/share.test.ts,
    // server/features/video/bulk/bulk.test.ts and
    // server/features/stats/group-by-hour.test.ts contain them; add new endpoints there.
    const personal = calls
      .filter(
        ([, path]) =>
          /progress|watched|bulk\/undo|users?\/|token|stats\/(watch|hours)|api\/(list|podcast|share)\//.test(path) &&
          !/potoken|membership|media-server/.test(path),
      )
      .map((call) => call.join(' '));
    expect(personal.toSorted()).toEqual([
      'DELETE /api/appsettings/token/',
      'DELETE /api/list/:id/',
      'DELETE /api/podcast/:id/',
      'DELETE /api/share/:id/',
      'DELETE /api/user/sessions/',
      'DELETE /api/user/sessions/:id/',
      'DELETE /api/user/tokens/:id/',
      'DELETE /api/users/:id/',
      'DELETE /api/video/:id/progress/',
      'GET /api/appsettings/token/',
      'GET /api/list/',
      'GET /api/list/:id/',
      'GET /api/list/:id/m3u/',
      'GET /api/podcast/',
      'GET /api/podcast/opml/',
      'GET /api/share/',
      'GET /api/stats/hours/',
      'GET /api/stats/watch/',
      'GET /api/user/account/',
      'GET /api/user/confirm/',
      'GET /api/user/login-methods/',
      'GET /api/user/me/',
      'GET /api/user/oidc/',
      'GET /api/user/oidc/callback/',
      'GET /api/user/oidc/reauthenticate/',
      'GET /api/user/sessions/',
      'GET /api/user/tokens/',
      'GET /api/users/',
      'POST /api/list/',
      'POST /api/list/:id/',
      'POST /api/list/:id/visit/',
      'POST /api/podcast/',
      'POST /api/share/',
      'POST /api/share/:secret/open/',
      'POST /api/user/login/',
      'POST /api/user/logout/',
      'POST /api/user/me/',
      'POST /api/user/oidc/link/',
      'POST /api/user/password/',
      'POST /api/user/tokens/',
      'POST /api/user/watch-sharing/',
      'POST /api/users/',
      'POST /api/users/:id/',
      'POST /api/users/:id/password/',
      'POST /api/video/:id/progress/',
      'POST /api/video/bulk/undo/',
      'POST /api/video/bulk/watched/',
      'POST /api/watched/',
    ]);
  });
});

test('any title results in one header line with one file name', () => {
  expect(attachmentHeader(`${'a'.repeat(119)}😀tail`)).toMatch(/filename\*=UTF-8''a{119}%F0%9F%98%80$/);
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (title) => {
      expect(attachmentHeader(title.toWellFormed())).toMatch(
        /^attachment; filename="[ !#-~]+"; filename\*=UTF-8''[\w!#$&+.^`|~%-]+$/,
      );
    }),
  );
});

test('the nesting depth does not depend on the content of strings', () => {
  expect(depthOf('{"a":"[[[[","b":"\\"[[","c":[{"d":"\\\\"}]}')).toBe(3);
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const expectedDepth = (one: unknown): number =>
        typeof one === 'object' && one !== null ? 1 + Math.max(0, ...Object.values(one).map(expectedDepth)) : 0;
      expect(depthOf(JSON.stringify(value))).toBe(expectedDepth(value));
    }),
  );
});
