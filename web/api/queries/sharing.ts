import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from '#web/api/call.ts';

/** The user's podcast feeds. */
export const podcastsQuery = queryOptions({
  queryKey: ['podcast', 'list'],
  queryFn: ({ signal }) => call('GET /api/podcast/', { signal }),
});

/** One page of the share links: those of the user, or of all users for staff. */
export const sharesQuery = (page: number) =>
  queryOptions({
    queryKey: ['share', 'list', page],
    queryFn: ({ signal }) => call('GET /api/share/', { query: { page }, signal }),
    placeholderData: keepPreviousData,
  });
