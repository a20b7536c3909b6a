import { QueryClient } from '@tanstack/react-query';
import { ApiError } from './call.ts';

// Changes arrive by the event stream; everything else may be 30 s old.
const freshMs = 30_000;

/** The query cache. The first part of every key is the resource that server events name: `['video', 'list', …]`. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: freshMs,
      retry: (failures, error) => error instanceof ApiError && error.status === 0 && failures < 3,
      retryDelay: 1000,
      // An offline device may run the server itself; otherwise requests fail with an error instead of waiting.
      networkMode: 'always',
      refetchOnReconnect: true,
    },
    mutations: { networkMode: 'always' },
  },
});

/**
 * Repeats requests whose answer may be older than an invalidation. The library does so only for queries that are shown and have
 * data; it takes the answer to any other running request as fresh.
 */
queryClient.getQueryCache().subscribe((event) => {
  if (event.type !== 'updated' || event.action.type !== 'invalidate') return;
  const { query } = event;
  if (query.state.fetchStatus === 'idle' || (query.state.data !== undefined && query.isActive())) return;
  const repeat = () => queryClient.invalidateQueries({ queryKey: query.queryKey, exact: true });
  void query.promise?.then(repeat, repeat);
});

/** Ids of what this page is deleting: an event of the server must not load it again. */
export const beingDeleted = new Set<unknown>();

/** Invalidates all queries of these resources. Resolves when the active ones are refetched. */
export const invalidateTopics = (...topics: string[]) =>
  Promise.all(topics.map((topic) => queryClient.invalidateQueries({ queryKey: [topic] })));

/** Invalidates everything but account and settings of the user, for settings that are no part of the query keys. */
export const refetchAll = () => void queryClient.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'user' });
