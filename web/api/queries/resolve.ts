import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { Api } from '#contract/api.ts';
import type { Reply } from '#contract/endpoint.ts';
import { call } from '#web/api/call.ts';

export type Resolved = Reply<Api['POST /api/resolve/']>;
export type ResolvedItem = Resolved['items'][number];

// The server aborts lookups that are not asked for again.
const pollMs = 1000;

/** What the links of a text point to. Asks again while the server looks some of them up. */
export const resolveQuery = (text: string) =>
  queryOptions({
    queryKey: ['resolve', text],
    queryFn: ({ signal }) => call('POST /api/resolve/', { body: { text }, signal }),
    refetchInterval: ({ state }) => (state.data?.items.some(({ lookup }) => lookup === 'running') ? pollMs : false),
    placeholderData: keepPreviousData,
    gcTime: 60_000,
  });
