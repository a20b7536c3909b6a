import type { TriedMethod } from '#contract/playback.ts';
import type { Video } from '#contract/video.ts';
import { call } from '#web/api/call.ts';
import { capabilities } from './capabilities.ts';
import { rememberFailures } from './failures.ts';

/**
 * Asks the server how this browser can play a video. `failed`: what failed since the video was loaded. `isRefused`: the server refuses
 * its conversion. `height`: the wanted one; null for the best.
 */
export async function requestPlayback(
  video: Video,
  {
    failed,
    isRefused,
    height,
    track,
    signal,
  }: {
    failed: readonly TriedMethod[];
    isRefused: boolean;
    height: number | null;
    track: number | undefined;
    signal: AbortSignal;
  },
) {
  const can = await capabilities();
  const remembered = rememberFailures(video, failed);
  const body = {
    can,
    previous_failed: isRefused ? [...new Set([...remembered, 'hls' as const])] : remembered,
    ...(track !== undefined && { track }),
    ...(height !== null && { height }),
  };
  return call('POST /api/video/:id/playback/', { params: { id: video.youtube_id }, body, signal });
}
