import { lookup as systemLookup } from 'node:dns/promises';
import { connect as dial, isIPv6, type LookupFunction, type Socket } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { Config } from '../config.ts';
import { canonicalHost, isAddress, isPublic } from '../egress/address.ts';
import { readAllowed } from '../egress/allowed.ts';
import { asNotSent, NotSent } from './not-sent.ts';

// ntfy, Gotify and mail servers of people's own live in the local network, so unlike downloads a notification may go there.
const local = ['private', 'uniqueLocal', 'carrierGradeNat'];
// Where clouds answer their machines' questions outside of link-local: Alibaba, AWS, Google, Azure.
const metadata = ['100.100.100.200', 'fd00:ec2::254', 'fd20:ce::254', '168.63.129.16'].map((address) =>
  ipaddr.parse(address).toNormalizedString(),
);

/** The ranges of home and company networks. */
export const localRanges = ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10', 'fc00::/7'];

/** Whether a notification may go to an address: the internet and the local network, but never this machine or its cloud. */
export function mayBeTold(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  if (metadata.includes(parsed.toNormalizedString())) return false;
  return isPublic(address) || local.includes(parsed.range());
}

/** Whether an address is one of the local network. */
export const isLocalAddress = (address: string): boolean => isAddress(address) && local.includes(ipaddr.process(address).range());

/** A host as it is really meant, whether or not an address of IPv6 has its brackets; null when it is none. */
export const meantHost = (host: string): string | null => canonicalHost(/^[^[]*:/.test(host) ? `[${host}]` : host);

/** All addresses of a name. */
export type Lookup = (name: string) => Promise<string[]>;
const resolve: Lookup = async (name) => (await systemLookup(name, { all: true })).map(({ address }) => address);

/** Finds out where a host is, and whether a notification may go there. */
export function openReach({ allowPrivate }: Pick<Config, 'allowPrivate'>, lookup: Lookup = resolve) {
  const allowed = readAllowed(allowPrivate);

  /** All addresses of a host, judged: one that may not be reached spoils them all. */
  async function addressesOf(host: string): Promise<string[]> {
    const meant = meantHost(host);
    if (!meant) throw new NotSent(`"${host}" is no host name.`);
    const addresses = isAddress(meant)
      ? [meant]
      : await lookup(meant).catch((error: unknown) => Promise.reject(asNotSent(error, meant)));
    if (addresses.length === 0) throw new NotSent(`${meant} was not found.`);
    const bad = addresses.find((address) => !mayBeTold(address) && !allowed.name(meant) && !allowed.address(address));
    if (bad)
      throw new NotSent(
        `${meant === bad ? bad : `${meant} (${bad})`} is this machine itself or no ordinary address, and requests may not go there.`,
      );
    return addresses;
  }

  // The connection goes to what was judged, so a second answer of a DNS server cannot lead elsewhere.
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

  /** A plain connection, for what is no HTTP. */
  async function connect(host: string, port: number, timeMs: number): Promise<Socket> {
    await addressesOf(host); // nobody asks the resolver about what is an address already
    const socket = dial({ host: meantHost(host)!, port, lookup: judged, autoSelectFamily: true });
    const timer = setTimeout(() => socket.destroy(new NotSent(`${host} did not answer in time.`)), timeMs);
    try {
      await new Promise<void>((resolve, reject) => socket.once('connect', resolve).once('error', reject));
    } catch (error) {
      socket.destroy();
      throw asNotSent(error, host);
    } finally {
      clearTimeout(timer);
    }
    return socket;
  }

  return { addressesOf, judged, connect };
}
export type Reach = ReturnType<typeof openReach>;
