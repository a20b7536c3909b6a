import { queryOptions } from '@tanstack/react-query';
import { call } from '#web/api/call.ts';

export const settingsQuery = queryOptions({
  queryKey: ['settings', 'all'],
  queryFn: ({ signal }) => call('GET /api/appsettings/config/', { signal }),
});

// The checks take the server a moment.
export const healthQuery = queryOptions({
  queryKey: ['settings', 'health'],
  queryFn: ({ signal }) => call('GET /api/health/checks/', { signal }),
  staleTime: 60_000,
});
