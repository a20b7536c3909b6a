import { message, type Message } from '#contract/messages.ts';
import { canonicalHost, isAddress, isLocalName, isPublic } from './ip-classification.ts';
import { type Allowlist, parseAllowlist } from './allowlist.ts';

/** A rejected connection with a message for the user. */
export interface Refusal {
  host: string;
  why: Message;
}

/** Whether a host is allowed because of the allowlist, or why it is rejected. */
export type HostCheck = { vouched: boolean } | { why: Message };

/** Checks a host without DNS: IP addresses in any form, and names of the local network. */
export function checkHost(host: string, allowed: Allowlist): HostCheck {
  const canonical = canonicalHost(host);
  if (!canonical) return { why: message('error.not-a-host', { host }) };
  if (allowed.name(canonical)) return { vouched: true };
  if (isAddress(canonical)) return checkAddress(host, canonical, allowed);
  if (isLocalName(canonical)) return { why: message('error.local-name', { host: canonical }) };
  return { vouched: false };
}

/** Checks a resolved address of a host. */
export function checkAddress(host: string, address: string, allowed: Allowlist): HostCheck {
  if (isPublic(address)) return { vouched: false };
  if (allowed.address(address)) return { vouched: true };
  const where = host === address ? address : `${host} (${address})`;
  return { why: message('error.private-address', { address: where }) };
}

/**
 * Checks a URL before a program is started for it. Returns null or a message for the user. Allowed hosts are checked again with
 * their addresses when connecting.
 */
export function checkUrl(url: string, allow: string[]): Message | null {
  if (!URL.canParse(url)) return message('error.not-a-url', { url: url.slice(0, 200) });
  const { protocol, hostname } = new URL(url);
  if (protocol !== 'http:' && protocol !== 'https:') {
    return message('error.url-scheme', { scheme: protocol.slice(0, -1) });
  }
  const judged = checkHost(hostname, parseAllowlist(allow));
  return 'why' in judged ? judged.why : null;
}
