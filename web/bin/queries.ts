import { plural, t } from '@lingui/core/macro';
import { keepPreviousData, queryOptions, useMutation, useQuery } from '@tanstack/react-query';
import { call } from '#web/api/call.ts';
import { queryClient } from '#web/api/client.ts';
import { settingsQuery } from '#web/settings/setting-queries.ts';
import { useToast } from '#web/ui/toasts.tsx';

export const binQuery = (page: number) =>
  queryOptions({
    queryKey: ['bin', 'page', page],
    queryFn: ({ signal }) => call('GET /api/bin/', { query: page > 1 ? { page } : {}, signal }),
    placeholderData: keepPreviousData,
  });

/** For how many days what is deleted rests in the bin; 0 where there is none. Undefined until it is known. */
export const useBinDays = () => useQuery(settingsQuery).data?.bin.days;

/** How many the server takes in one call. */
const atOnce = 500;

/** Puts deleted videos back, by the numbers of their deletions or their own ids, and says what came of it. */
export function usePutBack() {
  const say = useToast();
  return useMutation({
    mutationFn: async (ids: (number | string)[]) => {
      let done = 0;
      for (let from = 0; from < ids.length; from += atOnce) {
        const answer = await call('POST /api/bin/', { body: { action: 'restore', ids: ids.slice(from, from + atOnce) } });
        done += answer.done;
        if (answer.refused[0]) throw new Error(answer.refused[0].error);
      }
      return done;
    },
    onSuccess: (done) => say(plural(done, { one: '# video is back.', other: '# videos are back.' })),
    onError: (error) => say(error.message, { isDanger: true }),
    onSettled: () => queryClient.invalidateQueries(),
  }).mutate;
}

/** Says that something was deleted, with a way back where there is a bin. */
export function useSayDeleted() {
  const say = useToast();
  const putBack = usePutBack();
  const days = useBinDays();
  return (ids: string[], { inBin, gone }: { inBin: string; gone: string }) =>
    days === 0 ? say(gone) : say(inBin, { action: { label: t`Undo`, run: () => putBack(ids) } });
}
