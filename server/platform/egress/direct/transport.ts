import { message } from '#contract/messages.ts';
import type { IncomingHttpHeaders } from 'node:http';
import type { Socket } from 'node:net';
import type { Dispatcher } from 'undici';
import { isAddress, isLocalName, isPublic } from '../ip-classification.ts';
import { asConnectionError, ConnectionError } from './errors.ts';
import { type Lookup, normalizedHost, createNetworkPolicy, type NetworkPolicy } from './network-policy.ts';

export interface TransportRequest {
  url: string;
  /** Default: POST. */
  method?: Dispatcher.HttpMethod;
  headers?: Record<string, string>;
  body?: string;
  /** False accepts every certificate. */
  verify?: boolean;
}

export interface TransportResponse {
  status: number;
  headers: IncomingHttpHeaders;
  /** The body, or its beginning if it is longer than `maxBytes`. */
  text: string;
  isWhole: boolean;
}

/** Network access to hosts that a user named. */
export interface Transport {
  /** Sends a request and returns the response of any status; redirects are not followed. @throws ConnectionError */
  ask(what: TransportRequest): Promise<TransportResponse>;
  /** Opens a TCP connection, for mail. @throws ConnectionError */
  connect(host: string, port: number): Promise<Socket>;
  readonly reach: NetworkPolicy;
  readonly config: TransportConfig;
}

/** The part of the configuration that says how hosts are reached. */
export interface TransportConfig {
  allowPrivate: string[];
  proxyUrl: string | undefined;
  proxyInsecure: boolean;
}

export interface TransportOptions {
  lookup?: Lookup;
  /** Most bytes of a response that are read. Default: 100 kB. */
  maxBytes?: number;
  /** Timeout of one request. Default: 15 s. */
  timeMs?: number;
  signal?: AbortSignal | undefined;
}

/** Timeout of one step: a request, a program, a mail. */
export const timeMs = 15_000;

async function startOfBody(body: Dispatcher.ResponseData['body'], maxBytes: number) {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of body as AsyncIterable<Buffer>) {
    pieces.push(piece);
    length += piece.length;
    if (length > maxBytes) break; // leaving the loop destroys the stream
  }
  return { text: Buffer.concat(pieces).toString('utf8').slice(0, maxBytes), isWhole: length <= maxBytes };
}

/**
 * Creates the agent for requests to one host: the internet is reached through the configured proxy, the local network directly.
 * @throws ConnectionError if the host is an address that is not allowed
 */
async function createAgent(config: TransportConfig, reach: NetworkPolicy, host: string, verify: boolean): Promise<Dispatcher> {
  const { Agent, ProxyAgent } = await import('undici'); // imported on demand, as in egress/fetch.ts
  const meant = normalizedHost(host) ?? '';
  if (isAddress(meant)) await reach.addressesOf(meant); // literal addresses do not go through `lookup`
  const isLocal = isAddress(meant) ? !isPublic(meant) : isLocalName(meant);
  if (config.proxyUrl && !isLocal)
    return new ProxyAgent({ uri: config.proxyUrl, requestTls: { rejectUnauthorized: verify && !config.proxyInsecure } });
  return new Agent({ connect: { lookup: reach.judged, rejectUnauthorized: verify, timeout: timeMs } });
}

/**
 * Runs `work` with network access to hosts that a user named, and closes the connections. The internet is reached through the
 * configured proxy, the local network directly; loopback addresses are blocked (network-policy.ts).
 */
export async function withTransport<T>(
  config: TransportConfig,
  work: (transport: Transport) => Promise<T>,
  { lookup, maxBytes = 100_000, timeMs: requestMs = timeMs, signal }: TransportOptions = {},
): Promise<T> {
  const reach = createNetworkPolicy(config, lookup);
  const agents = new Map<string, Promise<Dispatcher>>();

  async function ask({ url, method = 'POST', headers = {}, body, verify = true }: TransportRequest): Promise<TransportResponse> {
    const { hostname, protocol } = new URL(url);
    if (protocol !== 'http:' && protocol !== 'https:') throw new ConnectionError(message('connection.scheme'));
    const { request } = await import('undici'); // imported on demand, as in egress/fetch.ts
    const limit = AbortSignal.timeout(requestMs);
    try {
      const dispatcher = await agents.getOrInsertComputed(`${verify} ${hostname}`, () =>
        createAgent(config, reach, hostname, verify),
      );
      const response = await request(url, {
        method,
        headers: { 'user-agent': 'Reelkeep', ...headers },
        body: body ?? null,
        dispatcher,
        signal: signal ? AbortSignal.any([signal, limit]) : limit,
      });
      return { status: response.statusCode, headers: response.headers, ...(await startOfBody(response.body, maxBytes)) };
    } catch (error) {
      throw asConnectionError(error, hostname);
    }
  }

  try {
    return await work({ ask, connect: (host, port) => reach.connect(host, port, timeMs), reach, config });
  } finally {
    for (const agent of await Promise.allSettled(agents.values())) if (agent.status === 'fulfilled') await agent.value.destroy();
  }
}
