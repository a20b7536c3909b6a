import { queryOptions } from '@tanstack/react-query';
import { call } from '#web/api/call.ts';
import { fetchAllPages } from '#web/api/fetch-all-pages.ts';

/** The user's smart lists and shared ones, by name. */
export const smartLists = queryOptions({
  queryKey: ['list', 'all'],
  queryFn: ({ signal }) => fetchAllPages((page) => call('GET /api/list/', { query: { page }, signal })),
});
