import { queryOptions, useQuery } from '@tanstack/react-query';
import { useIsStaff } from '#web/api/account.ts';
import { call } from '#web/api/call.ts';

/** The servers that share the database; empty for a single server. */
export const nodesQuery = queryOptions({
  queryKey: ['node', 'list'],
  queryFn: ({ signal }) => call('GET /api/node/', { signal }),
});

/** Whether several servers share the database. False while loading, and for users who are not staff. */
export function useHasNodes(): boolean {
  const isStaff = useIsStaff();
  const { data = [] } = useQuery({ ...nodesQuery, enabled: isStaff, staleTime: 5 * 60_000 });
  return data.length > 0;
}
