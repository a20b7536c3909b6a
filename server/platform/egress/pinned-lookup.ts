import { timingSafeEqual } from 'node:crypto';
import type { LookupFunction } from 'node:net';
import type { lookup } from 'node:dns';
import { isIPv6 } from 'node:net';

/** Returns all addresses of a name. */
export type Lookup = (name: string) => Promise<string[]>;

/** Creates a resolver that returns only the given addresses. */
export function pinnedLookup(addresses: string[]): typeof lookup {
  const results = addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }));
  const lookupPinned: LookupFunction = (_name, options, callback) => {
    const [first] = results;
    if (!first) callback(new Error('no address'), '', 0);
    else if (options.all) callback(null, results);
    else callback(null, first.address, first.family);
  };
  return lookupPinned as typeof lookup;
}

export function isSamePassword(given: string, password: string): boolean {
  const bytes = Buffer.from(given);
  return bytes.length === Buffer.byteLength(password) && timingSafeEqual(bytes, Buffer.from(password));
}
