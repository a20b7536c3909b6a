import ipaddr from 'ipaddr.js';

type Range = [address: ipaddr.IPv4 | ipaddr.IPv6, bits: number];

// Names that other programs of Node know as well.
const names = new Map([
  ['loopback', ['127.0.0.0/8', '::1/128']],
  ['linklocal', ['169.254.0.0/16', 'fe80::/10']],
  ['uniquelocal', ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7']],
]);

function rangesOf(text: string): Range[] {
  const known = names.get(text.toLowerCase());
  if (known) return known.flatMap(rangesOf);
  // The library also reads 10.1 and 0x7f000001, as old programs did; nobody means that here.
  if (!text.includes(':') && !/^\d{1,3}(\.\d{1,3}){3}(\/\d{1,2})?$/.test(text)) throw new Error('no address');
  if (text.includes('/')) return [ipaddr.parseCIDR(text)];
  const address = ipaddr.process(text);
  return [[address, address.kind() === 'ipv4' ? 32 : 128]];
}

/** Whether a text is an address or a range of them, such as `10.0.0.0/8`. */
export function isNetwork(text: string): boolean {
  try {
    return rangesOf(text).length > 0;
  } catch {
    return false;
  }
}

// Ranges that are wide and yet nobody's on the internet.
const local = [ipaddr.parseCIDR('fc00::/7'), ipaddr.parseCIDR('fe80::/10')];

/** Whether a network is so wide (more than a /8 of IPv4, or a /16 of IPv6 that is not local) that it can be no one's own. */
export function isWide(text: string): boolean {
  const isLocal = (address: Range[0], bits: number) =>
    local.some(([range, least]) => range.kind() === address.kind() && bits >= least && address.match(range as never, least));
  return rangesOf(text).some(([address, bits]) => bits < (address.kind() === 'ipv4' ? 8 : 16) && !isLocal(address, bits));
}

/** Makes the question whether an address is in one of these ranges. Every text must be a network. */
export function within(texts: readonly string[]): (address: string | undefined) => boolean {
  const ranges = texts.flatMap(rangesOf);
  return (text) => {
    if (ranges.length === 0 || text === undefined || !ipaddr.isValid(text)) return false;
    const address = ipaddr.process(text); // an IPv4 address in IPv6's clothes is itself
    return ranges.some(([range, bits]) => range.kind() === address.kind() && address.match(range as never, bits));
  };
}

/** What one household has of addresses: an IPv4 address, or the first half of an IPv6 address. */
export function householdOf(text: string): string {
  if (!ipaddr.isValid(text)) return text;
  const address = ipaddr.process(text);
  return address.kind() === 'ipv4' ? address.toString() : (address as ipaddr.IPv6).parts.slice(0, 4).join(':');
}
