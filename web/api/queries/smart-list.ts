import { t } from '@lingui/core/macro';
import { queryOptions, useMutation } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import type { SmartList } from '#contract/smart-list.ts';
import { call } from '#web/api/call.ts';
import { invalidateTopics, queryClient } from '#web/api/client.ts';
import { useToast } from '#web/ui/toasts.tsx';
import { serializeFilter, type Filter } from '#web/api/queries/video-filter.ts';
import { pathOfList } from '#web/api/paths.ts';
import { smartLists } from './all-smart-lists.ts';

export const listQuery = (id: string) =>
  queryOptions({
    queryKey: ['list', 'one', id],
    queryFn: ({ signal }) => call('GET /api/list/:id/', { params: { id }, signal }),
  });

/** Records a visit: the list has no new videos from then on. */
export const markListVisited = async (id: number) => {
  await call('POST /api/list/:id/visit/', { params: { id } });
  await queryClient.invalidateQueries(smartLists);
};

interface ListChange {
  name?: string;
  filter?: Filter;
  is_shared?: boolean;
}

/** Creates a list and opens it. `onCreated` runs before, on the page of the caller. */
export function useCreateList({ onCreated, onError }: { onCreated?(): void; onError?(error: Error): void } = {}) {
  const navigate = useNavigate();
  return useMutation({
    mutationFn: ({ name, filter, is_shared }: Pick<SmartList, 'name' | 'filter' | 'is_shared'>) =>
      call('POST /api/list/', { body: { name, filter, is_shared } }),
    onSuccess: async ({ id }) => {
      void invalidateTopics('list');
      onCreated?.();
      await navigate(pathOfList(id));
    },
    ...(onError && { onError }),
  });
}

/** Updates a list of the user. */
export const useUpdateList = (id: number) =>
  useMutation({
    mutationFn: ({ filter, ...rest }: ListChange) =>
      call('POST /api/list/:id/', { params: { id }, body: { ...rest, ...(filter && { filter: serializeFilter(filter) }) } }),
    onSuccess: (list) => {
      queryClient.setQueryData(listQuery(String(id)).queryKey, list);
      void queryClient.invalidateQueries({ queryKey: ['video', 'home'] });
      void queryClient.invalidateQueries(smartLists);
    },
  });

/** Deletes a list of the user, with an undo toast. */
export function useDeleteList() {
  const showToast = useToast();
  const navigate = useNavigate();
  const onError = (error: Error) => showToast(error.message, { isDanger: true });
  // Set on the hook, not on the call: the calling page is unmounted by then.
  const recreate = useCreateList({ onError });
  return useMutation({
    mutationFn: ({ id }: SmartList) => call('DELETE /api/list/:id/', { params: { id } }),
    onSuccess: async (_, list) => {
      await navigate('/', { replace: true });
      queryClient.removeQueries({ queryKey: listQuery(String(list.id)).queryKey });
      void queryClient.invalidateQueries(smartLists);
      void queryClient.invalidateQueries({ queryKey: ['video', 'home'] });
      const { name } = list;
      showToast(t`“${name}” deleted. Its videos are kept.`, { action: { label: t`Undo`, run: () => recreate.mutate(list) } });
    },
    onError: onError,
  });
}
