import type { UserConfig } from '#contract/user.ts';
import { useQueryParams } from '#web/ui/use-search-params.ts';
import { useLocalStorage } from '#web/ui/use-local-storage.ts';
import { useConfig, useSaveConfig } from '#web/api/account.ts';
import { parseFilter, filterKeys, filterToParams, type Filter } from '#web/api/queries/video-filter.ts';
import type { Kind } from '#web/api/queries/video-kinds.ts';
import type { ViewStyle } from './list-props.ts';

export type ListPage = 'home' | 'channel' | 'playlist' | 'list' | 'section';
/** Filters that belong to the page; for a smart list, its saved filter, which the address may replace. */
export type Scope = Filter;
export type Sort = UserConfig['sort_by'];
export type WatchedFilter = 'all' | 'unwatched' | 'watched';

const hideWatchedSettings = { home: 'hide_watched', channel: 'hide_watched_channel', playlist: 'hide_watched_playlist' } as const;

/** Filters set by links of other pages: the days on which videos were added, and incompatible files. */
const externalFilters = ['downloaded_from', 'downloaded_to', 'incompatible'] as const satisfies (keyof Filter)[];
export type ExternalFilter = (typeof externalFilters)[number];
const withoutExternalFilters: Filter = Object.fromEntries(externalFilters.map((key) => [key, undefined]));
// Keys that identify the list and its order; they do not count as filters of the user.
const listKeys = ['channel', 'playlist', 'sort', 'order'] as const satisfies (keyof Filter)[];
type ListKey = (typeof listKeys)[number];
const userFilterKeys = filterKeys.filter((key) => !listKeys.includes(key as ListKey));
const unfiltered: Filter = Object.fromEntries(userFilterKeys.map((key) => [key, undefined]));

/** Whether the address filters the list of the home page. */
export const isHomeFiltered = (search: URLSearchParams) => {
  const filter = parseFilter(search);
  return userFilterKeys.some((key) => key !== 'type' && filter[key] !== undefined);
};

/** Returns the changed filter of a smart list or section from the address, or undefined if it is unchanged. */
export function changedFilterIn(search: URLSearchParams): Filter | undefined {
  const filter = parseFilter(search);
  return filter.sort === undefined && filter.order === undefined ? undefined : filter;
}

/** Returns the filter of a page whose whole filter is in the address once it is changed. A section keeps the filter that defines it. */
function filterInAddress(listPage: 'list' | 'section', scope: Scope, search: URLSearchParams): Filter {
  const { sort, order, ...own } = scope;
  const filter = changedFilterIn(search) ?? scope;
  if (listPage === 'list') return { sort: 'published', order: 'desc', ...filter };
  return { ...(sort && { sort }), order: order ?? 'desc', ...filter, ...own };
}

/** Returns the filter of the other pages, from the address and the user's settings. */
function filterOfPage(
  listPage: keyof typeof hideWatchedSettings,
  scope: Scope,
  search: URLSearchParams,
  config: UserConfig,
): Filter {
  const fromAddress = parseFilter(search);
  for (const key of listKeys) delete fromAddress[key];
  if (listPage === 'home') delete fromAddress.type;
  const type = listPage === 'home' ? config.vid_type_filter : fromAddress.type;
  const hideWatched = config[hideWatchedSettings[listPage]] === true ? ('unwatched' as const) : undefined;
  const watch = fromAddress.watch === 'watched' ? fromAddress.watch : hideWatched;
  // A playlist has its own order.
  const sorted: Filter = listPage === 'playlist' ? {} : { sort: config.sort_by, order: config.sort_order };
  return { ...without(fromAddress, 'watch'), ...sorted, ...(type && { type }), ...(watch && { watch }), ...scope };
}

const without = <T extends object, K extends keyof T>(whole: T, key: K): Omit<T, K> => {
  const { [key]: _, ...rest } = whole;
  return rest;
};

