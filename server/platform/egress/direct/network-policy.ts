import { message } from '#contract/messages.ts';
import { lookup as systemLookup } from 'node:dns/promises';
import { connect as dial, isIPv6, type LookupFunction, type Socket } from 'node:net';
import ipaddr from 'ipaddr.js';
import { canonicalHost, isAddress, isCloudMetadata, isPublic } from '../ip-classification.ts';
import { parseAllowlist } from '../allowlist.ts';
import { asConnectionError, ConnectionError } from './errors.ts';

// Self-hosted ntfy, Gotify, mail and media servers are in the local network, so requests to hosts that a user named, unlike downloads,
// may connect to it.
const local = ['private', 'uniqueLocal', 'carrierGradeNat'];

/** Address ranges of home and company networks. */
export const localRanges = ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10', 'fc00::/7'];

/**
 * Returns whether an address may be connected to: the internet and the local network, but not this machine or cloud
 * metadata.
 */
export function isAllowedTarget(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  if (isCloudMetadata(address)) return false;
  return isPublic(address) || local.includes(ipaddr.process(address).range());
}

/** Returns whether an address is in the local network. */
export const isLocalAddress = (address: string): boolean => isAddress(address) && local.includes(ipaddr.process(address).range());

/** Returns the canonical form of a host, with or without IPv6 brackets; null if it is not a host. */
export const normalizedHost = (host: string): string | null => canonicalHost(/^[^[]*:/.test(host) ? `[${host}]` : host);

/** Resolves a name to all its addresses. */
export type Lookup = (name: string) => Promise<string[]>;
const resolve: Lookup = async (name) => (await systemLookup(name, { all: true })).map(({ address }) => address);

/** Creates the policy that decides which hosts may be connected to. */
export function createNetworkPolicy({ allowPrivate }: { allowPrivate: string[] }, lookup: Lookup = resolve) {
  const allowed = parseAllowlist(allowPrivate);

  /** Returns all addresses of a host. @throws if one of them is not allowed. */
  async function addressesOf(host: string): Promise<string[]> {
    const meant = normalizedHost(host);
    if (!meant) throw new ConnectionError(message('error.not-a-host', { host }));
    const addresses = isAddress(meant)
      ? [meant]
      : await lookup(meant).catch((error: unknown) => Promise.reject(asConnectionError(error, meant)));
    if (addresses.length === 0) throw new ConnectionError(message('connection.not-found', { host: meant }));
    const bad = addresses.find((address) => !isAllowedTarget(address) && !allowed.name(meant) && !allowed.address(address));
    if (bad) throw new ConnectionError(message('connection.blocked', { address: meant === bad ? bad : `${meant} (${bad})` }));
    return addresses;
  }

  // Connects to the checked addresses, so a second DNS answer cannot redirect the connection (DNS rebinding).
  const judged: LookupFunction = (name, options, answer) => {
    addressesOf(name).then(
      (addresses) => {
        const found = addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }));
        if (options.all) answer(null, found);
        else answer(null, found[0]!.address, found[0]!.family);
      },
      (error: Error) => answer(error, '', 0),
    );
  };

  /** Opens a TCP connection, for protocols other than HTTP. */
  async function connect(host: string, port: number, timeMs: number): Promise<Socket> {
    await addressesOf(host); // literal addresses do not go through `lookup`
    const socket = dial({ host: normalizedHost(host)!, port, lookup: judged, autoSelectFamily: true });
    const timer = setTimeout(() => socket.destroy(new ConnectionError(message('connection.timeout', { host }))), timeMs);
    try {
      await new Promise<void>((resolve, reject) => socket.once('connect', resolve).once('error', reject));
    } catch (error) {
      socket.destroy();
      throw asConnectionError(error, host);
    } finally {
      clearTimeout(timer);
    }
    return socket;
  }

  return { addressesOf, judged, connect };
}
export type NetworkPolicy = ReturnType<typeof createNetworkPolicy>;
