import ipaddr from 'ipaddr.js';

const globalIpv6 = ipaddr.parseCIDR('2000::/3');

// Metadata services of clouds outside link-local addresses: Alibaba, AWS, Google, Azure.
const metadata = ['100.100.100.200', 'fd00:ec2::254', 'fd20:ce::254', '168.63.129.16'].map((address) =>
  ipaddr.parse(address).toNormalizedString(),
);

/** Returns whether an IP address is a cloud metadata service, which has credentials of the machine. */
export const isCloudMetadata = (address: string): boolean => metadata.includes(ipaddr.process(address).toNormalizedString());

/**
 * Returns whether an address is public. Loopback, private, link-local (cloud metadata), carrier NAT, multicast, documentation and
 * IPv4 embedded in IPv6 (mapped, compatible, NAT64, 6to4, Teredo) are not.
 */
export function isPublic(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  if (parsed.range() !== 'unicast' || isCloudMetadata(address)) return false;
  return parsed.kind() === 'ipv4' || (parsed as ipaddr.IPv6).match(globalIpv6 as [ipaddr.IPv6, number]);
}

/**
 * Canonicalizes a host: lower case, without brackets and trailing dot; decimal, hex and octal IPv4 forms resolved. Null if
 * invalid.
 */
export function canonicalHost(host: string): string | null {
  try {
    const { hostname } = new URL(`http://${host.replace(/%.*?(?=\]|$)/, '')}/`);
    return hostname.replace(/^\[|\]$|\.$/g, '') || null;
  } catch {
    return null;
  }
}

/** Returns whether a canonical host is an IP address. */
export const isAddress = (host: string): boolean => ipaddr.isValid(host);

// Names resolved by home and company networks (RFC 6761, 6762, 8375, reserved strings of ICANN).
const localEndings = ['localhost', 'localdomain', 'local', 'internal', 'intranet', 'private', 'corp', 'home', 'lan', 'home.arpa'];

/** Returns whether a canonical name belongs to the local network: a single label, or a reserved ending. */
export function isLocalName(name: string): boolean {
  return !name.includes('.') || localEndings.some((extension) => name.endsWith(`.${extension}`));
}
