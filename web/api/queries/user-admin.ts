import { queryOptions } from '@tanstack/react-query';
import { call } from '#web/api/call.ts';

export const usersQuery = queryOptions({
  queryKey: ['user', 'people'],
  queryFn: ({ signal }) => call('GET /api/users/', { signal }),
});
