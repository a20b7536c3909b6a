import { createHash } from 'node:crypto';

const mostCharacters = 120;
const unsafe = /[^-A-Za-z0-9_]/g;

const shortHash = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 10);

/** A word that may stand in a file name and in a path of the API. What had to change gets a short hash, so that no two become one. */
export function safeWord(text: string): string {
  const safe = text.replace(unsafe, '_');
  if (safe === text && safe !== '' && safe.length <= mostCharacters - 20) return safe;
  return `${safe.slice(0, mostCharacters - 32)}-${shortHash(text)}`;
}

/** The id of a video on the wire: YouTube's own as it is, any other site's as `<site>.<id>`; at most 120 characters of [-A-Za-z0-9_.]. */
export const wireId = (site: string, siteId: string): string =>
  site === 'youtube' && /^[-\w]{11}$/.test(siteId)
    ? siteId
    : `${safeWord(site).slice(0, 40)}.${safeWord(siteId)}`.slice(0, mostCharacters);

/** The id of a channel on the wire, by the same rule. */
export const channelWireId = (site: string, siteId: string): string =>
  site === 'youtube' && /^UC[-\w]{22}$/.test(siteId)
    ? siteId
    : `${safeWord(site).slice(0, 40)}.${safeWord(siteId)}`.slice(0, mostCharacters);
