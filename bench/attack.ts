import { readdir } from 'node:fs/promises';
import http from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

// Load of attackers and faulty clients.

/**
 * Sends wrong passwords at a rate per second, each from another address (this machine acts as a trusted proxy). Returns the
 * statuses.
 */
export async function guessPasswords(address: string, { perSecond, seconds }: { perSecond: number; seconds: number }) {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 200 });
  const statusCounts = new Map<number, number>();
  const guess = (n: number) =>
    new Promise<void>((resolve) => {
      const body = JSON.stringify({ username: 'demo', password: `guess ${n}` });
      const from = `198.${18 + (n >> 16)}.${(n >> 8) & 255}.${n & 255}`;
      const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body), 'x-forwarded-for': from };
      http
        .request(`${address}/api/user/login/`, { agent, method: 'POST', headers }, (response) => {
          statusCounts.set(response.statusCode!, (statusCounts.get(response.statusCode!) ?? 0) + 1);
          response.resume().on('end', resolve);
        })
        .on('error', () => resolve())
        .end(body);
    });
  const all: Promise<void>[] = [];
  for (let n = 0; n < perSecond * seconds; n++) {
    all.push(guess(n));
    await wait(1000 / perSecond);
  }
  await Promise.all(all);
  agent.destroy();
  return statusCounts;
}

/** Opens connections that send one byte of a request per second. Returns the seconds until the last was closed, or null. */
export async function holdSlowConnections(address: string, count: number, maxSeconds = 90): Promise<number | null> {
  const { port } = new URL(address);
  const began = performance.now();
  let open = 0;
  const sockets: Socket[] = [];
  for (let n = 0; n < count; n++) {
    const socket = connect(Number(port), '127.0.0.1');
    open++;
    socket
      .on('close', () => open--)
      .on('error', () => {})
      .resume();
    if (n % 2) socket.write('GET /api/ping/ HTTP/1.1\r\nHost: x\r\nX-Slow: ');
    sockets.push(socket);
    if (n % 50 === 0) await wait(10);
  }
  while (open > 0 && performance.now() - began < maxSeconds * 1000) {
    for (const [n, socket] of sockets.entries()) if (n % 2 && socket.writable) socket.write('a');
    await wait(1000);
  }
  for (const socket of sockets) socket.destroy();
  return open > 0 ? null : (performance.now() - began) / 1000;
}

/** Requests a resource many times, in parallel, and disconnects when the body begins. */
export async function disconnectEarly(url: string, cookie: string, count: number) {
  const requestOnce = () =>
    new Promise<void>((resolve) => {
      const request = http
        .get(url, { agent: false, headers: { cookie } }, (response) => {
          response.on('error', () => {});
          response.once('data', () => request.destroy()).once('end', () => request.destroy());
        })
        .on('error', () => resolve())
        .on('close', resolve);
    });
  let remaining = count;
  await Promise.all(
    Array.from({ length: 16 }, async () => {
      while (remaining-- > 0) await requestOnce();
    }),
  );
}

/** Returns the number of open file descriptors of a process. */
export const descriptorsOf = async (pid: number) => (await readdir(`/proc/${pid}/fd`)).length;
