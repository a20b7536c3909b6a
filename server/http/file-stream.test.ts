import { spawnSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { mkdtemp, open, rm, truncate, writeFile } from 'node:fs/promises';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FileStream } from './file-stream.ts';
import { systemSender } from './sendfile.ts';

const size = 12 * 1024 ** 2 + 345;
const sender = await systemSender();
const sum = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

describe.each([
  ['handed over by the system', sender],
  ['read piece by piece', null],
])('a file, %s', (_, by) => {
  let folder = '';
  let path = '';
  let content: Buffer;
  let server: http.Server;
  let last: FileStream;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'reelkeep-sending-'));
    path = join(folder, 'film.mp4');
    content = randomBytes(size);
    await writeFile(path, content, { flush: true });
    server = http.createServer(async (request, response) => {
      const [from = 0, to = 0] = request.url!.slice(1).split('-').map(Number);
      response.setHeader('content-length', String(to - from + 1));
      last = new FileStream({ file: await open(path), from, to, response, sender: by });
      last.on('error', () => response.destroy()).pipe(response);
      response.on('close', () => last.destroy());
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterAll(async () => {
    server.close();
    await rm(folder, { recursive: true });
  });

  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  const ask = (from: number, to: number) =>
    new Promise<http.IncomingMessage>((resolve, reject) =>
      http
        .get({ host: '127.0.0.1', port: (server.address() as AddressInfo).port, path: `/${from}-${to}`, agent }, resolve)
        .on('error', reject),
    );
  async function bytesOf(answer: http.IncomingMessage, pauseMs = 0) {
    const parts: Buffer[] = [];
    for await (const part of answer) {
      parts.push(part as Buffer);
      if (pauseMs && parts.length % 16 === 0) await wait(pauseMs);
    }
    return Buffer.concat(parts);
  }

  test('arrives byte for byte, whole and in parts, one after the other over one connection', async () => {
    const parts = [[0, size - 1], [0, 0], [1, 65_536], [65_535, 65_537], [262_143, 1_310_720], [size - 10, size - 1]] as const; // prettier-ignore
    for (const [from, to] of parts)
      expect(sum(await bytesOf(await ask(from, to))), `${from}-${to}`).toBe(sum(content.subarray(from, to + 1)));
  });

  test('arrives byte for byte at somebody who is slow', async () => {
    expect(sum(await bytesOf(await ask(7, size - 1), 5))).toBe(sum(content.subarray(7)));
  });

  test('arrives byte for byte when it has to come from the disk', async () => {
    // coreutils ask the system to forget what it holds of the file.
    spawnSync('dd', [`if=${path}`, 'iflag=nocache', 'count=0'], { stdio: 'ignore' });
    expect(sum(await bytesOf(await ask(0, size - 1)))).toBe(sum(content));
  });

  test('is copied only here and there when the system can hand it over', async () => {
    await bytesOf(await ask(0, size - 1));
    if (by) expect(last.handedOver).toBeGreaterThan(size / 2);
    else expect(last.handedOver).toBe(0);
  });

  test('is closed when the person goes away in the middle', async () => {
    const held = () => readdirSync('/proc/self/fd').length;
    (await ask(0, 10)).resume();
    await wait(50);
    const before = held();
    for (let round = 0; round < 20; round++) (await ask(0, size - 1)).destroy();
    await expect.poll(held).toBeLessThanOrEqual(before);
  });

  test('that has become shorter ends the connection, not the server', async () => {
    const answer = await ask(0, size - 1);
    await truncate(path, 3 * 1024 ** 2);
    await expect(bytesOf(answer)).rejects.toThrow('aborted');
    await writeFile(path, content);
    expect(sum(await bytesOf(await ask(0, 99)))).toBe(sum(content.subarray(0, 100)));
  });
});

test('what is in memory is told from what is not', async ({ skip }) => {
  if (!sender) return skip();
  const folder = await mkdtemp(join(tmpdir(), 'reelkeep-memory-'));
  const path = join(folder, 'film.mp4');
  await writeFile(path, randomBytes(1024 ** 2), { flush: true });
  const file = await open(path);
  const isThere = sender.isInMemory(file.fd, 0, 1024 ** 2);
  expect(isThere).toBe(true);
  // The system keeps what a processor has not yet put in order, so it is asked until it has.
  const forget = () => {
    spawnSync('dd', [`if=${path}`, 'iflag=nocache', 'count=0'], { stdio: 'ignore' });
    return sender.isInMemory(file.fd, 0, 1024 ** 2);
  };
  await expect.poll(forget).toBe(false);
  await file.close();
  await rm(folder, { recursive: true });
});
