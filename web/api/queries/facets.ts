import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { Api } from '#contract/api.ts';
import type { Reply } from '#contract/endpoint.ts';
import { call } from '#web/api/call.ts';

export type Facets = Reply<Api['GET /api/video/facets/']>;

/** Available filter values; tags are those that start with the input. */
export const facetsQuery = (tag: string) =>
  queryOptions({
    queryKey: ['video', 'facets', tag],
    queryFn: ({ signal }) => call('GET /api/video/facets/', { query: { tag }, signal }),
    placeholderData: keepPreviousData,
  });
