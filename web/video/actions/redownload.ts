import { useAction } from '#web/confirm/use-action.ts';
import { plural } from '@lingui/core/macro';
import type { Video } from '#contract/video.ts';
import { call } from '#web/api/call.ts';
import { useToast } from '#web/ui/toasts.tsx';

/** Downloads videos again. The existing file stays until the new one is downloaded. */
export function useRedownload() {
  const showToast = useToast();
  return useAction(
    (videos: Video[]) =>
      call('POST /api/download/', {
        query: { force: true, autostart: true },
        body: { data: videos.map((video) => ({ youtube_id: video.source_url ?? video.youtube_id, status: 'pending' as const })) },
      }),
    {
      onSuccess: (_answer, videos) =>
        showToast(
          plural(videos.length, {
            one: '# video queued for redownload. Its file stays until the new one is downloaded.',
            other: '# videos queued for redownload. Their files stay until the new ones are downloaded.',
          }),
        ),
    },
  );
}
