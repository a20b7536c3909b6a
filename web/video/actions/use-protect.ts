import { useAction } from '#web/confirm/use-action.ts';
import { plural } from '@lingui/core/macro';
import type { Video } from '#contract/video.ts';
import { call } from '#web/api/call.ts';
import { queryClient } from '#web/api/client.ts';
import { useToast } from '#web/ui/toasts.tsx';
import { mapConcurrent } from '#web/api/map-concurrent.ts';

/** Protects videos from deletion by rules. */
export function useProtect() {
  const showToast = useToast();
  return useAction(
    (videos: Video[]) =>
      mapConcurrent(videos, ({ youtube_id: id }) =>
        call('POST /api/video/:id/protect/', { params: { id }, body: { is_protected: true } }),
      ),
    {
      onSuccess: (_done, videos) =>
        showToast(plural(videos.length, { one: '# video protected from cleanup.', other: '# videos protected from cleanup.' })),
      onSettled: () => queryClient.invalidateQueries({ queryKey: ['video'] }),
    },
  );
}
