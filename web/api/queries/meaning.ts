import { queryOptions } from '@tanstack/react-query';
import { call } from '#web/api/call.ts';

/** Whether similar moments can be found for a video. */
export const isIndexedQuery = (id: string) =>
  queryOptions({
    queryKey: ['settings', 'meaning', id],
    queryFn: ({ signal }) => call('GET /api/meaning/video/:id/', { params: { id }, signal }),
  });

const pollMs = 5000;

/** The index of the search by meaning; asked again while transcripts are waiting, or another model still answers. */
export const meaningQuery = queryOptions({
  queryKey: ['settings', 'meaning'],
  queryFn: ({ signal }) => call('GET /api/meaning/', { signal }),
  refetchInterval: ({ state: { data } }) =>
    data !== undefined && (data.queue > 0 || data.active_model !== data.model) && data.problem === null && pollMs,
});
