import { canonicalHost, isAddress, isLocalName, isPublic } from './address.ts';
import { type Allowed, readAllowed } from './allowed.ts';

/** What the gate did not let through, and why: a sentence for the person. */
export interface Refusal {
  host: string;
  why: string;
}

/** Whether a place was reached because somebody vouched for it, or the sentence why it may not be reached. */
export type Judgement = { vouched: boolean } | { why: string };

/** Judges a host by its looks: addresses in whatever form, and names that mean the local network. Nothing is asked of DNS. */
export function judgeHost(host: string, allowed: Allowed): Judgement {
  const meant = canonicalHost(host);
  if (!meant) return { why: `"${host}" is no host name.` };
  if (allowed.name(meant)) return { vouched: true };
  if (isAddress(meant)) return judgeAddress(host, meant, allowed);
  if (isLocalName(meant)) return { why: `${meant} is a name of the local network, which downloads may not reach.` };
  return { vouched: false };
}

/** Judges an address that a host was found to have. */
export function judgeAddress(host: string, address: string, allowed: Allowed): Judgement {
  if (isPublic(address)) return { vouched: false };
  if (allowed.address(address)) return { vouched: true };
  const where = host === address ? address : `${host} (${address})`;
  return { why: `${where} is no address of the public internet, and downloads may reach only that.` };
}

/**
 * Judges a URL before anything is started for it: null when it may be tried, else the sentence for the person. What it
 * lets pass is judged again, with the addresses it turns out to have, when it is connected to.
 */
export function judgeUrl(url: string, allow: string[]): string | null {
  if (!URL.canParse(url)) return `"${url.slice(0, 200)}" is no URL.`;
  const { protocol, hostname } = new URL(url);
  if (protocol !== 'http:' && protocol !== 'https:') {
    return `Only http and https can be fetched, not ${protocol.slice(0, -1)}.`;
  }
  const judged = judgeHost(hostname, readAllowed(allow));
  return 'why' in judged ? judged.why : null;
}
