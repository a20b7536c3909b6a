import { readdir } from 'node:fs/promises';
import http from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

// What somebody does who means no good, or whose device is broken.

/** Wrong passwords, so many a second, each from another address (whom this machine speaks for as a trusted proxy). Answers their statuses. */
export async function guessPasswords(address: string, { aSecond, seconds }: { aSecond: number; seconds: number }) {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 200 });
  const answers = new Map<number, number>();
  const guess = (n: number) =>
    new Promise<void>((resolve) => {
      const body = JSON.stringify({ username: 'demo', password: `guess ${n}` });
      const from = `198.${18 + (n >> 16)}.${(n >> 8) & 255}.${n & 255}`;
      const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body), 'x-forwarded-for': from };
      http
        .request(`${address}/api/user/login/`, { agent, method: 'POST', headers }, (answer) => {
          answers.set(answer.statusCode!, (answers.get(answer.statusCode!) ?? 0) + 1);
          answer.resume().on('end', resolve);
        })
        .on('error', () => resolve())
        .end(body);
    });
  const all: Promise<void>[] = [];
  for (let n = 0; n < aSecond * seconds; n++) {
    all.push(guess(n));
    await wait(1000 / aSecond);
  }
  await Promise.all(all);
  agent.destroy();
  return answers;
}

/** Connections that begin to ask and send a byte a second; answers when the last of them was closed, in seconds, or null. */
export async function dawdle(address: string, count: number, mostSeconds = 90): Promise<number | null> {
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
  while (open > 0 && performance.now() - began < mostSeconds * 1000) {
    for (const [n, socket] of sockets.entries()) if (n % 2 && socket.writable) socket.write('a');
    await wait(1000);
  }
  for (const socket of sockets) socket.destroy();
  return open > 0 ? null : (performance.now() - began) / 1000;
}

/** Asks for the whole of something and goes away as soon as it begins to come, so often, some at once. */
export async function goAway(url: string, cookie: string, count: number) {
  const one = () =>
    new Promise<void>((resolve) => {
      const request = http
        .get(url, { agent: false, headers: { cookie } }, (answer) => {
          answer.on('error', () => {});
          answer.once('data', () => request.destroy()).once('end', () => request.destroy());
        })
        .on('error', () => resolve())
        .on('close', resolve);
    });
  let left = count;
  await Promise.all(
    Array.from({ length: 16 }, async () => {
      while (left-- > 0) await one();
    }),
  );
}

/** How many files and connections a process has open. */
export const descriptorsOf = async (pid: number) => (await readdir(`/proc/${pid}/fd`)).length;
