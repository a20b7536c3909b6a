import { messageText } from '#web/i18n/message-text.ts';
import { plural, t } from '@lingui/core/macro';
import { keepPreviousData, queryOptions, useMutation, useQuery } from '@tanstack/react-query';
import { call } from '#web/api/call.ts';
import { queryClient } from '#web/api/client.ts';
import { settingsQuery } from '#web/api/queries/settings.ts';
import { useToast } from '#web/ui/toasts.tsx';

export const trashQuery = (page: number) =>
  queryOptions({
    queryKey: ['trash', 'page', page],
    queryFn: ({ signal }) => call('GET /api/trash/', { query: page > 1 ? { page } : {}, signal }),
    placeholderData: keepPreviousData,
  });

/** Retention of the trash in days; 0 when it is off, undefined while loading. */
export const useTrashDays = () => useQuery(settingsQuery).data?.trash.days;

/** Limit of the server per call. */
const maxIdsPerCall = 500;

/** Restores deleted videos by trash entry ids or video ids, with a toast. */
export function useRestoreVideos() {
  const showToast = useToast();
  return useMutation({
    mutationFn: async (ids: (number | string)[]) => {
      let done = 0;
      for (let from = 0; from < ids.length; from += maxIdsPerCall) {
        const reply = await call('POST /api/trash/', { body: { action: 'restore', ids: ids.slice(from, from + maxIdsPerCall) } });
        done += reply.done;
        const [failed] = reply.refused;
        if (failed) throw new Error(messageText(failed.messages, failed.error));
      }
      return done;
    },
    onSuccess: (done) => showToast(plural(done, { one: '# video restored.', other: '# videos restored.' })),
    onError: (error) => showToast(error.message, { isDanger: true }),
    onSettled: () => queryClient.invalidateQueries(),
  }).mutate;
}

/** Toast after a deletion, with undo when the trash is on. */
export function useVideosDeletedToast() {
  const showToast = useToast();
  const restore = useRestoreVideos();
  const days = useTrashDays();
  return (ids: string[], { inBin, gone: purged }: { inBin: string; gone: string }) =>
    days === 0 ? showToast(purged) : showToast(inBin, { action: { label: t`Undo`, run: () => restore(ids) } });
}
