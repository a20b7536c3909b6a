import { plural } from '@lingui/core/macro';
import { useMutation } from '@tanstack/react-query';
import type { Video } from '#contract/video.ts';
import { call } from '#web/api/call.ts';
import { queryClient } from '#web/api/client.ts';
import { useToast } from '#web/ui/toasts.tsx';
import { forEach } from './for-each.ts';

/** Marks videos so that no rule deletes them. */
export function useKeep() {
  const say = useToast();
  return useMutation({
    mutationFn: (videos: Video[]) =>
      forEach(videos, ({ youtube_id: id }) => call('POST /api/video/:id/keep/', { params: { id }, body: { is_kept: true } })),
    onSuccess: (_done, videos) =>
      say(plural(videos.length, { one: 'No rule deletes # video any more.', other: 'No rule deletes # videos any more.' })),
    onError: (error) => say(error.message, { isDanger: true }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['video'] }),
  });
}
