import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { Api } from '#contract/api.ts';
import type { Reply, Sent } from '#contract/call.ts';
import { call } from '#web/api/call.ts';

export type SearchWish = NonNullable<Sent<Api['GET /api/search/']>['query']>;
export type Found = Reply<Api['GET /api/search/']>;

/** What is found; what was found before stays until then. `typedIn`: where somebody types it. */
export const searchQuery = (wish: SearchWish, typedIn: 'page' | 'palette' = 'page') =>
  queryOptions({
    queryKey: ['search', wish],
    queryFn: ({ signal }) => call('GET /api/search/', { query: wish, signal, typedIn }),
    placeholderData: keepPreviousData,
    enabled: (wish.query ?? '').trim() !== '',
    retry: false,
  });
