import { queryOptions } from '@tanstack/react-query';
import { call } from '#web/api/call.ts';

export const mediaServersQuery = queryOptions({
  queryKey: ['media-server', 'all'],
  queryFn: ({ signal }) => call('GET /api/media-server/', { signal }),
});

/** The users of a server. */
export const serverUsersQuery = (id: number) =>
  queryOptions({
    queryKey: ['media-server-user', id],
    queryFn: ({ signal }) => call('GET /api/media-server/:id/user/', { params: { id: String(id) }, signal }),
    retry: false,
  });

/** The report of the last synchronization. */
export const syncReportQuery = (id: number) =>
  queryOptions({
    queryKey: ['media-server', 'report', id],
    queryFn: ({ signal }) => call('GET /api/media-server/:id/sync/', { params: { id: String(id) }, signal }),
  });
