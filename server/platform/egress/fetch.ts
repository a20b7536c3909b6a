import type { Message } from '#contract/messages.ts';
import { MessageError } from '../messages/message-error.ts';
import type { ProxyAgent, RequestInit, Response } from 'undici';
import { checkUrl, type Refusal } from './host-policy.ts';
import { proxyStatus } from './status.ts';

/** The forward proxy rejected a request. The message is for the user. */
export class EgressRefusedError extends MessageError {
  constructor(why: Message) {
    super(why);
    this.name = 'GateRefused';
  }
}

/** A response is larger than `maxBytes`. */
export class ResponseTooLargeError extends Error {
  constructor(url: string, bytes: number) {
    super(`${new URL(url).host} answered with more than ${bytes} bytes.`);
    this.name = 'TooLong';
  }
}

export interface FetchOptions extends Omit<RequestInit, 'dispatcher'> {
  /** Maximum size of the body; reading more throws ResponseTooLargeError. Default: 20 MB. */
  maxBytes?: number;
  /** Timeout including the body. Default: 30 s. */
  timeMs?: number;
  /** Checks certificates even if the configuration disables that: for program downloads. */
  verifyCertificates?: boolean;
}

/**
 * fetch() through the forward proxy. Redirects are followed and checked.
 * @throws EgressRefusedError, or what fetch() throws
 */
export type ProxyFetch = (url: string, init?: FetchOptions) => Promise<Response>;

// Loaded with the first outgoing request, because the library takes a megabyte of memory.
type Undici = typeof import('undici');

const twentyMegabytes = 20_000_000;
const halfMinute = 30_000;

export function createProxyFetch({
  url: proxyUrl,
  insecure,
  refused,
  allow,
}: {
  url: string;
  insecure: boolean;
  refused: Refusal[];
  allow: string[];
}) {
  const { origin, username, password } = new URL(proxyUrl);
  const agents = new Map<boolean, ProxyAgent>();
  const agentOf = (undici: Undici, rejectUnauthorized: boolean) =>
    agents.getOrInsertComputed(
      rejectUnauthorized,
      () =>
        new undici.ProxyAgent({
          uri: origin,
          token: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`,
          requestTls: { rejectUnauthorized },
        }),
    );

  const through: ProxyFetch = async (
    url,
    { maxBytes = twentyMegabytes, timeMs = halfMinute, verifyCertificates = !insecure, signal, ...init } = {},
  ) => {
    const no = checkUrl(url, allow);
    if (no) throw new EgressRefusedError(no);
    const before = refused.at(-1);
    const limit = AbortSignal.timeout(timeMs);
    const undici = await import('undici');
    const response = await undici
      .fetch(url, {
        ...init,
        signal: signal ? AbortSignal.any([signal, limit]) : limit,
        dispatcher: agentOf(undici, verifyCertificates),
      })
      .catch((error: Error) => {
        const last = refused.at(-1);
        throw last && last !== before ? new EgressRefusedError(last.why) : error;
      });
    // Plain requests get a response of the proxy; through a tunnel its rejection is already an error.
    const refusal = refused.at(-1);
    if (response.status === proxyStatus.refused && refusal && refusal !== before) {
      await response.body?.cancel();
      throw new EgressRefusedError(refusal.why);
    }
    return response.body ? bounded(undici, response, url, maxBytes) : response;
  };
  return { fetch: through, close: async () => void (await Promise.all([...agents.values()].map((agent) => agent.destroy()))) };
}

function bounded({ Response }: Undici, response: Response, url: string, maxBytes: number): Response {
  let read = 0;
  const counted = response.body!.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(piece, out) {
        read += piece.byteLength;
        if (read > maxBytes) out.error(new ResponseTooLargeError(url, maxBytes));
        else out.enqueue(piece);
      },
    }),
  );
  const same = new Response(counted, { status: response.status, statusText: response.statusText, headers: response.headers });
  Object.defineProperty(same, 'url', { value: response.url });
  return same;
}
