import { queryOptions } from '@tanstack/react-query';
import { call } from '#web/api/call.ts';

export const programImportsQuery = queryOptions({
  queryKey: ['migrate', 'list'],
  queryFn: ({ signal }) => call('GET /api/migrate/', { signal }),
});

/** Report of an import. Changes are announced; it is also polled while it runs. */
export const programImportQuery = (id: string) =>
  queryOptions({
    queryKey: ['migrate', id],
    queryFn: ({ signal }) => call('GET /api/migrate/:id/', { params: { id }, signal }),
    refetchInterval: ({ state: { data } }) => (data && data.ended !== null ? false : 1000),
  });
