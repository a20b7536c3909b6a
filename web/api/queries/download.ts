import { keepPreviousData, queryOptions, useMutation, useQuery } from '@tanstack/react-query';
import type { Api } from '#contract/api.ts';
import type { Reply, Sent } from '#contract/endpoint.ts';
import { call } from '#web/api/call.ts';
import { queryClient } from '#web/api/client.ts';
import { useToast } from '#web/ui/toasts.tsx';

export type QueueFilter = NonNullable<Sent<Api['GET /api/download/']>['query']>;
export type QueueItem = Reply<Api['GET /api/download/']>['data'][number];

export const queueQuery = (filter: QueueFilter) =>
  queryOptions({
    queryKey: ['download', 'list', filter],
    queryFn: ({ signal }) => call('GET /api/download/', { query: filter, signal }),
    placeholderData: keepPreviousData,
  });

/** The first page of the failed downloads. */
export const failedItemsQuery = queueQuery({ filter: 'pending', error: true });

/** One item of the queue. */
export const queueItemQuery = (id: string) =>
  queryOptions({
    queryKey: ['download', 'one', id],
    queryFn: ({ signal }) => call('GET /api/download/:id/', { params: { id }, signal }),
  });

export const channelsInQueue = (filter: 'pending' | 'ignore') =>
  queryOptions({
    queryKey: ['download', 'channels', filter],
    queryFn: ({ signal }) => call('GET /api/download/aggs/', { query: { filter }, signal }),
  });

export const queueEtaQuery = queryOptions({
  queryKey: ['download', 'outlook'],
  queryFn: ({ signal }) => call('GET /api/download/outlook/', { signal }),
  refetchInterval: 30_000,
});

export const cooldownsQuery = queryOptions({
  queryKey: ['download', 'pauses'],
  queryFn: ({ signal }) => call('GET /api/download/cooldowns/', { signal }),
  refetchInterval: 60_000,
});

export const schedulesQuery = queryOptions({
  queryKey: ['task', 'schedules'],
  queryFn: ({ signal }) => call('GET /api/task/schedule/', { signal }),
});

export const tasksQuery = queryOptions({
  queryKey: ['task', 'overview'],
  queryFn: ({ signal }) => call('GET /api/task/overview/', { signal }),
});

// Fallback polling; normally the event stream delivers these.
const pollMs = 5_000;
const noticesQuery = queryOptions({
  queryKey: ['task', 'notices'],
  queryFn: ({ signal }) => call('GET /api/notification/', { signal }),
  refetchInterval: ({ state }) => ((state.data?.length ?? 0) > 0 ? pollMs : false),
});

/** The running tasks. */
export const useNotices = () => useQuery(noticesQuery).data ?? [];

const refresh = () => queryClient.invalidateQueries({ queryKey: ['download'] });

/** Changes the queue; errors are shown as toasts. */
function useQueueMutation<Input, Result>(change: (input: Input) => Promise<Result>, onDone?: (input: Input) => void) {
  const showToast = useToast();
  return useMutation({
    mutationFn: change,
    onSettled: refresh,
    onError: (error) => showToast(error.message, { isDanger: true }),
    onSuccess: (_, input) => onDone?.(input),
  });
}

interface ItemChange {
  id: string;
  status: 'pending' | 'ignore' | 'priority' | 'later';
}
/** Updates an item. `onDone` runs even when the item is unmounted. */
export const useUpdateItem = (onDone?: (change: ItemChange) => void) =>
  useQueueMutation(({ id, status }: ItemChange) => call('POST /api/download/:id/', { params: { id }, body: { status } }), onDone);

export const useRemoveItem = () => useQueueMutation((id: string) => call('DELETE /api/download/:id/', { params: { id } }));

export interface QueueSelection {
  filter: 'pending' | 'ignore';
  channel?: string;
  vid_type?: 'videos' | 'streams' | 'shorts';
  error?: boolean;
  q?: string;
}
export const useUpdateItems = () =>
  useQueueMutation(
    ({
      some: selection,
      status,
    }: {
      some: QueueSelection;
      status: 'pending' | 'ignore' | 'priority' | 'clear_error' | 'later';
    }) => call('PATCH /api/download/', { query: selection, body: { status } }),
  );
export const useRemoveItems = () =>
  useQueueMutation((selection: QueueSelection) => call('DELETE /api/download/', { query: selection }));

export const startTask = (name: string) => call('POST /api/task/by-name/:name/', { params: { name } });

/** Starts a task. `onStarted` runs even when the caller is unmounted. */
export const useStartTask = (onStarted?: (name: string) => void) => useQueueMutation(startTask, onStarted);
/** Pauses or resumes a run. */
export const usePauseTask = () =>
  useQueueMutation(({ id, isPaused }: { id: string; isPaused: boolean }) =>
    call('POST /api/task/by-id/:id/', { params: { id }, body: { command: isPaused ? 'pause' : 'resume' } }),
  );

export const useStopTask = () =>
  useQueueMutation((id: string) => call('POST /api/task/by-id/:id/', { params: { id }, body: { command: 'stop' } }));
