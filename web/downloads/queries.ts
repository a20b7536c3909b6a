import { keepPreviousData, queryOptions, useMutation, useQuery } from '@tanstack/react-query';
import type { Api } from '#contract/api.ts';
import type { Reply, Sent } from '#contract/call.ts';
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

export const channelsInQueue = (filter: 'pending' | 'ignore') =>
  queryOptions({
    queryKey: ['download', 'channels', filter],
    queryFn: ({ signal }) => call('GET /api/download/aggs/', { query: { filter }, signal }),
  });

// The event stream brings these; asking now and then is for when it cannot.
const askAgainMs = 5_000;
const noticesQuery = queryOptions({
  queryKey: ['task', 'notices'],
  queryFn: ({ signal }) => call('GET /api/notification/', { signal }),
  refetchInterval: ({ state }) => ((state.data?.length ?? 0) > 0 ? askAgainMs : false),
});

/** What goes on now. */
export const useNotices = () => useQuery(noticesQuery).data ?? [];

const refresh = () => queryClient.invalidateQueries({ queryKey: ['download'] });

/** Something done to the queue; a sentence when it is refused. */
function useChange<Said>(change: (said: Said) => Promise<unknown>, onDone?: (said: Said) => void) {
  const say = useToast();
  return useMutation({
    mutationFn: change,
    onSettled: refresh,
    onError: (error) => say(error.message, { isDanger: true }),
    onSuccess: (_, said) => onDone?.(said),
  });
}

interface Added {
  text: string;
  autostart: boolean;
  flat: boolean;
}
export const useAdd = () =>
  useChange(({ text, ...query }: Added) =>
    call('POST /api/download/', { query, body: { data: [{ youtube_id: text, status: 'pending' }] } }),
  );

interface ItemChange {
  id: string;
  status: 'pending' | 'ignore' | 'priority' | 'later';
}
/** Changes one item; it may be gone from the page when it is done. */
export const useChangeItem = (onDone?: (change: ItemChange) => void) =>
  useChange(({ id, status }: ItemChange) => call('POST /api/download/:id/', { params: { id }, body: { status } }), onDone);

export const useForget = () => useChange((id: string) => call('DELETE /api/download/:id/', { params: { id } }));

export interface Some {
  filter: 'pending' | 'ignore';
  channel?: string;
  vid_type?: 'videos' | 'streams' | 'shorts';
  error?: boolean;
  q?: string;
}
export const useChangeAll = () =>
  useChange(({ some, status }: { some: Some; status: 'pending' | 'ignore' | 'priority' | 'clear_error' | 'later' }) =>
    call('PATCH /api/download/', { query: some, body: { status } }),
  );
export const useForgetAll = () => useChange((some: Some) => call('DELETE /api/download/', { query: some }));

export const startTask = (name: string) => call('POST /api/task/by-name/:name/', { params: { name } });

/** Starts a task; what is to follow does so even when what asked for it is gone from the page. */
export const useStart = (onStarted?: (name: string) => void) => useChange(startTask, onStarted);
export const useStop = () =>
  useChange((id: string) => call('POST /api/task/by-id/:id/', { params: { id }, body: { command: 'stop' } }));