/** Filter and view of a list, from the address and the user's settings. */
export function useListing(listPage: ListPage, scope: Scope) {
  const config = useConfig();
  const { mutate: save } = useSaveConfig();
  const [search, replaceSearchParams] = useQueryParams();
  const [endless, setEndless] = useLocalStorage('reelkeep.endless');
  // A changed filter starts at the first page.
  const setSearchParams = (words: Record<string, string | null>) =>
    replaceSearchParams({ ...words, page: null }, { replace: true, preventScrollReset: true });
  if (!config) return null;

  const isInAddress = listPage === 'list' || listPage === 'section';
  const filter = isInAddress ? filterInAddress(listPage, scope, search) : filterOfPage(listPage, scope, search, config);
  /** A changed smart list has its complete filter in the address, an unchanged one has none of it. */
  const change = (some: Filter) =>
    setSearchParams(
      isInAddress
        ? filterToParams({ ...filterInAddress(listPage, scope, new URLSearchParams(location.search)), ...some })
        : filterToParams(some, Object.keys(some) as (keyof Filter)[]),
    );
  // The filter of a smart list can be changed; other pages keep the part that defines them.
  const isFixed = (key: keyof Filter) => listPage !== 'list' && scope[key] !== undefined;
  const externalFilter = Object.fromEntries(
    externalFilters.flatMap((key) => (filter[key] ? [[key, filter[key]]] : [])),
  ) as Filter;
  const activeFilters = userFilterKeys.filter((key) => filter[key] !== undefined && !(key in externalFilter) && !isFixed(key));
  const filterCount = activeFilters.length + (Object.keys(externalFilter).length > 0 ? 1 : 0);
  const setWatchedFilter = (next: WatchedFilter) => {
    if (isInAddress) return change({ watch: next === 'all' ? undefined : next });
    save({ [hideWatchedSettings[listPage]]: next === 'unwatched' });
    change({ watch: next === 'watched' ? 'watched' : undefined });
  };
  const setKind = (next: Kind) =>
    listPage === 'home' ? save({ vid_type_filter: next || null }) : change({ type: next || undefined });
  /** Clears the filters that are user settings and therefore would remain when the page is left. */
  const clearStoredFilters = () => {
    if (!isInAddress) save({ [hideWatchedSettings[listPage]]: false, ...(listPage === 'home' && { vid_type_filter: null }) });
  };
  const view: ViewStyle = config.view_style_home;
  const { sort = config.sort_by, order = config.sort_order } = filter;
  const watchedFilter: WatchedFilter = filter.watch === 'continue' ? 'all' : (filter.watch ?? 'all');
  return {
    filter,
    view,
    setView: (next: ViewStyle) => save({ view_style_home: next }),
    columns: config.grid_items,
    setColumns: (count: number) => save({ grid_items: count }),
    sort,
    order,
    setSort: (next: Sort) => {
      // Titles start with A, everything else with the newest or largest.
      const newOrder = next === 'title' ? 'asc' : sort === 'title' ? 'desc' : undefined;
      return isInAddress
        ? change({ sort: next, order: newOrder ?? order })
        : save({ sort_by: next, ...(newOrder && { sort_order: newOrder }) });
    },
    setOrder: (sort_order: 'asc' | 'desc') => (isInAddress ? change({ order: sort_order }) : save({ sort_order })),
    // Playlists and videos in progress have an order of their own.
    hasSort: filter.playlist === undefined && !(listPage === 'section' && scope.watch === 'continue'),
    hasKind: !isFixed('type'),
    kind: (filter.type ?? '') as Kind,
    setKind,
    hasWatchedFilter: !isFixed('watch'),
    watchedFilter,
    setWatchedFilter,
    /** Merges into the filter; undefined removes a key. */
    change,
    externalFilter,
    clearExternalFilter: () => change(withoutExternalFilters),
    /** Filters of the user, without those of links, which `externalFilter` has. */
    activeFilters,
    removeFilter(key: keyof Filter) {
      if (key === 'watch') setWatchedFilter('all');
      else if (key === 'type') setKind('');
      else change({ [key]: undefined });
    },
    /** Number of active filters. */
    filterCount,
    clearFilters() {
      clearStoredFilters();
      change(unfiltered);
    },
    clearStoredFilters,
    isEndless: endless === 'on',
    setEndless: (isOn: boolean) => {
      setEndless(isOn ? 'on' : null);
      setSearchParams({});
    },
  };
}
export type Listing = NonNullable<ReturnType<typeof useListing>>;
