import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from '#web/api/call.ts';

export interface Wanted {
  name?: string;
  trouble?: 'true';
  page?: number;
}

export const runsQuery = (wanted: Wanted) =>
  queryOptions({
    queryKey: ['task', 'runs', wanted],
    queryFn: ({ signal }) => call('GET /api/task/runs/', { query: wanted, signal }),
    placeholderData: keepPreviousData,
  });

export const runQuery = (id: string) =>
  queryOptions({
    queryKey: ['task', 'run', id],
    queryFn: ({ signal }) => call('GET /api/task/runs/:id/', { params: { id }, signal }),
  });

/** Where one run is told of. */
export const pathOfRun = (id: string) => `/settings/runs/?run=${encodeURIComponent(id)}`;
