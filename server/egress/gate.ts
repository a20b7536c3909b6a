import { randomBytes } from 'node:crypto';
import { lookup as systemLookup } from 'node:dns/promises';
import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { RequestError, Server, type PrepareRequestFunctionOpts } from 'proxy-chain';
import { canonicalHost, isAddress } from './address.ts';
import { readAllowed } from './allowed.ts';
import { type FetchThrough, fetchThrough } from './fetch.ts';
import { judgeAddress, judgeHost, type Judgement, type Refusal } from './judge.ts';
import { isSamePassword, pinned, type Lookup } from './pinned.ts';

export interface GateOptions {
  /** The person's own proxy: `http://`, `https://` or `socks5://`, with or without credentials. It resolves the names. */
  upstream?: string;
  /** Private hosts, addresses and ranges that may be reached all the same; `['*']` for all. */
  allow: string[];
  /** Do not check certificates. */
  insecure?: boolean;
  /** Ports for encrypted connections besides 443 and 80. */
  ports?: number[];
  /** Asks for all addresses of a name; the system's resolver unless told. */
  lookup?: Lookup;
}

/** The only way out of the house: a proxy on loopback that connects to the public internet and nowhere else. */
export interface Gate {
  /** With a user name and password that only we know: `http://user:password@127.0.0.1:port`. */
  url: string;
  /** What was refused, newest last, at most 100. */
  refused: Refusal[];
  fetch: FetchThrough;
  close: () => Promise<void>;
}

const tunnelPorts = [443, 80];
const remembered = 100;

/**
 * Opens the gate. Every request is judged on its own: addresses in any written form must be public, names are resolved
 * here and *all* their addresses must be public, and the connection goes to the addresses that were judged, so that a
 * second answer of a DNS server cannot lead elsewhere. What is refused is answered with 403 and a sentence.
 */
export async function openGate({ upstream, allow, insecure = false, ports = [], lookup = resolve }: GateOptions): Promise<Gate> {
  const allowed = readAllowed(allow);
  const user = 'reelkeep';
  const password = randomBytes(24).toString('hex');
  const refused: Refusal[] = [];
  // Not the shared agents: their open connections were judged by nobody here.
  const agents = { httpAgent: new HttpAgent(), httpsAgent: new HttpsAgent() };

  const refuse = (host: string, why: string): never => {
    refused.push({ host: host.slice(0, 300), why });
    if (refused.length > remembered) refused.shift();
    throw new RequestError(why, 403);
  };

  async function judge(host: string): Promise<{ addresses: string[]; vouched: boolean }> {
    const pass = (judged: Judgement): boolean => ('why' in judged ? refuse(host, judged.why) : judged.vouched);
    const vouched = pass(judgeHost(host, allowed));
    if (isAddress(host)) return { addresses: [host], vouched };
    if (upstream) return { addresses: [], vouched };
    const addresses = await lookup(host).catch(() => []);
    if (addresses.length === 0) throw new RequestError(`${host} was not found.`, 404);
    if (vouched) return { addresses, vouched };
    const isVouched = addresses.map((address) => pass(judgeAddress(host, address, allowed)));
    return { addresses, vouched: isVouched.every(Boolean) };
  }

  async function prepare({ request, username, password: given, hostname, port, isHttp }: PrepareRequestFunctionOpts) {
    if (username !== user || !isSamePassword(given, password)) return { requestAuthentication: true };
    const host = canonicalHost(hostname);
    if (!host) return refuse(hostname, `"${hostname}" is no host name.`);
    const { addresses, vouched } = await judge(host);
    if (!isHttp && !vouched && !tunnelPorts.includes(port) && !ports.includes(port)) {
      return refuse(host, `Port ${port} of ${host} is not one that downloads may reach.`);
    }
    // Whoever reads the target after us must read what was judged, however it was written.
    request.url = isHttp ? new URL(request.url as string).href : `${host.includes(':') ? `[${host}]` : host}:${port}`;
    if (upstream) return { upstreamProxyUrl: upstream, ignoreUpstreamProxyCertificate: insecure, ...agents };
    return { dnsLookup: pinned(addresses), ...agents };
  }

  const server = new Server({ port: 0, host: '127.0.0.1', prepareRequestFunction: prepare, authRealm: 'Reelkeep' });
  await server.listen();
  const url = `http://${user}:${password}@127.0.0.1:${server.port}`;
  const { fetch, close } = fetchThrough({ url, insecure, refused, allow });
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
