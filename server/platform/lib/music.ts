import type { Music } from '#contract/video.ts';
import { plainText } from './plain-text.ts';

/** What a video is as a piece of music. */
export type MusicFields = Omit<Music, 'is_edited'>;

const maxArtists = 20;
/** Facets (server/platform/db/triggers/facets.ts) are not longer. */
const maxText = 200;

const textOf = (value: unknown): string | null => (typeof value === 'string' ? plainText(value, maxText) : null);

/** Returns a year, also of a text; null for anything else. */
function yearOf(value: unknown): number | null {
  const year = typeof value === 'string' && /^\d{4}$/.test(value) ? Number(value) : value;
  return typeof year === 'number' && Number.isInteger(year) && year >= 1000 && year <= 9999 ? year : null;
}

/** Returns the valid ones of untrusted fields; null if there is neither artist, nor album, nor track. */
export function cleanMusic(found: Partial<Record<keyof MusicFields, unknown>>): MusicFields | null {
  const names = Array.isArray(found.artists) ? found.artists.slice(0, 5 * maxArtists).map(textOf) : [];
  const artists = [...new Set(names.filter((name) => name !== null))].slice(0, maxArtists);
  const [album, track] = [textOf(found.album), textOf(found.track)];
  return artists.length === 0 && album === null && track === null ? null : { artists, album, track, year: yearOf(found.year) };
}
