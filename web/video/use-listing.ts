import type { UserConfig } from '#contract/user.ts';
import { useAddress } from '#web/ui/address.ts';
import { useKept } from '#web/ui/kept.ts';
import { useConfig, useSaveConfig } from '#web/user/queries.ts';
import { filterIn, filterKeys, wordsOf, type Filter } from './filter-address.ts';
import type { Kind } from './kinds.ts';
import type { ViewStyle } from './shown.ts';

export type Place = 'home' | 'channel' | 'playlist' | 'list';
/** What a page has of its own; of a list that was kept, all that was kept of it. */
export type Scope = Filter;
export type Sort = UserConfig['sort_by'];
export type Seen = 'all' | 'unwatched' | 'watched';

const hides = { home: 'hide_watched', channel: 'hide_watched_channel', playlist: 'hide_watched_playlist' } as const;

/** What a page elsewhere narrows a list to: what came on some days, what not every iPhone plays. */
export const narrowing = ['downloaded_from', 'downloaded_to', 'awkward'] as const satisfies (keyof Filter)[];
const unnarrowed: Filter = Object.fromEntries(narrowing.map((key) => [key, undefined]));
// These say which list it is and how it is sorted, and are no filters that somebody chose.
const ofList = ['channel', 'playlist', 'sort', 'order'] as const satisfies (keyof Filter)[];
type OfList = (typeof ofList)[number];
const chosenKeys = filterKeys.filter((key) => !ofList.includes(key as OfList));
const unfiltered: Filter = Object.fromEntries(chosenKeys.map((key) => [key, undefined]));

/** What an address changes of a list that was kept: everything, or nothing. */
export function changedIn(search: URLSearchParams): Filter | undefined {
  const filter = filterIn(search);
  return filter.sort === undefined ? undefined : filter;
}

/** What holds on other pages: what the address says, and of some what the person's settings say. */
function filterHere(place: keyof typeof hides, scope: Scope, search: URLSearchParams, config: UserConfig): Filter {
  const said = filterIn(search);
  for (const key of ofList) delete said[key];
  if (place === 'home') delete said.type;
  const type = place === 'home' ? config.vid_type_filter : said.type;
  const unseen = config[hides[place]] === true ? ('unwatched' as const) : undefined;
  const watch = said.watch === 'watched' ? said.watch : unseen;
  // A playlist has an order of its own.
  const sorted: Filter = place === 'playlist' ? {} : { sort: config.sort_by, order: config.sort_order };
  return { ...without(said, 'watch'), ...sorted, ...(type && { type }), ...(watch && { watch }), ...scope };
}

const without = <T extends object, K extends keyof T>(whole: T, key: K): Omit<T, K> => {
  const { [key]: _, ...rest } = whole;
  return rest;
};

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

  const keptNow = (said: URLSearchParams): Filter => ({ sort: 'published', order: 'desc', ...(changedIn(said) ?? scope) });
  const filter = place === 'list' ? keptNow(search) : filterHere(place, scope, search, config);
  /** Of what was kept the address says nothing, or everything. */
  const change = (some: Filter) =>
    put(
      place === 'list'
        ? wordsOf({ ...keptNow(new URLSearchParams(location.search)), ...some })
        : wordsOf(some, Object.keys(some) as (keyof Filter)[]),
    );
  const hasKind = place === 'list' || scope.type === undefined;
  const narrowed = Object.fromEntries(narrowing.flatMap((key) => (filter[key] ? [[key, filter[key]]] : []))) as Filter;
  const chosen =
    chosenKeys.filter((key) => filter[key] !== undefined && !(key in narrowed) && (hasKind || key !== 'type')).length +
    (Object.keys(narrowed).length > 0 ? 1 : 0);
  const setSeen = (next: Seen) => {
    if (place === 'list') return change({ watch: next === 'all' ? undefined : next });
    save({ [hides[place]]: next === 'unwatched' });
    change({ watch: next === 'watched' ? 'watched' : undefined });
  };
  const setKind = (next: Kind) =>
    place === 'home' ? save({ vid_type_filter: next || null }) : change({ type: next || undefined });
  const view: ViewStyle = config.view_style_home;
  const { sort = config.sort_by, order = config.sort_order } = filter;
  const seen: Seen = filter.watch === 'continue' ? 'all' : (filter.watch ?? 'all');
  return {
    filter,
    view,
    setView: (next: ViewStyle) => save({ view_style_home: next }),
    columns: config.grid_items,
    setColumns: (count: number) => save({ grid_items: count }),
    sort,
    order,
    setSort: (sort_by: Sort) => (place === 'list' ? change({ sort: sort_by }) : save({ sort_by })),
    setOrder: (sort_order: 'asc' | 'desc') => (place === 'list' ? change({ order: sort_order }) : save({ sort_order })),
    hasSort: filter.playlist === undefined,
    hasKind,
    kind: (hasKind ? (filter.type ?? '') : '') as Kind,
    setKind,
    seen,
    setSeen,
    /** Changes some of what is shown; undefined takes it away. */
    change,
    narrowed,
    widen: () => change(unnarrowed),
    /** How many filters are set. */
    chosen,
    clear() {
      if (place !== 'list') save({ [hides[place]]: false, ...(place === 'home' && { vid_type_filter: null }) });
      change(unfiltered);
    },
    isEndless: endless === 'on',
    setEndless: (isOn: boolean) => {
      setEndless(isOn ? 'on' : null);
      put({});
    },
  };
}
export type Listing = NonNullable<ReturnType<typeof useListing>>;
