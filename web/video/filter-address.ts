import { isDay } from '#web/format/dates.ts';
import { kindOf } from './kinds.ts';
import type { VideoFilter } from './queries.ts';

// A filter as it stands in an address: what an address says is what a list shows, and the other way round.

/** All of a list but the page; whole numbers as numbers. */
export interface Filter {
  channel?: string;
  playlist?: string;
  type?: 'videos' | 'streams' | 'shorts';
  watch?: 'watched' | 'unwatched' | 'continue';
  height?: number;
  from?: string;
  to?: string;
  /** Seconds. */
  min_duration?: number;
  max_duration?: number;
  downloaded_from?: string;
  downloaded_to?: string;
  awkward?: 'pack' | 'fetch';
  tag?: string;
  subtitles?: string;
  codec?: string;
  /** Bytes. */
  min_size?: number;
  max_size?: number;
  transcript?: boolean;
  damaged?: boolean;
  sort?: 'published' | 'downloaded' | 'views' | 'likes' | 'duration' | 'mediasize' | 'width' | 'height';
  order?: 'asc' | 'desc';
}
type Key = keyof Filter;
type Missing = Exclude<keyof VideoFilter, Key | 'page'>;

const oneOf =
  <T extends string>(...words: T[]) =>
  (text: string): T | undefined =>
    words.find((word) => word === text);
const whole = (most: number) => (text: string) => (/^\d+$/.test(text) && Number(text) <= most ? Number(text) : undefined);
const words = (most: number) => (text: string) => text.trim().slice(0, most).trim() || undefined;
const day = (text: string) => (isDay(text) ? text : undefined);
const flag = (text: string) => (text === 'true' ? true : text === 'false' ? false : undefined);

const secondsInMinute = 60;
const longest = 1_000_000_000;
/** Minutes, as people say them. */
const length = (text: string) => {
  const seconds = /^\d+(\.\d+)?$/.test(text) ? Math.round(Number(text) * secondsInMinute) : Number.NaN;
  return seconds <= longest ? seconds : undefined;
};
/** Exact to the second when it is read again. */
const minutes = (seconds: number) => String(Number((seconds / secondsInMinute).toFixed(4)));

type Word = {
  [K in Key]-?: { read(text: string): Filter[K] | undefined; as?: string; write?(value: NonNullable<Filter[K]>): string };
};
const inAddress: Word & Record<Missing, never> = {
  channel: { read: words(200) },
  playlist: { read: words(200) },
  type: { read: (text) => kindOf(text) || undefined, as: 'kind' },
  watch: { read: oneOf('watched', 'unwatched', 'continue') },
  height: { read: whole(100_000) },
  from: { read: day },
  to: { read: day },
  min_duration: { read: length, as: 'min', write: minutes },
  max_duration: { read: length, as: 'max', write: minutes },
  downloaded_from: { read: day },
  downloaded_to: { read: day },
  awkward: { read: oneOf('pack', 'fetch') },
  tag: { read: words(200) },
  subtitles: { read: words(35) },
  codec: { read: words(50) },
  min_size: { read: whole(Number.MAX_SAFE_INTEGER) },
  max_size: { read: whole(Number.MAX_SAFE_INTEGER) },
  transcript: { read: flag },
  damaged: { read: flag },
  sort: { read: oneOf('published', 'downloaded', 'views', 'likes', 'duration', 'mediasize', 'width', 'height') },
  order: { read: oneOf('asc', 'desc') },
};
export const filterKeys = Object.keys(inAddress) as Key[];

/** The filter in an address; what makes no sense there is left out. */
export function filterIn(search: URLSearchParams): Filter {
  const known = filterKeys.flatMap((key) => {
    const { read, as = key } = inAddress[key];
    const text = search.get(as);
    const value = text === null ? undefined : read(text);
    return value === undefined ? [] : [[key, value]];
  });
  return Object.fromEntries(known) as Filter;
}

/** The words of a filter for an address; null for each that is to go. */
export function wordsOf(filter: Filter, keys: readonly Key[] = filterKeys): Record<string, string | null> {
  const wordOf = (key: Key) => {
    const { as = key, write = String } = inAddress[key] as Word['height'];
    return [as, filter[key] === undefined ? null : write(filter[key] as number)];
  };
  return Object.fromEntries(keys.map(wordOf)) as Record<string, string | null>;
}

/** The filter of a list that was kept, in the words of the API. */
export function filterOf(kept: Record<string, string>): Filter {
  const known = filterKeys.flatMap((key) => {
    const text = kept[key];
    if (text === undefined) return [];
    const isLength = key === 'min_duration' || key === 'max_duration';
    const value = isLength ? whole(longest)(text) : inAddress[key].read(text);
    return value === undefined ? [] : [[key, value]];
  });
  return Object.fromEntries(known) as Filter;
}

/** A filter in the words of the API, to keep it. */
export const keptOf = (filter: Filter): Record<string, string> =>
  Object.fromEntries(filterKeys.flatMap((key) => (filter[key] === undefined ? [] : [[key, String(filter[key])]])));
