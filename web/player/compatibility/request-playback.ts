import type { TriedMethod } from '#contract/playback.ts';
import type { Video } from '#contract/video.ts';
import { call } from '#web/api/call.ts';
import { capabilities } from './capabilities.ts';
import { rememberFailures } from './failures.ts';

/** Asks the server how this browser can play a video. `failed`: what failed since the video was loaded. */
export async function requestPlayback(
  video: Video,
  { failed, track, signal }: { failed: readonly TriedMethod[]; track: number | undefined; signal: AbortSignal },
) {
  const can = await capabilities();
  const body = { can, previous_failed: rememberFailures(video, failed), ...(track !== undefined && { track }) };
  return call('POST /api/video/:id/playback/', { params: { id: video.youtube_id }, body, signal });
}
