import { isDay } from '#web/format/dates.ts';
import { kindOf } from './video-kinds.ts';
import type { VideoFilter } from './video.ts';

// Conversion between filters and URL parameters.

/** Filter and order of a video list. */
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
  incompatible?: 'remux' | 'redownload';
  tag?: string;
  artist?: string;
  album?: string;
  own_tag?: string;
  subtitles?: string;
  codec?: string;
  /** Bytes. */
  min_size?: number;
  max_size?: number;
  transcript?: boolean;
  damaged?: boolean;
  limited?: boolean;
  active?: boolean;
  cleanup?: 'watched' | 'unopened' | 'any';
  subscribed?: boolean;
  sort?: 'published' | 'downloaded' | 'views' | 'likes' | 'duration' | 'mediasize' | 'width' | 'height' | 'title';
  order?: 'asc' | 'desc';
}
type Key = keyof Filter;
type Missing = Exclude<keyof VideoFilter, Key | 'page'>;

const oneOf =
  <T extends string>(...values: T[]) =>
  (text: string): T | undefined =>
    values.find((value) => value === text);
const integerUpTo = (most: number) => (text: string) => (/^\d+$/.test(text) && Number(text) <= most ? Number(text) : undefined);
const textUpTo = (most: number) => (text: string) => text.trim().slice(0, most).trim() || undefined;
const day = (text: string) => (isDay(text) ? text : undefined);
const flag = (text: string) => (text === 'true' ? true : text === 'false' ? false : undefined);

const secondsInMinute = 60;
const maxSeconds = 1_000_000_000;
/** Parses minutes into seconds. */
const length = (text: string) => {
  const seconds = /^\d+(\.\d+)?$/.test(text) ? Math.round(Number(text) * secondsInMinute) : Number.NaN;
  return seconds <= maxSeconds ? seconds : undefined;
};
/** Serializes seconds as minutes, exact to the second. */
const minutes = (seconds: number) => String(Number((seconds / secondsInMinute).toFixed(4)));

type ParamTable = {
  [K in Key]-?: { read(text: string): Filter[K] | undefined; as?: string; write?(value: NonNullable<Filter[K]>): string };
};
const paramTable: ParamTable & Record<Missing, never> = {
  channel: { read: textUpTo(200) },
  playlist: { read: textUpTo(200) },
  type: { read: (text) => kindOf(text) || undefined, as: 'kind' },
  watch: { read: oneOf('watched', 'unwatched', 'continue') },
  height: { read: integerUpTo(100_000) },
  from: { read: day },
  to: { read: day },
  min_duration: { read: length, as: 'min', write: minutes },
  max_duration: { read: length, as: 'max', write: minutes },
  downloaded_from: { read: day },
  downloaded_to: { read: day },
  incompatible: { read: oneOf('remux', 'redownload') },
  tag: { read: textUpTo(200) },
  artist: { read: textUpTo(400) },
  album: { read: textUpTo(400) },
  own_tag: { read: textUpTo(50) },
  subtitles: { read: textUpTo(35) },
  codec: { read: textUpTo(50) },
  min_size: { read: integerUpTo(Number.MAX_SAFE_INTEGER) },
  max_size: { read: integerUpTo(Number.MAX_SAFE_INTEGER) },
  transcript: { read: flag },
  damaged: { read: flag },
  limited: { read: flag },
  active: { read: flag },
  cleanup: { read: oneOf('watched', 'unopened', 'any') },
  subscribed: { read: flag },
  sort: { read: oneOf('published', 'downloaded', 'views', 'likes', 'duration', 'mediasize', 'width', 'height', 'title') },
  order: { read: oneOf('asc', 'desc') },
};
export const filterKeys = Object.keys(paramTable) as Key[];

/** Parses the filter of a URL. Invalid values are ignored. */
export function parseFilter(search: URLSearchParams): Filter {
  const known = filterKeys.flatMap((key) => {
    const { read, as = key } = paramTable[key];
    const text = search.get(as);
    const value = text === null ? undefined : read(text);
    return value === undefined ? [] : [[key, value]];
  });
  return Object.fromEntries(known) as Filter;
}

/** Returns the URL parameters of a filter; null removes a parameter. */
export function filterToParams(filter: Filter, keys: readonly Key[] = filterKeys): Record<string, string | null> {
  const wordOf = (key: Key) => {
    const { as = key, write = String } = paramTable[key] as ParamTable['height'];
    return [as, filter[key] === undefined ? null : write(filter[key] as number)];
  };
  return Object.fromEntries(keys.map(wordOf)) as Record<string, string | null>;
}

/** Path of the list of a filter. The complete filter is in the address, so it can be shared. */
export const pathOfFilter = (filter: Filter) =>
  `/videos/?${new URLSearchParams(
    Object.entries(filterToParams({ sort: 'published', order: 'desc', ...filter })).flatMap(([key, value]) =>
      value === null ? [] : [[key, value]],
    ),
  )}`;

/** Parses the filter of a stored smart list (API parameters). */
export function parseStoredFilter(stored: Record<string, string>): Filter {
  const known = filterKeys.flatMap((key) => {
    const text = stored[key];
    if (text === undefined) return [];
    const isLength = key === 'min_duration' || key === 'max_duration';
    const value = isLength ? integerUpTo(maxSeconds)(text) : paramTable[key].read(text);
    return value === undefined ? [] : [[key, value]];
  });
  return Object.fromEntries(known) as Filter;
}

/** Serializes a filter as API parameters for storage. */
export const serializeFilter = (filter: Filter): Record<string, string> =>
  Object.fromEntries(filterKeys.flatMap((key) => (filter[key] === undefined ? [] : [[key, String(filter[key])]])));
