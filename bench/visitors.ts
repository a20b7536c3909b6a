import { setTimeout as wait } from 'node:timers/promises';
import { connectionsTo } from './lean.ts';

/** How long each of some requests took, in milliseconds. */
export interface Times {
  p50: number;
  p95: number;
  p99: number;
  most: number;
  count: number;
}

export function timesOf(milliseconds: number[]): Times {
  const sorted = milliseconds.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99), most: at(1), count: sorted.length };
}

/** A person with connections that stay open, who throws answers away. */
export function aPatron(address: string, cookies: string[]) {
  const connections = connectionsTo(address);
  const csrf = cookies.find((one) => one.startsWith('csrftoken='))?.slice('csrftoken='.length) ?? '';
  const headers = { cookie: cookies.join('; '), 'x-csrftoken': csrf };

  /** Asks, and answers how long it took until all of the answer was there. Throws when it is refused. */
  async function time(path: string, { method = 'GET', body }: { method?: string; body?: object } = {}): Promise<number> {
    const began = performance.now();
    const { status } = await connections.ask({ method, path, headers, body: body && JSON.stringify(body) });
    if (status >= 400) throw new Error(`${method} ${path} answered ${status}`);
    return performance.now() - began;
  }

  /**
   * Watches a file at so many bytes a second, as a player does that has its buffer full. Answers how long it ever had to wait for
   * the next bytes that were due, in milliseconds, until `isOver`.
   */
  async function watch(path: string, bytesASecond: number, isOver: () => boolean): Promise<number> {
    const pieceMs = 250;
    const piece = Math.floor((bytesASecond * pieceMs) / 1000);
    let [from, longest] = [0, 0];
    while (!isOver()) {
      const began = performance.now();
      const { status } = await connections.ask({ path, headers: { ...headers, range: `bytes=${from}-${from + piece - 1}` } });
      if (status !== 206) throw new Error(`${path} answered ${status}`);
      const waited = performance.now() - began;
      longest = Math.max(longest, waited);
      from += piece;
      await wait(Math.max(0, pieceMs - waited));
    }
    return longest;
  }
  return { time, watch, close: connections.close };
}
export type Patron = ReturnType<typeof aPatron>;

/** Logs somebody in. */
export async function logIn(address: string, username: string): Promise<string[]> {
  const answer = await fetch(`${address}/api/user/login/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username, password: 'demo', remember_me: 'on' }),
  });
  if (answer.status !== 204) throw new Error(`${username} cannot log in: ${answer.status}`);
  return answer.headers.getSetCookie().map((cookie) => cookie.split(';')[0]!);
}
