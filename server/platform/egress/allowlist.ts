import ipaddr from 'ipaddr.js';
import { canonicalHost, isAddress } from './ip-classification.ts';

/** Private hosts that the administrator allows. */
export interface Allowlist {
  name: (host: string) => boolean;
  address: (address: string) => boolean;
}

/**
 * Parses a list of host names, addresses and CIDR ranges; `*` allows all.
 * @throws for invalid entries
 */
export function parseAllowlist(list: string[]): Allowlist {
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

/** Returns whether a list is valid. */
export function isValidAllowlist(list: string[]): boolean {
  try {
    parseAllowlist(list);
    return true;
  } catch {
    return false;
  }
}
