import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from '#web/api/call.ts';

export interface RunsFilter {
  name?: string;
  problems?: 'true';
  page?: number;
}

export const runsQuery = (filter: RunsFilter) =>
  queryOptions({
    queryKey: ['task', 'runs', filter],
    queryFn: ({ signal }) => call('GET /api/task/runs/', { query: filter, signal }),
    placeholderData: keepPreviousData,
  });

export const runQuery = (id: string) =>
  queryOptions({
    queryKey: ['task', 'run', id],
    queryFn: ({ signal }) => call('GET /api/task/runs/:id/', { params: { id }, signal }),
  });

/** Path of the page of a run. */
export const pathOfRun = (id: string) => `/settings/scheduling/history/?run=${encodeURIComponent(id)}`;

/** Path of the runs of a task. */
export const pathOfHistory = (name: string) => `/settings/scheduling/history/?name=${encodeURIComponent(name)}`;
