import { message, type Message } from '#contract/messages.ts';
import { renderMessages } from '../messages/render.ts';
import { randomBytes } from 'node:crypto';
import { lookup as systemLookup } from 'node:dns/promises';
import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { RequestError, Server, type PrepareRequestFunctionOpts } from 'proxy-chain';
import { canonicalHost, isAddress } from './ip-classification.ts';
import { parseAllowlist } from './allowlist.ts';
import { type ProxyFetch, createProxyFetch } from './fetch.ts';
import { checkAddress, checkHost, type HostCheck, type Refusal } from './host-policy.ts';
import { isSamePassword, pinnedLookup, type Lookup } from './pinned-lookup.ts';
import { proxyStatus } from './status.ts';

export interface ForwardProxyOptions {
  /** Upstream proxy of the user: `http://`, `https://` or `socks5://`, with or without credentials. It resolves the names. */
  upstream?: string;
  /** Allowed private hosts, addresses and ranges; `['*']` for all. */
  allow: string[];
  /** Disables certificate checks. */
  insecure?: boolean;
  /** Additional ports for encrypted connections besides 443 and 80. */
  ports?: number[];
  /** Resolves all addresses of a name. Default: the resolver of the system. */
  lookup?: Lookup;
}

/** A proxy on loopback that connects only to the public internet. All outgoing traffic passes it. */
export interface ForwardProxy {
  /** With random credentials: `http://user:password@127.0.0.1:port`. */
  url: string;
  /** Rejected connections, newest last, at most 100. */
  refused: Refusal[];
  fetch: ProxyFetch;
  close: () => Promise<void>;
}

const tunnelPorts = [443, 80];
const maxRefused = 100;

/**
 * Starts the proxy (docs/decisions/forward-proxy.md). Every request is checked: addresses in any form must be public, names are
 * resolved here and all their addresses must be public, and the connection uses these addresses, so that a second DNS response
 * cannot change the target. Rejected requests get `proxyStatus.refused` and a message.
 */
export async function openForwardProxy({
  upstream,
  allow,
  insecure = false,
  ports = [],
  lookup = resolve,
}: ForwardProxyOptions): Promise<ForwardProxy> {
  const allowed = parseAllowlist(allow);
  const user = 'reelkeep';
  const password = randomBytes(24).toString('hex');
  const refused: Refusal[] = [];
  // Own agents: open connections of the shared ones were not checked.
  const agents = { httpAgent: new HttpAgent(), httpsAgent: new HttpsAgent() };

  const refuse = (host: string, why: Message): never => {
    refused.push({ host: host.slice(0, 300), why });
    if (refused.length > maxRefused) refused.shift();
    throw new RequestError(renderMessages(why), proxyStatus.refused);
  };

  async function checkTarget(host: string): Promise<{ addresses: string[]; vouched: boolean }> {
    const pass = (judged: HostCheck): boolean => ('why' in judged ? refuse(host, judged.why) : judged.vouched);
    const vouched = pass(checkHost(host, allowed));
    if (isAddress(host)) return { addresses: [host], vouched };
    if (upstream) return { addresses: [], vouched };
    const addresses = await lookup(host).catch(() => []);
    if (addresses.length === 0) throw new RequestError(`${host} was not found.`, proxyStatus.nameNotFound);
    if (vouched) return { addresses, vouched };
    const isVouched = addresses.map((address) => pass(checkAddress(host, address, allowed)));
    return { addresses, vouched: isVouched.every(Boolean) };
  }

  async function prepare({ request, username, password: given, hostname, port, isHttp }: PrepareRequestFunctionOpts) {
    if (username !== user || !isSamePassword(given, password)) return { requestAuthentication: true };
    const host = canonicalHost(hostname);
    if (!host) return refuse(hostname, message('error.not-a-host', { host: hostname }));
    const { addresses, vouched } = await checkTarget(host);
    if (!isHttp && !vouched && !tunnelPorts.includes(port) && !ports.includes(port)) {
      return refuse(host, message('error.blocked-port', { host, port: String(port) }));
    }
    // Normalized, so that the next parser reads the same target that was checked.
    request.url = isHttp ? new URL(request.url as string).href : `${host.includes(':') ? `[${host}]` : host}:${port}`;
    if (upstream) return { upstreamProxyUrl: upstream, ignoreUpstreamProxyCertificate: insecure, ...agents };
    return { dnsLookup: pinnedLookup(addresses), ...agents };
  }

  const server = new Server({ port: 0, host: '127.0.0.1', prepareRequestFunction: prepare, authRealm: 'Reelkeep' });
  await server.listen();
  const url = `http://${user}:${password}@127.0.0.1:${server.port}`;
  const { fetch, close } = createProxyFetch({ url, insecure, refused, allow });
  return {
    url,
    refused,
    fetch,
    async close() {
      await close();
      await server.close(true);
      agents.httpAgent.destroy();
      agents.httpsAgent.destroy();
    },
  };
}

const resolve: Lookup = async (name) => (await systemLookup(name, { all: true })).map(({ address }) => address);
