import { plural } from '@lingui/core/macro';
import { useMutation } from '@tanstack/react-query';
import type { Video } from '#contract/video.ts';
import { call } from '#web/api/call.ts';
import { queryClient } from '#web/api/client.ts';
import { useToast } from '#web/ui/toasts.tsx';
import { mapConcurrent } from '#web/api/map-concurrent.ts';

/** Protects videos from deletion by rules. */
export function useProtect() {
  const showToast = useToast();
  return useMutation({
    mutationFn: (videos: Video[]) =>
      mapConcurrent(videos, ({ youtube_id: id }) =>
        call('POST /api/video/:id/protect/', { params: { id }, body: { is_protected: true } }),
      ),
    onSuccess: (_done, videos) =>
      showToast(plural(videos.length, { one: '# video protected from cleanup.', other: '# videos protected from cleanup.' })),
    onError: (error) => showToast(error.message, { isDanger: true }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['video'] }),
  });
}
