import ipaddr from 'ipaddr.js';

type Range = [address: ipaddr.IPv4 | ipaddr.IPv6, bits: number];

// Names that Express and proxy-addr also know.
const names = new Map([
  ['loopback', ['127.0.0.0/8', '::1/128']],
  ['linklocal', ['169.254.0.0/16', 'fe80::/10']],
  ['uniquelocal', ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7']],
]);

function rangesOf(text: string): Range[] {
  const known = names.get(text.toLowerCase());
  if (known) return known.flatMap(rangesOf);
  // The library also accepts the historical forms 10.1 and 0x7f000001, which are probably mistakes here.
  if (!text.includes(':') && !/^\d{1,3}(\.\d{1,3}){3}(\/\d{1,2})?$/.test(text)) throw new Error('no address');
  if (text.includes('/')) return [ipaddr.parseCIDR(text)];
  const address = ipaddr.process(text);
  return [[address, address.kind() === 'ipv4' ? 32 : 128]];
}

/** Returns whether a text is an IP address or a CIDR range, such as `10.0.0.0/8`. */
export function isNetwork(text: string): boolean {
  try {
    return rangesOf(text).length > 0;
  } catch {
    return false;
  }
}

// Wide ranges that are not routed on the internet.
const local = [ipaddr.parseCIDR('fc00::/7'), ipaddr.parseCIDR('fe80::/10')];

/** Returns whether a network is too wide to belong to one owner: wider than /8 for IPv4, or /16 for IPv6 unless local. */
export function isWideNetwork(text: string): boolean {
  const isLocal = (address: Range[0], bits: number) =>
    local.some(([range, prefix]) => range.kind() === address.kind() && bits >= prefix && address.match(range as never, prefix));
  return rangesOf(text).some(([address, bits]) => bits < (address.kind() === 'ipv4' ? 8 : 16) && !isLocal(address, bits));
}

const loopback = [ipaddr.parseCIDR('127.0.0.0/8'), ipaddr.parseCIDR('::1/128')];

/** Returns whether a network is wider than /24 for IPv4 or /64 for IPv6, so that it contains machines other than the intended one. */
export const spansManyMachines = (text: string): boolean =>
  rangesOf(text).some(
    ([address, bits]) =>
      bits < (address.kind() === 'ipv4' ? 24 : 64) &&
      !loopback.some(([range, prefix]) => range.kind() === address.kind() && address.match(range as never, prefix)),
  );

/**
 * Returns a function that checks whether an address is in one of these networks.
 * @throws if a text is not a network
 */
export function isWithin(texts: readonly string[]): (address: string | undefined) => boolean {
  const ranges = texts.flatMap(rangesOf);
  return (text) => {
    if (ranges.length === 0 || text === undefined || !ipaddr.isValid(text)) return false;
    const address = ipaddr.process(text); // IPv4-mapped IPv6 becomes IPv4
    return ranges.some(([range, bits]) => range.kind() === address.kind() && address.match(range as never, bits));
  };
}

/** Returns the part of an address that identifies a household: an IPv4 address, or the first 64 bits of an IPv6 address. */
export function subnetOf(text: string): string {
  if (!ipaddr.isValid(text)) return text;
  const address = ipaddr.process(text);
  return address.kind() === 'ipv4' ? address.toString() : (address as ipaddr.IPv6).parts.slice(0, 4).join(':');
}
