import ipaddr from 'ipaddr.js';
import { canonicalHost, isAddress } from './address.ts';

/** The private places that the person who runs the server vouches for. */
export interface Allowed {
  name: (host: string) => boolean;
  address: (address: string) => boolean;
}

/** Reads a list of host names, addresses and CIDR ranges; `*` stands for everything. Throws at what is none of these. */
export function readAllowed(list: string[]): Allowed {
  if (list.includes('*')) return { name: () => true, address: () => true };
  const names = new Set<string>();
  const ranges: [ipaddr.IPv4 | ipaddr.IPv6, number][] = [];
  for (const line of list) {
    if (line.includes('/')) {
      ranges.push(ipaddr.parseCIDR(line));
      continue;
    }
    const host = canonicalHost(line.includes(':') && !line.startsWith('[') ? `[${line}]` : line);
    if (!host) throw new Error(`"${line}" is no host name, address or range.`);
    if (isAddress(host)) ranges.push([ipaddr.process(host), ipaddr.process(host).kind() === 'ipv4' ? 32 : 128]);
    else names.add(host);
  }
  return {
    name: (host) => names.has(host),
    address: (address) => {
      const parsed = ipaddr.process(address);
      return ranges.some(([range, bits]) => range.kind() === parsed.kind() && parsed.match(range, bits));
    },
  };
}

/** Whether a list can be read. */
export function isAllowedList(list: string[]): boolean {
  try {
    readAllowed(list);
    return true;
  } catch {
    return false;
  }
}
