import type { ProxyAgent, RequestInit, Response } from 'undici';
import { judgeUrl, type Refusal } from './judge.ts';

/** The gate did not let a request pass. The message is a sentence for the person. */
export class GateRefused extends Error {
  constructor(why: string) {
    super(why);
    this.name = 'GateRefused';
  }
}

/** An answer was longer than its reader allowed. */
export class TooLong extends Error {
  constructor(url: string, bytes: number) {
    super(`${new URL(url).host} answered with more than ${bytes} bytes.`);
    this.name = 'TooLong';
  }
}

export interface ThroughGate extends Omit<RequestInit, 'dispatcher'> {
  /** The most that is read of the answer; reading on fails with TooLong. 20 MB unless told. */
  maxBytes?: number;
  /** For the whole of it, body included. 30 s unless told. */
  timeMs?: number;
}

/** fetch() through the gate: throws GateRefused, or what fetch() throws. Redirects are followed, each judged anew. */
export type FetchThrough = (url: string, init?: ThroughGate) => Promise<Response>;

// Loaded with the first request that goes out: a library of a megabyte, which a program at rest need not hold.
type Undici = typeof import('undici');

const twentyMegabytes = 20_000_000;
const halfMinute = 30_000;

export function fetchThrough({
  url: gate,
  insecure,
  refused,
  allow,
}: {
  url: string;
  insecure: boolean;
  refused: Refusal[];
  allow: string[];
}) {
  const { origin, username, password } = new URL(gate);
  let agent: ProxyAgent | undefined;
  const agentOf = (undici: Undici) =>
    (agent ??= new undici.ProxyAgent({
      uri: origin,
      token: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`,
      requestTls: { rejectUnauthorized: !insecure },
    }));

  const through: FetchThrough = async (url, { maxBytes = twentyMegabytes, timeMs = halfMinute, signal, ...init } = {}) => {
    const no = judgeUrl(url, allow);
    if (no) throw new GateRefused(no);
    const before = refused.at(-1);
    const limit = AbortSignal.timeout(timeMs);
    const undici = await import('undici');
    const answer = await undici
      .fetch(url, { ...init, signal: signal ? AbortSignal.any([signal, limit]) : limit, dispatcher: agentOf(undici) })
      .catch((error: Error) => {
        const last = refused.at(-1);
        throw last && last !== before ? new GateRefused(last.why) : error;
      });
    // To a plain request the gate answers by itself; through a tunnel its refusal is an error already.
    const refusal = refused.at(-1);
    if (answer.status === 403 && refusal && refusal !== before) {
      await answer.body?.cancel();
      throw new GateRefused(refusal.why);
    }
    return answer.body ? bounded(undici, answer, url, maxBytes) : answer;
  };
  return { fetch: through, close: async () => agent?.destroy() };
}

function bounded({ Response }: Undici, answer: Response, url: string, maxBytes: number): Response {
  let read = 0;
  const counted = answer.body!.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(piece, out) {
        read += piece.byteLength;
        if (read > maxBytes) out.error(new TooLong(url, maxBytes));
        else out.enqueue(piece);
      },
    }),
  );
  const same = new Response(counted, { status: answer.status, statusText: answer.statusText, headers: answer.headers });
  Object.defineProperty(same, 'url', { value: answer.url });
  return same;
}
