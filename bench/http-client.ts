import { setTimeout as wait } from 'node:timers/promises';
import { connectionsTo } from './raw-client.ts';

/** Durations of requests, in milliseconds. */
export interface Times {
  p50: number;
  p95: number;
  p99: number;
  max: number;
  count: number;
}

export function timesOf(milliseconds: number[]): Times {
  const sorted = milliseconds.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99), max: at(1), count: sorted.length };
}

const csrfOf = (cookies: string[]) => cookies.find((one) => one.startsWith('csrftoken='))?.slice('csrftoken='.length) ?? '';

/** Headers of calls with JSON. */
export const headersOf = (cookies: string[]) => ({
  cookie: cookies.join('; '),
  'x-csrftoken': csrfOf(cookies),
  'content-type': 'application/json',
});

/** Returns a function that calls the API and returns the JSON of the response. It throws for error responses. */
export function createCaller(address: string, cookies: string[]) {
  const headers = headersOf(cookies);
  return async <T>(method: string, path: string, body?: object): Promise<T> => {
    const response = await fetch(`${address}${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    if (!response.ok) throw new Error(`${path}: ${await response.text()}`);
    return (await response.json()) as T;
  };
}

/** A client with keep-alive connections that discards the response bodies. */
export function createClient(address: string, cookies: string[]) {
  const connections = connectionsTo(address);
  const headers = { cookie: cookies.join('; '), 'x-csrftoken': csrfOf(cookies) };

  /** Returns the time until the response is complete. Throws for a status of 400 and above. */
  async function time(path: string, { method = 'GET', body }: { method?: string; body?: object } = {}): Promise<number> {
    const began = performance.now();
    const { status } = await connections.send({ method, path, headers, body: body && JSON.stringify(body) });
    if (status >= 400) throw new Error(`${method} ${path} answered ${status}`);
    return performance.now() - began;
  }

  /**
   * Reads a file at a fixed rate, like a player with a full buffer, until `isOver`. Returns the longest wait for data that was
   * due, in milliseconds.
   */
  async function watch(path: string, bytesPerSecond: number, isOver: () => boolean): Promise<number> {
    const pieceMs = 250;
    const piece = Math.floor((bytesPerSecond * pieceMs) / 1000);
    let [from, longest] = [0, 0];
    while (!isOver()) {
      const began = performance.now();
      const { status } = await connections.send({ path, headers: { ...headers, range: `bytes=${from}-${from + piece - 1}` } });
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
export type BenchClient = ReturnType<typeof createClient>;

/** Logs a user in. Returns the cookies. */
export async function logIn(address: string, username: string): Promise<string[]> {
  const response = await fetch(`${address}/api/user/login/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username, password: 'demo', remember_me: 'on' }),
  });
  if (response.status !== 204) throw new Error(`${username} cannot log in: ${response.status}`);
  return response.headers.getSetCookie().map((cookie) => cookie.split(';')[0]!);
}
