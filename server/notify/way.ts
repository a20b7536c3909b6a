import type { Socket } from 'node:net';
import type { Dispatcher } from 'undici';
import type { Config } from '../config.ts';
import { isAddress, isLocalName } from '../egress/address.ts';
import { asNotSent, NotSent } from './not-sent.ts';
import { isLocalAddress, type Lookup, meantHost, openReach, type Reach } from './reach.ts';

/** One request of a service's. */
export interface Ask {
  url: string;
  /** POST unless told. */
  method?: Dispatcher.HttpMethod;
  headers?: Record<string, string>;
  body?: string;
  /** False accepts every certificate. */
  verify?: boolean;
}

export interface Answer {
  status: number;
  /** The beginning of it. */
  text: string;
}

/** How notifications leave the house. */
export interface Way {
  /** Asks and answers, whatever the status; redirects are not followed. Throws NotSent. */
  ask(what: Ask): Promise<Answer>;
  /** A plain connection, for mail. Throws NotSent. */
  connect(host: string, port: number): Promise<Socket>;
  readonly reach: Reach;
  readonly config: WayConfig;
}

export type WayConfig = Pick<Config, 'allowPrivate' | 'proxyUrl' | 'proxyInsecure'>;

/** What one step may take over the network: a request, a program, a mail. */
export const timeMs = 15_000;
// And all of them together: less than the minute after which the outbox lets somebody else try.
const wholeMs = 45_000;
const readAtMost = 100_000;

async function beginningOf(body: Dispatcher.ResponseData['body']): Promise<string> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of body as AsyncIterable<Buffer>) {
    pieces.push(piece);
    length += piece.length;
    if (length > readAtMost) break; // leaving the loop ends the stream
  }
  return Buffer.concat(pieces).toString('utf8').slice(0, readAtMost);
}

/**
 * Opens a way out for notifications, runs `work` with it, and closes it. It leads to the internet, by the person's own
 * proxy where there is one, and directly into the local network; never to what only this machine
 * itself can reach (reach.ts).
 */
export async function withWay<T>(config: WayConfig, work: (way: Way) => Promise<T>, lookup?: Lookup): Promise<T> {
  const reach = openReach(config, lookup);
  const agents: Dispatcher[] = [];
  const whole = AbortSignal.timeout(wholeMs);
  const keep = <A extends Dispatcher>(agent: A): A => {
    agents.push(agent);
    return agent;
  };

  async function agentFor(host: string, verify: boolean): Promise<Dispatcher> {
    const { Agent, ProxyAgent } = await import('undici');
    const meant = meantHost(host) ?? '';
    if (isAddress(meant)) await reach.addressesOf(meant); // no resolver is asked about these
    const isLocal = isAddress(meant) ? isLocalAddress(meant) : isLocalName(meant);
    if (config.proxyUrl && !isLocal)
      return keep(new ProxyAgent({ uri: config.proxyUrl, requestTls: { rejectUnauthorized: verify && !config.proxyInsecure } }));
    return keep(new Agent({ connect: { lookup: reach.judged, rejectUnauthorized: verify, timeout: timeMs } }));
  }

  async function ask({ url, method = 'POST', headers = {}, body, verify = true }: Ask): Promise<Answer> {
    const { hostname, protocol } = new URL(url);
    if (protocol !== 'http:' && protocol !== 'https:') throw new NotSent('Only http and https can be called.');
    const { request } = await import('undici'); // when it is needed, as in egress/fetch.ts
    try {
      const answer = await request(url, {
        method,
        headers: { 'user-agent': 'Reelkeep', ...headers },
        body: body ?? null,
        dispatcher: await agentFor(hostname, verify),
        signal: AbortSignal.any([whole, AbortSignal.timeout(timeMs)]),
      });
      return { status: answer.statusCode, text: await beginningOf(answer.body) };
    } catch (error) {
      throw asNotSent(error, hostname);
    }
  }

  try {
    return await work({ ask, connect: (host, port) => reach.connect(host, port, timeMs), reach, config });
  } finally {
    await Promise.all(agents.map((agent) => agent.destroy()));
  }
}
