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
import { writeFileRange } from './file-stream.ts';

const size = 12 * 1024 ** 2 + 345;
const sum = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

describe('streaming a file', () => {
  let folder = '';
  let path = '';
  let content: Buffer;
  let server: http.Server;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'reelkeep-sending-'));
    path = join(folder, 'film.mp4');
    content = randomBytes(size);
    await writeFile(path, content, { flush: true });
    server = http.createServer(async (request, response) => {
      const [from = 0, to = 0] = request.url!.slice(1).split('-').map(Number);
      response.setHeader('content-length', String(to - from + 1));
      await using file = await open(path);
      await writeFileRange(file, { from, to }, response).catch(() => response.destroy());
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterAll(async () => {
    server.close();
    await rm(folder, { recursive: true });
  });

  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  const sendRequest = (from: number, to: number) =>
    new Promise<http.IncomingMessage>((resolve, reject) =>
      http
        .get({ host: '127.0.0.1', port: (server.address() as AddressInfo).port, path: `/${from}-${to}`, agent }, resolve)
        .on('error', reject),
    );
  async function bytesOf(reply: http.IncomingMessage, pauseMs = 0) {
    const parts: Buffer[] = [];
    for await (const part of reply) {
      parts.push(part as Buffer);
      if (pauseMs && parts.length % 16 === 0) await wait(pauseMs);
    }
    return Buffer.concat(parts);
  }

  test('sends it completely and in ranges over one connection', async () => {
    const parts = [[0, size - 1], [0, 0], [1, 65_536], [65_535, 65_537], [262_143, 1_310_720], [size - 10, size - 1]] as const; // prettier-ignore
    for (const [from, to] of parts)
      expect(sum(await bytesOf(await sendRequest(from, to))), `${from}-${to}`).toBe(sum(content.subarray(from, to + 1)));
  });

  test('sends it completely to a slow client', async () => {
    expect(sum(await bytesOf(await sendRequest(7, size - 1), 5))).toBe(sum(content.subarray(7)));
  });

  test('sends it completely from disk', async () => {
    // dd asks the kernel to drop the cached pages of the file.
    spawnSync('dd', [`if=${path}`, 'iflag=nocache', 'count=0'], { stdio: 'ignore' });
    expect(sum(await bytesOf(await sendRequest(0, size - 1)))).toBe(sum(content));
  });

  test('closes the file when the client disconnects', async () => {
    const openDescriptors = () => readdirSync('/proc/self/fd').length;
    (await sendRequest(0, 10)).resume();
    await wait(50);
    const before = openDescriptors();
    for (let round = 0; round < 20; round++) (await sendRequest(0, size - 1)).destroy();
    await expect.poll(openDescriptors).toBeLessThanOrEqual(before);
  });

  test('a truncated file ends the connection and not the server', async () => {
    const reply = await sendRequest(0, size - 1);
    await truncate(path, 3 * 1024 ** 2);
    await expect(bytesOf(reply)).rejects.toThrow('aborted');
    await writeFile(path, content);
    expect(sum(await bytesOf(await sendRequest(0, 99)))).toBe(sum(content.subarray(0, 100)));
  });
});
