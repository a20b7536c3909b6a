import { createHash } from 'node:crypto';

const maxLength = 120;
const unsafe = /[^-A-Za-z0-9_]/g;

const shortHash = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 10);

/** Converts a text for use in file names and API paths. If characters are replaced, a short hash is appended to keep it unique. */
export function safeWord(text: string): string {
  const safe = text.replace(unsafe, '_');
  if (safe === text && safe !== '' && safe.length <= maxLength - 20) return safe;
  return `${safe.slice(0, maxLength - 32)}-${shortHash(text)}`;
}

// Addresses of PeerTube contain a UUID, or the same number in base 58 (flickrBase58 of the npm package short-uuid).
const shortDigits = '123456789abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ';
const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

function shortUuid(long: string): string {
  let text = '';
  for (let rest = BigInt(`0x${long.replaceAll('-', '')}`); rest > 0n; rest /= 58n) text = shortDigits[Number(rest % 58n)]! + text;
  return text.padStart(22, '1');
}

/** Some sites have two ids for one video. */
const oneIdFor: Record<string, (siteId: string) => string> = {
  peertube: (siteId) => (uuid.test(siteId) ? shortUuid(siteId) : siteId),
  // The first part of a video, or all of it: an id without a part belongs to a video of one part.
  bilibili: (siteId) => siteId.replace(/^(BV\w{10})_p1$/, '$1'),
};

/** Public id of a video: unchanged for YouTube, `<site>.<id>` for other sites; at most 120 characters of [-A-Za-z0-9_.]. */
export function publicId(site: string, siteId: string): string {
  if (site === 'youtube' && /^[-\w]{11}$/.test(siteId)) return siteId;
  return `${safeWord(site).slice(0, 40)}.${safeWord(oneIdFor[site]?.(siteId) ?? siteId)}`.slice(0, maxLength);
}

/** Public id of a channel, by the same rule. */
export const publicChannelId = (site: string, siteId: string): string =>
  site === 'youtube' && /^UC[-\w]{22}$/.test(siteId)
    ? siteId
    : `${safeWord(site).slice(0, 40)}.${safeWord(siteId)}`.slice(0, maxLength);
