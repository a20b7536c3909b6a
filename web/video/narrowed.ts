import { isDay } from '#web/format/dates.ts';
import type { VideoFilter } from './queries.ts';

/** What a page elsewhere narrows a list to: what came on some days, what not every iPhone plays. It stands in the address. */
export type Narrowed = Pick<VideoFilter, 'downloaded_from' | 'downloaded_to' | 'awkward'>;

/** Takes it out of the address. */
export const noNarrowing = { downloaded_from: null, downloaded_to: null, awkward: null };

/** What the address narrows a list to; what makes no sense there is left out. */
export function narrowedIn(search: URLSearchParams): Narrowed {
  const [from, to, awkward] = Object.keys(noNarrowing).map((key) => search.get(key) ?? '');
  return {
    ...(isDay(from!) && { downloaded_from: from }),
    ...(isDay(to!) && { downloaded_to: to }),
    ...((awkward === 'pack' || awkward === 'fetch') && { awkward }),
  };
}
