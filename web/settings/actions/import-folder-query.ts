import { queryOptions } from '@tanstack/react-query';
import { call } from '#web/api/call.ts';

// Changes of tasks invalidate it: an import empties the folder.
export const importFolderQuery = queryOptions({
  queryKey: ['task', 'import folder'],
  queryFn: ({ signal }) => call('GET /api/appsettings/manual-import/', { signal }),
});
