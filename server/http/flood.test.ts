import { mkdir, writeFile } from 'node:fs/promises';
import { readdirSync } from 'node:fs';
import { connect } from 'node:net';
import { dirname, join } from 'node:path';
import { request as ask, type IncomingMessage } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aChannel, aUser, aVideo, testArchive, type TestArchive } from '../testing.ts';
import { openMeter } from '../meter.ts';
import { rangeOf } from './range.ts';
import { openStreams } from './streams.ts';

const size = 8_000_000;

describe('floods, slow ones and those who go away', () => {
  let t: TestArchive;
  let user: Awaited<ReturnType<typeof aUser>>;
  let port: number;
  let url: string;
  beforeAll(async () => {
    t = await testArchive();
    user = await aUser(t);
    const channelId = await aChannel(t.archive.db);
    const mediaPath = `${channelId}/film.mp4`;
    await aVideo(t.archive.db, { channelId, mediaPath, sizeBytes: size });
    await mkdir(dirname(join(t.archive.config.mediaFolder, mediaPath)), { recursive: true });
    await writeFile(join(t.archive.config.mediaFolder, mediaPath), Buffer.alloc(size, 'film'));
    url = `/youtube/${mediaPath}`;
    await t.app.listen({ port: 0, host: '127.0.0.1' });
    ({ port } = t.app.server.address() as { port: number });
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
  const eventually = async (what: () => void | Promise<void>, ms = 10_000) => {
    for (const until = Date.now() + ms; ;) {
      try {
        return await what();
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
  test('whatever range is asked for, what comes is as long as it says and is that part', async () => {
    expect(ranges.length).toBeGreaterThanOrEqual(40);
    for (const range of ranges) {
      const answer = await user
        .call('HEAD' as 'GET', url)
        .then(() => t.app.inject({ url, headers: { ...user.headers, range: Buffer.from(range).toString('latin1') } }));
      const wanted = rangeOf(range, size);
      if (wanted === 'none') {
        expect([answer.statusCode, answer.headers['content-range']], range).toEqual([416, `bytes */${size}`]);
        continue;
      }
      const [from, to] = wanted === 'all' ? [0, size - 1] : [wanted.from, wanted.to];
      expect(answer.statusCode, range).toBe(wanted === 'all' ? 200 : 206);
      expect(answer.rawPayload.length, range).toBe(to - from + 1);
      expect(Number(answer.headers['content-length']), range).toBe(to - from + 1);
      if (wanted !== 'all') expect(answer.headers['content-range']).toBe(`bytes ${from}-${to}/${size}`);
    }
  });

  test('a thousand who ask for a film and go away leave nothing open', async () => {
    await open(url).then((answer) => answer.destroy());
    await eventually(() => expect(t.app.streams.active).toBe(0));
    const before = descriptors();
    for (let round = 0; round < 40; round++)
      await Promise.all(
        Array.from({ length: 25 }, async (_, n) => {
          const answer = await open(url, { range: `bytes=${n * 1000}-` });
          expect(answer.statusCode).toBe(206);
          answer.destroy();
        }),
      );
    await eventually(() => expect(t.app.streams.active).toBe(0));
    await eventually(() => expect(descriptors()).toBeLessThanOrEqual(before + 3));
    await isAlive();
  });

  test('nobody has more than 64 films at once; others are served meanwhile, and it passes', async () => {
    const held = await Promise.all(Array.from({ length: 64 }, () => open(url)));
    expect(held.every((answer) => answer.statusCode === 200)).toBe(true);
    const one = await open(url);
    expect([one.statusCode, one.headers['retry-after']]).toEqual([429, '10']);
    one.resume();
    const other = await aUser(t);
    const theirs = await open(url, { cookie: other.headers.cookie });
    expect(theirs.statusCode).toBe(200);
    for (const answer of [...held, theirs]) answer.destroy();
    await eventually(() => expect(t.app.streams.active).toBe(0));
    const again = await open(url, { range: 'bytes=0-9' });
    expect(again.statusCode).toBe(206);
    again.resume();
  });

  test('who takes no byte for too long is let go', async () => {
    const streams = openStreams(openMeter(), 200);
    let isGone = false;
    const response = {
      socket: { bytesWritten: 5 },
      once: () => response,
      destroy: () => (isGone = true),
    } as unknown as Parameters<typeof streams.begin>[1];
    streams.begin(1, response, { handedOver: 0 });
    streams.look();
    expect(isGone).toBe(false);
    await wait(250);
    streams.look();
    expect(isGone).toBe(true);
    streams.close();
  });

  test('a ninth page that listens is told to ask instead, and what goes away is forgotten', async () => {
    const pages = await Promise.all(Array.from({ length: 8 }, () => open('/api/events/')));
    expect(pages.every((answer) => answer.headers['x-accel-buffering'] === 'no')).toBe(true);
    const ninth = await open('/api/events/');
    expect(ninth.statusCode).toBe(429);
    ninth.resume();
    for (const page of pages) page.destroy();
    await eventually(() => expect(t.archive.events.count()).toBe(0));
  });

  /** Speaks to the server by hand; answers what it said until it hung up, and after how long. */
  const byHand = (say: (write: (text: string) => void) => void, ms = 120_000) =>
    new Promise<{ said: string; ms: number }>((resolve) => {
      const began = performance.now();
      let said = '';
      const socket = connect(port, '127.0.0.1', () => say((text) => socket.destroyed || socket.write(text)));
      socket.on('data', (chunk) => (said += chunk.toString('latin1')));
      socket.on('error', () => {});
      socket.on('close', () => resolve({ said, ms: performance.now() - began }));
      setTimeout(() => socket.destroy(), ms).unref();
    });

  test.each([
    ['a backup of somebody who is not logged in', 'PUT', '/api/appsettings/backup/ta_backup-20260101-x.zip/file/'],
    ['a question with a body', 'GET', '/api/health/'],
  ])('%s that comes byte by byte is answered, and hung up on', async (_, method, path) => {
    const socket = connect(port, '127.0.0.1');
    let said = '';
    let isOver = false;
    socket.setEncoding('utf8').on('data', (text: string) => (said += text));
    socket.on('error', () => undefined).on('close', () => (isOver = true));
    socket.write(`${method} ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/zip\r\nContent-Length: 100000\r\n\r\n`);
    const drip = setInterval(() => socket.writable && socket.write('x'), 50);
    try {
      await eventually(() => expect(said).toMatch(/^HTTP\/1\.1 (403|200)/));
      await eventually(() => expect(isOver).toBe(true), 120_000);
    } finally {
      clearInterval(drip);
      socket.destroy();
    }
  });

  test('a header that never ends is hung up on, while others are answered', async () => {
    expect(t.app.server.headersTimeout).toBe(15_000);
    t.app.server.headersTimeout = 1000; // so that this test need not wait as long
    const slow = Promise.all(
      Array.from({ length: 200 }, () => {
        let timer: NodeJS.Timeout | undefined;
        return byHand((write) => {
          write('GET /api/health/ HTTP/1.1\r\nHost: x\r\n');
          timer = setInterval(() => write('X-A: b\r\n'), 200);
        }).finally(() => clearInterval(timer));
      }),
    );
    for (let n = 0; n < 10; n++) await isAlive();
    const ended = await slow;
    t.app.server.headersTimeout = 15_000;
    expect(Math.max(...ended.map((one) => one.ms))).toBeLessThan(100_000);
    for (const { said } of ended) expect(said).toMatch(/^(HTTP\/1\.1 408|$)/);
  });

  test.each([
    ['more headers than anybody sends', `${'X-A: b\r\n'.repeat(150)}`, /^HTTP\/1\.1 431/],
    ['a header of 20 kB', `X-A: ${'b'.repeat(20_000)}\r\n`, /^HTTP\/1\.1 431/],
    ['a length and chunks', 'Content-Length: 3\r\nTransfer-Encoding: chunked\r\n', /^HTTP\/1\.1 400/],
    ['two lengths', 'Content-Length: 3\r\nContent-Length: 4\r\n', /^HTTP\/1\.1 400/],
    ['a line feed inside', 'X-A: b\nX-B: c\r\nX C: d\r\n', /^HTTP\/1\.1 400/],
    ['a space before the colon', 'Cookie : sessionid=x\r\n', /^HTTP\/1\.1 400/],
  ])('%s is refused', async (_, headers, answer) => {
    const { said } = await byHand(
      (write) => write(`GET /api/health/ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${headers}\r\n`),
      3000,
    );
    expect(said).toMatch(answer);
    await isAlive();
  });

  test('a thousand guesses, one after another or at once, cost at most twenty looks at a password', async () => {
    const owner = await aUser(t, { name: 'Vera', password: 'her own words' });
    const guess = (from: string, password: string, username = 'Vera') =>
      t.app.inject({ method: 'POST', url: '/api/user/login/', payload: { username, password }, remoteAddress: from });
    const counts = new Map<number, number>();
    const answers = await Promise.all(Array.from({ length: 1000 }, (_, n) => guess('10.2.0.1', `guess ${n}`)));
    for (const { statusCode } of answers) counts.set(statusCode, (counts.get(statusCode) ?? 0) + 1);
    expect(counts.get(400)).toBeLessThanOrEqual(20);
    expect(counts.get(429)).toBeGreaterThanOrEqual(980);
    // Of IPv6 a household has more addresses than there are guesses.
    const many = await Promise.all(Array.from({ length: 100 }, (_, n) => guess(`2001:db8:1:2::${n.toString(16)}`, `guess ${n}`)));
    expect(many.filter(({ statusCode }) => statusCode === 400).length).toBeLessThanOrEqual(20);
    // The owner is not shut out by it, from where she has been before or from elsewhere.
    expect((await guess('127.0.0.1', owner.password)).statusCode).toBe(204);
    expect((await guess('10.2.0.99', owner.password)).statusCode).toBe(204);
  });

  test('from many addresses an account can be guessed at a hundred times only, and its owner still comes in where she was', async () => {
    await aUser(t, { name: 'Nora', password: 'her own words' });
    const guess = (from: string, password: string) =>
      t.app.inject({ method: 'POST', url: '/api/user/login/', payload: { username: 'Nora', password }, remoteAddress: from });
    expect((await guess('10.3.255.1', 'her own words')).statusCode).toBe(204);
    const answers: number[] = [];
    for (let n = 0; n < 130; n++) answers.push((await guess(`10.3.0.${n}`, `guess ${n}`)).statusCode);
    expect(answers.filter((status) => status === 400).length).toBeLessThanOrEqual(100);
    expect(answers.at(-1)).toBe(429);
    expect((await guess('10.3.255.1', 'her own words')).statusCode).toBe(204);
  });
});
