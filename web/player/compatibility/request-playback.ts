import type { TriedMethod } from '#contract/playback.ts';
import type { Video } from '#contract/video.ts';
import { call } from '#web/api/call.ts';
import { capabilities } from './capabilities.ts';
import { rememberFailures } from './failures.ts';

/** Asks the server how this browser can play a video. `failed`: what failed since the video was loaded. `height`: the wanted one; null for the best. */
export async function requestPlayback(
  video: Video,
  {
    failed,
    height,
    track,
    signal,
  }: { failed: readonly TriedMethod[]; height: number | null; track: number | undefined; signal: AbortSignal },
) {
  const can = await capabilities();
  const body = {
    can,
    previous_failed: rememberFailures(video, failed),
    ...(track !== undefined && { track }),
    ...(height !== null && { height }),
  };
  return call('POST /api/video/:id/playback/', { params: { id: video.youtube_id }, body, signal });
}
