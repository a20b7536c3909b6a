import { plural } from '@lingui/core/macro';
import { useMutation } from '@tanstack/react-query';
import type { Video } from '#contract/video.ts';
import { call } from '#web/api/call.ts';
import { useToast } from '#web/ui/toasts.tsx';

/** Fetches videos again from their sites; what is here stays until the new file is. */
export function useRedownload() {
  const say = useToast();
  return useMutation({
    mutationFn: (videos: Video[]) =>
      call('POST /api/download/', {
        query: { force: true, autostart: true },
        body: { data: videos.map((video) => ({ youtube_id: video.source_url ?? video.youtube_id, status: 'pending' as const })) },
      }),
    onSuccess: (_answer, videos) =>
      say(
        plural(videos.length, {
          one: '# video is fetched again. Its file stays until the new one is here.',
          other: '# videos are fetched again. Their files stay until the new ones are here.',
        }),
      ),
    onError: (error) => say(error.message, { isDanger: true }),
  });
}
