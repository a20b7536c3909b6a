import ipaddr from 'ipaddr.js';

const globalIpv6 = ipaddr.parseCIDR('2000::/3');

/**
 * Whether an address is an ordinary one of the public internet. Everything that leads elsewhere is not: loopback,
 * private, link-local (cloud metadata), carrier NAT, multicast, documentation, and IPv4 hidden in IPv6 (mapped,
 * compatible, NAT64, 6to4, Teredo).
 */
export function isPublic(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  if (parsed.range() !== 'unicast') return false;
  return parsed.kind() === 'ipv4' || (parsed as ipaddr.IPv6).match(globalIpv6 as [ipaddr.IPv6, number]);
}

/** A host as it is really meant: lower case, without brackets or last dot, decimal, hex and octal forms of IPv4 resolved. */
export function canonicalHost(host: string): string | null {
  try {
    const { hostname } = new URL(`http://${host.replace(/%.*?(?=\]|$)/, '')}/`);
    return hostname.replace(/^\[|\]$|\.$/g, '') || null;
  } catch {
    return null;
  }
}

/** Whether a canonical host is an address and no name. */
export const isAddress = (host: string): boolean => ipaddr.isValid(host);

// What home and company networks resolve for themselves (RFC 6761, 6762, 8375, ICANN's reserved strings).
const localEndings = ['localhost', 'localdomain', 'local', 'internal', 'intranet', 'private', 'corp', 'home', 'lan', 'home.arpa'];

/** Whether a canonical name can only mean something in the local network: one word, or one of the endings kept for that. */
export function isLocalName(name: string): boolean {
  return !name.includes('.') || localEndings.some((ending) => name.endsWith(`.${ending}`));
}
