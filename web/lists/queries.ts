import { t } from '@lingui/core/macro';
import { queryOptions, useMutation } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import type { SmartList } from '#contract/list.ts';
import { call } from '#web/api/call.ts';
import { askAgain, queryClient } from '#web/api/client.ts';
import { useToast } from '#web/ui/toasts.tsx';
import { keptOf, type Filter } from '#web/video/filter-address.ts';
import { pathOfList } from '#web/video/paths.ts';
import { smartLists } from './all-lists.ts';

export const listQuery = (id: string) =>
  queryOptions({
    queryKey: ['list', 'one', id],
    queryFn: ({ signal }) => call('GET /api/list/:id/', { params: { id }, signal }),
  });

/** Somebody looks at a list: from now on nothing in it is new. */
export const noteVisit = async (id: number) => {
  await call('POST /api/list/:id/visit/', { params: { id } });
  await queryClient.invalidateQueries(smartLists);
};

interface Wish {
  name?: string;
  filter?: Filter;
  is_shared?: boolean;
}

/** Keeps a list, and goes there. */
export function useKeepList(onError?: (error: Error) => void) {
  const navigate = useNavigate();
  return useMutation({
    mutationFn: ({ name, filter, is_shared }: Pick<SmartList, 'name' | 'filter' | 'is_shared'>) =>
      call('POST /api/list/', { body: { name, filter, is_shared } }),
    onSuccess: async ({ id }) => {
      void askAgain('list');
      await navigate(pathOfList(id));
    },
    onError,
  });
}

/** Changes a list of one's own. */
export const useChangeList = (id: number) =>
  useMutation({
    mutationFn: ({ filter, ...rest }: Wish) =>
      call('POST /api/list/:id/', { params: { id }, body: { ...rest, ...(filter && { filter: keptOf(filter) }) } }),
    onSuccess: (list) => {
      queryClient.setQueryData(listQuery(String(id)).queryKey, list);
      void queryClient.invalidateQueries(smartLists);
    },
  });

/** Deletes a list of one's own, which can be taken back for a while. */
export function useDeleteList() {
  const say = useToast();
  const navigate = useNavigate();
  const refused = (error: Error) => say(error.message, { isDanger: true });
  // On the hook, not on the call: the page it was called from is gone by then.
  const again = useKeepList(refused);
  return useMutation({
    mutationFn: ({ id }: SmartList) => call('DELETE /api/list/:id/', { params: { id } }),
    onSuccess: async (_, list) => {
      await navigate('/', { replace: true });
      queryClient.removeQueries({ queryKey: listQuery(String(list.id)).queryKey });
      void queryClient.invalidateQueries(smartLists);
      const { name } = list;
      say(t`“${name}” is deleted; its videos stay.`, { action: { label: t`Undo`, run: () => again.mutate(list) } });
    },
    onError: refused,
  });
}
