import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { Api } from '#contract/api.ts';
import type { Reply, Sent } from '#contract/endpoint.ts';
import { call } from '#web/api/call.ts';

export type SearchParams = NonNullable<Sent<Api['GET /api/search/']>['query']>;
export type SearchReply = Reply<Api['GET /api/search/']>;

export type MomentsParams = Omit<NonNullable<Sent<Api['GET /api/search/moments/']>['query']>, 'in'> & { in?: string | undefined };
export type MomentsReply = Reply<Api['GET /api/search/moments/']>;

/** Search results; the previous ones stay while loading. `typedIn`: the search field. */
export const searchQuery = (params: SearchParams, typedIn: 'page' | 'palette' = 'page') =>
  queryOptions({
    queryKey: ['search', params],
    queryFn: ({ signal }) => call('GET /api/search/', { query: params, signal, typedIn }),
    placeholderData: keepPreviousData,
    enabled: (params.query ?? '').trim() !== '',
    retry: false,
  });

/** Passages similar to the one at a time of a video. */
export const similarMomentsQuery = (video: string, t: number) =>
  queryOptions({
    queryKey: ['search', 'similar', video, t],
    queryFn: ({ signal }) => call('GET /api/search/moments/similar/', { query: { video, t }, signal }),
    retry: false,
  });

const indexingMs = 3000;
const isIndexing = ({ notices }: MomentsReply) => notices.some(({ id }) => id === 'search.indexing');

/**
 * Moments of videos; the previous ones stay while loading. A search without results is repeated while videos are being indexed.
 * `typedIn`: the search field, if a newer search replaces this one.
 */
export const momentsQuery = (params: MomentsParams, typedIn?: 'page') =>
  queryOptions({
    queryKey: ['search', 'moments', params],
    queryFn: ({ signal }) => call('GET /api/search/moments/', { query: params, signal, ...(typedIn && { typedIn }) }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state: { data } }) => data?.videos.length === 0 && isIndexing(data) && indexingMs,
    retry: false,
  });
