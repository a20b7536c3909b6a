import { queryObjects } from 'node:v8';
import { mkdir, writeFile } from 'node:fs/promises';
import { readdirSync } from 'node:fs';
import { connect } from 'node:net';
import { dirname, join } from 'node:path';
import { request as ask, type IncomingMessage } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createChannel, createUser, createVideo, testApp, type TestApp } from '../test-support/app.ts';
import { createMetrics } from '../platform/observability/metrics.ts';
import { parseRange } from '../platform/http/files/range.ts';
import { createStreamLimits } from '../platform/http/files/stream-limits.ts';

const size = 8_000_000;

describe('floods, slow and disconnecting clients', () => {
  let t: TestApp;
  let user: Awaited<ReturnType<typeof createUser>>;
  let port: number;
  let url: string;
  beforeAll(async () => {
    t = await testApp();
    user = await createUser(t);
    const channelId = await createChannel(t.app.db);
    const mediaPath = `${channelId}/film.mp4`;
    await createVideo(t.app.db, { channelId, mediaPath, sizeBytes: size });
    await mkdir(dirname(join(t.app.config.mediaFolder, mediaPath)), { recursive: true });
    await writeFile(join(t.app.config.mediaFolder, mediaPath), Buffer.alloc(size, 'film'));
    url = `/youtube/${mediaPath}`;
    await t.server.listen({ port: 0, host: '127.0.0.1' });
    ({ port } = t.server.server.address() as { port: number });
  });
  afterAll(() => t.close());

  const open = (path: string, headers: Record<string, string> = {}) =>
    new Promise<IncomingMessage>((resolve, reject) => {
      ask({ port, path, agent: false, headers: { cookie: user.headers.cookie, ...headers } }, resolve)
        .on('error', reject)
        .end();
    });
  const descriptors = () => readdirSync('/proc/self/fd').length;
  const isAlive = async () => expect((await fetch(`http://127.0.0.1:${port}/api/health/`)).status).toBe(200);
  const eventually = async (check: () => void | Promise<void>, ms = 10_000) => {
    for (const until = Date.now() + ms; ;) {
      try {
        return await check();
      } catch (error) {
        if (Date.now() > until) throw error;
        await wait(100);
      }
    }
  };

  const ranges = [
    ...'bytes=0- bytes=0-0 bytes=-1 bytes=-0 bytes=-99999999 bytes=7999999- bytes=8000000- bytes=8000001-8000002 bytes=5-1'.split(
      ' ',
    ),
    ...'bytes=1-5 bytes=0-7999999 bytes=0-8000000 bytes=0-99999999999999999999999 bytes=99999999999999999999- bytes=0-1,3-4'.split(
      ' ',
    ),
    ...'bytes=0-0,-1 bytes=0-,0-,0-,0- bytes= bytes bytes=- bytes=--5 bytes=a-b bytes=0x0-0x5 bytes=1e2- BYTES=0-5 items=0-5'.split(
      ' ',
    ),
    ...'bytes=٣-٥ bytes=+1-5 bytes=1.5-3 bytes=-1-5 bytes=0--5 bytes=00000000000000000005-7 bytes=0-5;x bytes:0-5 none 0-5'.split(
      ' ',
    ),
    'bytes= 0-5',
    'bytes=0 - 5',
    'bytes=0-5 ',
    'bytes=4294967296-',
    'bytes=-9007199254740993',
    `bytes=${Array.from({ length: 500 }, (_, n) => `${n}-${n}`).join(',')}`,
  ];
  test('every Range header returns the announced length and content', async () => {
    expect(ranges.length).toBeGreaterThanOrEqual(40);
    for (const range of ranges) {
      const reply = await user
        .call('HEAD' as 'GET', url)
        .then(() => t.server.inject({ url, headers: { ...user.headers, range: Buffer.from(range).toString('latin1') } }));
      const parsedRange = parseRange(range, size);
      if (parsedRange === 'none') {
        expect([reply.statusCode, reply.headers['content-range']], range).toEqual([416, `bytes */${size}`]);
        continue;
      }
      const [from, to] = parsedRange === 'all' ? [0, size - 1] : [parsedRange.from, parsedRange.to];
      expect(reply.statusCode, range).toBe(parsedRange === 'all' ? 200 : 206);
      expect(reply.rawPayload.length, range).toBe(to - from + 1);
      expect(Number(reply.headers['content-length']), range).toBe(to - from + 1);
      if (parsedRange !== 'all') expect(reply.headers['content-range']).toBe(`bytes ${from}-${to}/${size}`);
    }
  });

  test('a thousand aborted downloads leave no open files', async () => {
    await open(url).then((reply) => reply.destroy());
    await eventually(() => expect(t.server.streams.active).toBe(0));
    const before = descriptors();
    for (let round = 0; round < 40; round++)
      await Promise.all(
        Array.from({ length: 25 }, async (_, n) => {
          const reply = await open(url, { range: `bytes=${n * 1000}-` });
          expect(reply.statusCode).toBe(206);
          reply.destroy();
        }),
      );
    await eventually(() => expect(t.server.streams.active).toBe(0));
    await eventually(() => expect(descriptors()).toBeLessThanOrEqual(before + 3));
    await isAlive();
  });

  test('limits a user to 64 concurrent files without affecting others', async () => {
    const openStreams = await Promise.all(Array.from({ length: 64 }, () => open(url)));
    expect(openStreams.every((reply) => reply.statusCode === 200)).toBe(true);
    const one = await open(url);
    expect([one.statusCode, one.headers['retry-after']]).toEqual([429, '10']);
    one.resume();
    const other = await createUser(t);
    const streamOfOther = await open(url, { cookie: other.headers.cookie });
    expect(streamOfOther.statusCode).toBe(200);
    for (const reply of [...openStreams, streamOfOther]) reply.destroy();
    await eventually(() => expect(t.server.streams.active).toBe(0));
    const again = await open(url, { range: 'bytes=0-9' });
    expect(again.statusCode).toBe(206);
    again.resume();
  });

  test('disconnects clients that accept no data for too long', async () => {
    const streams = createStreamLimits(createMetrics(), 200);
    let isGone = false;
    const response = {
      socket: { bytesWritten: 5 },
      once: () => response,
      destroy: () => (isGone = true),
    } as unknown as Parameters<typeof streams.begin>[1];
    streams.begin(1, response);
    streams.closeIdle();
    expect(isGone).toBe(false);
    await wait(250);
    streams.closeIdle();
    expect(isGone).toBe(true);
    streams.close();
  });

  test('rejects a ninth event stream, and forgets closed ones', async () => {
    const pages = await Promise.all(Array.from({ length: 8 }, () => open('/api/events/')));
    expect(pages.every((reply) => reply.headers['x-accel-buffering'] === 'no')).toBe(true);
    const ninth = await open('/api/events/');
    expect(ninth.statusCode).toBe(429);
    ninth.resume();
    for (const page of pages) page.destroy();
    await eventually(() => expect(t.app.events.count()).toBe(0));
  });

  /** Sends raw bytes; returns the output until the server closes the connection, and the time. */
  const sendRaw = (writeRequest: (write: (text: string) => void) => void, ms = 120_000) =>
    new Promise<{ output: string; ms: number }>((resolve) => {
      const startedAt = performance.now();
      let output = '';
      const socket = connect(port, '127.0.0.1', () => writeRequest((text) => socket.destroyed || socket.write(text)));
      socket.on('data', (chunk) => (output += chunk.toString('latin1')));
      socket.on('error', () => {});
      socket.on('close', () => resolve({ output, ms: performance.now() - startedAt }));
      setTimeout(() => socket.destroy(), ms).unref();
    });

  test.each([
    ['a backup without a login', 'PUT', '/api/appsettings/backup/ta_backup-20260101-x.zip/file/'],
    ['a question with a body', 'GET', '/api/health/'],
  ])('responds to %s sent byte by byte, and disconnects', async (_, method, path) => {
    const socket = connect(port, '127.0.0.1');
    let output = '';
    let hasEnded = false;
    socket.setEncoding('utf8').on('data', (text: string) => (output += text));
    socket.on('error', () => undefined).on('close', () => (hasEnded = true));
    socket.write(`${method} ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/zip\r\nContent-Length: 100000\r\n\r\n`);
    const dripInterval = setInterval(() => socket.writable && socket.write('x'), 50);
    try {
      await eventually(() => expect(output).toMatch(/^HTTP\/1\.1 (403|200)/));
      await eventually(() => expect(hasEnded).toBe(true), 120_000);
    } finally {
      clearInterval(dripInterval);
      socket.destroy();
    }
  });

  test('disconnects clients with an endless header and serves others', async () => {
    expect(t.server.server.headersTimeout).toBe(15_000);
    t.server.server.headersTimeout = 1000; // shortened for this test
    const slow = Promise.all(
      Array.from({ length: 200 }, () => {
        let timer: NodeJS.Timeout | undefined;
        return sendRaw((write) => {
          write('GET /api/health/ HTTP/1.1\r\nHost: x\r\n');
          timer = setInterval(() => write('X-A: b\r\n'), 200);
        }).finally(() => clearInterval(timer));
      }),
    );
    for (let n = 0; n < 10; n++) await isAlive();
    const ended = await slow;
    t.server.server.headersTimeout = 15_000;
    expect(Math.max(...ended.map((one) => one.ms))).toBeLessThan(100_000);
    for (const { output } of ended) expect(output).toMatch(/^(HTTP\/1\.1 408|$)/);
  });

  test.each([
    ['more headers than anybody sends', `${'X-A: b\r\n'.repeat(150)}`, /^HTTP\/1\.1 431/],
    ['a header of 20 kB', `X-A: ${'b'.repeat(20_000)}\r\n`, /^HTTP\/1\.1 431/],
    ['a length and chunks', 'Content-Length: 3\r\nTransfer-Encoding: chunked\r\n', /^HTTP\/1\.1 400/],
    ['two lengths', 'Content-Length: 3\r\nContent-Length: 4\r\n', /^HTTP\/1\.1 400/],
    ['a line feed inside', 'X-A: b\nX-B: c\r\nX C: d\r\n', /^HTTP\/1\.1 400/],
    ['a space before the colon', 'Cookie : sessionid=x\r\n', /^HTTP\/1\.1 400/],
  ])('rejects %s', async (_, headers, reply) => {
    const { output } = await sendRaw(
      (write) => write(`GET /api/health/ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${headers}\r\n`),
      3000,
    );
    expect(output).toMatch(reply);
    await isAlive();
  });

  test('checks at most twenty of a thousand password guesses', async () => {
    const owner = await createUser(t, { name: 'Vera', password: 'her own words' });
    const sendGuess = (from: string, password: string, username = 'Vera') =>
      t.server.inject({ method: 'POST', url: '/api/user/login/', payload: { username, password }, remoteAddress: from });
    const counts = new Map<number, number>();
    const responses = await Promise.all(Array.from({ length: 1000 }, (_, n) => sendGuess('10.2.0.1', `guess ${n}`)));
    for (const { statusCode } of responses) counts.set(statusCode, (counts.get(statusCode) ?? 0) + 1);
    expect(counts.get(400)).toBeLessThanOrEqual(20);
    expect(counts.get(429)).toBeGreaterThanOrEqual(980);
    // An IPv6 subnet has more addresses than there are guesses.
    const many = await Promise.all(
      Array.from({ length: 100 }, (_, n) => sendGuess(`2001:db8:1:2::${n.toString(16)}`, `guess ${n}`)),
    );
    expect(many.filter(({ statusCode }) => statusCode === 400).length).toBeLessThanOrEqual(20);
    // The owner can still log in, from a known address or another one.
    expect((await sendGuess('127.0.0.1', owner.password)).statusCode).toBe(204);
    expect((await sendGuess('10.2.0.99', owner.password)).statusCode).toBe(204);
  });

  test('checks at most a hundred guesses from many addresses, and the owner can log in from a known address', async () => {
    await createUser(t, { name: 'Nora', password: 'her own words' });
    const sendGuess = (from: string, password: string) =>
      t.server.inject({ method: 'POST', url: '/api/user/login/', payload: { username: 'Nora', password }, remoteAddress: from });
    expect((await sendGuess('10.3.255.1', 'her own words')).statusCode).toBe(204);
    const responses: number[] = [];
    for (let n = 0; n < 130; n++) responses.push((await sendGuess(`10.3.0.${n}`, `guess ${n}`)).statusCode);
    expect(responses.filter((status) => status === 400).length).toBeLessThanOrEqual(100);
    expect(responses.at(-1)).toBe(429);
    expect((await sendGuess('10.3.255.1', 'her own words')).statusCode).toBe(204);
    // From a new address the limit applies to the owner too; docs/security.md explains why.
    expect((await sendGuess('10.3.255.2', 'her own words')).statusCode).toBe(429);
  });

  test('the owner can log in from the address of an existing session, also after a restart', async () => {
    const owner = await createUser(t, { name: 'Olga', password: 'her own words' });
    const sendGuess = (from: string, password: string) =>
      t.server.inject({ method: 'POST', url: '/api/user/login/', payload: { username: 'Olga', password }, remoteAddress: from });
    // The session is older than the start, so no login was counted from its address.
    await t.app.db.updateTable('session').set({ address: '2001:db8:9:9::1' }).where('accountId', '=', owner.id).execute();
    for (let n = 0; n < 101; n++) await sendGuess(`10.4.0.${n}`, `guess ${n}`);
    expect((await sendGuess('10.4.1.1', 'her own words')).statusCode).toBe(429);
    expect((await sendGuess('2001:db8:9:9::2', 'a slip')).statusCode).toBe(400);
    expect((await sendGuess('2001:db8:9:9::3', 'her own words')).statusCode).toBe(204);
    expect((await sendGuess('10.4.1.1', 'her own words')).statusCode).toBe(429);
  });

  test('stores no record of user names tried from a limited address', async () => {
    const { default: Record } = (await import(record)) as { default: new () => object };
    const sendGuess = (username: string) =>
      t.server.inject({
        method: 'POST',
        url: '/api/user/login/',
        payload: { username, password: 'a guess' },
        remoteAddress: '10.5.0.1',
      });
    for (let n = 0; n < 31; n++) await sendGuess(`nobody ${n}`);
    expect((await sendGuess('nobody')).statusCode).toBe(429);
    const before = queryObjects(Record, { format: 'count' });
    for (let n = 0; n < 300; n++) expect((await sendGuess(`nobody in particular ${n}`)).statusCode).toBe(429);
    expect(queryObjects(Record, { format: 'count' })).toBeLessThanOrEqual(before);
  });
});

/** Class of the limiter's record of one key. */
const record = 'rate-limiter-flexible/lib/component/MemoryStorage/Record.js';
