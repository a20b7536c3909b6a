import type { UserConfig } from '#contract/user.ts';
import { isDay } from '#web/format/dates.ts';
import { useAddress } from '#web/ui/address.ts';
import { useKept } from '#web/ui/kept.ts';
import { useConfig, useSaveConfig } from '#web/user/queries.ts';
import { kindOf, type Kind } from './kinds.ts';
import { narrowedIn, noNarrowing } from './narrowed.ts';
import type { VideoFilter } from './queries.ts';
import type { ViewStyle } from './shown.ts';

export type Place = 'home' | 'channel' | 'playlist';
export type Scope = Pick<VideoFilter, 'channel' | 'playlist' | 'type'>;
export type Sort = UserConfig['sort_by'];
export type Seen = 'all' | 'unwatched' | 'watched';

const hides = { home: 'hide_watched', channel: 'hide_watched_channel', playlist: 'hide_watched_playlist' } as const;

const dayOf = (text: string | null) => (text && isDay(text) ? text : '');
const digitsOf = (text: string | null) => (text ?? '').replace(/\D/g, '');
const minuteSeconds = 60;

export interface Bounds {
  /** Published on that day or later, on that day or before; `yyyy-mm-dd`. */
  from: string;
  to: string;
  /** Minutes. */
  min: string;
  max: string;
}

/** What the address says of when videos were published and how long they are; in the words of the search page. */
function boundsIn(search: URLSearchParams): Bounds {
  const minutes = (key: string) => digitsOf(search.get(key)).slice(0, 7);
  return { from: dayOf(search.get('from')), to: dayOf(search.get('to')), min: minutes('min'), max: minutes('max') };
}

/** What of a list is shown and how: the person's own settings, and what stands in the address. */
export function useListing(place: Place, scope: Scope) {
  const config = useConfig();
  const { mutate: save } = useSaveConfig();
  const [search, putInto] = useAddress();
  const [endless, setEndless] = useKept('reelkeep.endless');
  // Another list begins at its first page.
  const put = (words: Record<string, string | null>) =>
    putInto({ ...words, page: null }, { replace: true, preventScrollReset: true });
  if (!config) return null;

  const height = digitsOf(search.get('height')).slice(0, 5);
  const bounds = boundsIn(search);
  const seconds = (minutes: string) => Number(minutes) * minuteSeconds;
  const narrowed = narrowedIn(search);
  const kind: Kind = (place === 'home' ? config.vid_type_filter : kindOf(search.get('kind'))) ?? '';
  const unseen: Seen = config[hides[place]] === true ? 'unwatched' : 'all';
  const seen: Seen = search.get('watch') === 'watched' ? 'watched' : unseen;
  // A playlist has an order of its own, and a channel's page has one kind already.
  const hasSort = place !== 'playlist';
  const hasKind = scope.type === undefined;
  const filter: VideoFilter = {
    ...scope,
    ...(hasSort && { sort: config.sort_by, order: config.sort_order }),
    ...(hasKind && kind !== '' && { type: kind }),
    ...(seen !== 'all' && { watch: seen }),
    ...(height !== '' && { height: Number(height) }),
    ...(bounds.from && { from: bounds.from }),
    ...(bounds.to && { to: bounds.to }),
    ...(bounds.min && { min_duration: seconds(bounds.min) }),
    ...(bounds.max && { max_duration: seconds(bounds.max) }),
    ...narrowed,
  };
  const chosen =
    (hasKind && kind !== '' ? 1 : 0) +
    (seen !== 'all' ? 1 : 0) +
    [height, ...Object.values(bounds)].filter(Boolean).length +
    (Object.keys(narrowed).length > 0 ? 1 : 0);
  const setSeen = (next: Seen) => {
    save({ [hides[place]]: next === 'unwatched' });
    put({ watch: next === 'watched' ? 'watched' : null });
  };
  const setKind = (next: Kind) => (place === 'home' ? save({ vid_type_filter: next || null }) : put({ kind: next || null }));
  const view: ViewStyle = config.view_style_home;
  return {
    filter,
    view,
    setView: (next: ViewStyle) => save({ view_style_home: next }),
    columns: config.grid_items,
    setColumns: (count: number) => save({ grid_items: count }),
    sort: config.sort_by,
    order: config.sort_order,
    setSort: (sort_by: Sort) => save({ sort_by }),
    setOrder: (sort_order: 'asc' | 'desc') => save({ sort_order }),
    hasSort,
    hasKind,
    kind,
    setKind,
    seen,
    setSeen,
    height,
    setHeight: (text: string) => put({ height: digitsOf(text) || null }),
    bounds,
    setBounds: (some: Partial<Bounds>) => put(some),
    narrowed,
    widen: () => put(noNarrowing),
    /** How many filters are set. */
    chosen,
    clear() {
      save({ [hides[place]]: false, ...(place === 'home' && { vid_type_filter: null }) });
      put({ watch: null, kind: null, height: null, from: null, to: null, min: null, max: null, ...noNarrowing });
    },
    isEndless: endless === 'on',
    setEndless: (isOn: boolean) => {
      setEndless(isOn ? 'on' : null);
      put({});
    },
  };
}
export type Listing = NonNullable<ReturnType<typeof useListing>>;
