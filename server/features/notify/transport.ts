import { message } from '#contract/messages.ts';
import type { Socket } from 'node:net';
import type { Dispatcher } from 'undici';
import type { Config } from '../../platform/config/config.ts';
import { isAddress, isLocalName, isPublic } from '../../platform/egress/ip-classification.ts';
import { asDeliveryError, DeliveryError } from './errors.ts';
import { type Lookup, normalizedHost, createNetworkPolicy, type NetworkPolicy } from './network-policy.ts';

/** A request of a notification service. */
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
  /** The beginning of the body. */
  text: string;
}

/** Network access for notifications. */
export interface Transport {
  /** Sends a request and returns the response of any status; redirects are not followed. @throws DeliveryError */
  ask(what: TransportRequest): Promise<TransportResponse>;
  /** Opens a TCP connection, for mail. @throws DeliveryError */
  connect(host: string, port: number): Promise<Socket>;
  readonly reach: NetworkPolicy;
  readonly config: TransportConfig;
}

export type TransportConfig = Pick<Config, 'allowPrivate' | 'proxyUrl' | 'proxyInsecure'>;

/** Timeout of one step: a request, a program, a mail. */
export const timeMs = 15_000;
// Timeout of all steps: less than the minute after which the outbox allows another attempt.
const totalMs = 45_000;
const readAtMost = 100_000;

async function startOfBody(body: Dispatcher.ResponseData['body']): Promise<string> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of body as AsyncIterable<Buffer>) {
    pieces.push(piece);
    length += piece.length;
    if (length > readAtMost) break; // leaving the loop destroys the stream
  }
  return Buffer.concat(pieces).toString('utf8').slice(0, readAtMost);
}

/**
 * Creates the agent for requests to one host: the internet is reached through the configured proxy, the local network directly.
 * @throws DeliveryError if the host is an address that is not allowed
 */
export async function createAgent(
  config: TransportConfig,
  reach: NetworkPolicy,
  host: string,
  { verify = true }: { verify?: boolean } = {},
): Promise<Dispatcher> {
  const { Agent, ProxyAgent } = await import('undici'); // imported on demand, as in egress/fetch.ts
  const meant = normalizedHost(host) ?? '';
  if (isAddress(meant)) await reach.addressesOf(meant); // literal addresses do not go through `lookup`
  const isLocal = isAddress(meant) ? !isPublic(meant) : isLocalName(meant);
  if (config.proxyUrl && !isLocal)
    return new ProxyAgent({ uri: config.proxyUrl, requestTls: { rejectUnauthorized: verify && !config.proxyInsecure } });
  return new Agent({ connect: { lookup: reach.judged, rejectUnauthorized: verify, timeout: timeMs } });
}

/**
 * Runs `work` with network access for notifications and closes the connections. The internet is reached through the configured
 * proxy, the local network directly; loopback addresses are blocked (network-policy.ts).
 */
export async function withTransport<T>(
  config: TransportConfig,
  work: (way: Transport) => Promise<T>,
  lookup?: Lookup,
): Promise<T> {
  const reach = createNetworkPolicy(config, lookup);
  const agents: Dispatcher[] = [];
  const whole = AbortSignal.timeout(totalMs);
  const keep = <A extends Dispatcher>(agent: A): A => {
    agents.push(agent);
    return agent;
  };

  async function ask({ url, method = 'POST', headers = {}, body, verify = true }: TransportRequest): Promise<TransportResponse> {
    const { hostname, protocol } = new URL(url);
    if (protocol !== 'http:' && protocol !== 'https:') throw new DeliveryError(message('notify.url-scheme'));
    const { request } = await import('undici'); // imported on demand, as in egress/fetch.ts
    try {
      const answer = await request(url, {
        method,
        headers: { 'user-agent': 'Reelkeep', ...headers },
        body: body ?? null,
        dispatcher: keep(await createAgent(config, reach, hostname, { verify })),
        signal: AbortSignal.any([whole, AbortSignal.timeout(timeMs)]),
      });
      return { status: answer.statusCode, text: await startOfBody(answer.body) };
    } catch (error) {
      throw asDeliveryError(error, hostname);
    }
  }

  try {
    return await work({ ask, connect: (host, port) => reach.connect(host, port, timeMs), reach, config });
  } finally {
    await Promise.all(agents.map((agent) => agent.destroy()));
  }
}
