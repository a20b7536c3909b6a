import { t } from '@lingui/core/macro';
import { queryOptions, useMutation } from '@tanstack/react-query';
import { call } from '#web/api/call.ts';
import { queryClient } from '#web/api/client.ts';
import { useToast } from '#web/ui/toasts.tsx';

/** What staff could delete. Asked again on each visit, like the summaries of lists (cleanup.ts). */
export const suggestionsQuery = queryOptions({
  queryKey: ['cleanup', 'suggestions'],
  queryFn: ({ signal }) => call('GET /api/stats/suggestions/', { signal }),
  staleTime: 0,
});

export const copiesQuery = queryOptions({
  queryKey: ['cleanup', 'copies'],
  queryFn: ({ signal }) => call('GET /api/video/copies/', { signal }),
  staleTime: 0,
});

/** Hides a suggestion for all staff, with undo. */
export function useHideSuggestion() {
  const showToast = useToast();
  const change = useMutation({
    mutationFn: ({ key, isHidden }: { key: string; isHidden: boolean }) =>
      call('POST /api/stats/suggestions/hide/', { body: { key, is_hidden: isHidden } }),
    onSuccess: (_, { key, isHidden }) => {
      if (isHidden)
        showToast(t`Suggestion hidden for 90 days.`, {
          action: { label: t`Undo`, run: () => change.mutate({ key, isHidden: false }) },
        });
    },
    onError: (error) => showToast(error.message, { isDanger: true }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: suggestionsQuery.queryKey }),
  });
  return (key: string) => change.mutate({ key, isHidden: true });
}
