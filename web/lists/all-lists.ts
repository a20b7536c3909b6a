import { queryOptions } from '@tanstack/react-query';
import { call } from '#web/api/call.ts';
import { everyPage } from '#web/api/every-page.ts';

/** One's own smart lists and those that others share, by name. */
export const smartLists = queryOptions({
  queryKey: ['list', 'all'],
  queryFn: ({ signal }) => everyPage((page) => call('GET /api/list/', { query: { page }, signal })),
});
