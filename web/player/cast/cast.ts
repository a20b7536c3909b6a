import { call, addressOf } from '#web/api/call.ts';
import type { Video } from '#contract/video.ts';
import { resetToFile } from '../audio/audio-source.ts';

// A TV loads the file without a session, so it gets a signed URL. AirPlay and the Remote Playback API are used where they exist,
// which need no third-party script.

type AirPlayVideo = HTMLVideoElement & { webkitShowPlaybackTargetPicker?(): void };

export const supportsAirPlay = (element: HTMLVideoElement) =>
  'WebKitPlaybackTargetAvailabilityEvent' in window && 'webkitShowPlaybackTargetPicker' in (element as AirPlayVideo);
export const supportsRemotePlayback = (element: HTMLVideoElement) => window.isSecureContext && 'remote' in element;

// Signed URL that an element currently plays.
const signedUrls = new WeakMap<HTMLVideoElement, string>();

/** Switches the element to a signed URL that another device can open, at the same position. */
export async function playFromSignedUrl(element: HTMLVideoElement, video: Video): Promise<void> {
  if (signedUrls.get(element) === element.src) return;
  const { media_url, vid_thumb_url, subtitles } = await call('GET /api/video/:id/link/', { params: { id: video.youtube_id } });
  const { currentTime: at, paused: wasPaused } = element;
  const links = new Map(subtitles.map(({ lang, media_url: link }) => [lang, link]));
  for (const track of element.querySelectorAll('track')) {
    const link = links.get(track.srclang);
    if (link) track.src = addressOf(link);
  }
  element.poster = addressOf(vid_thumb_url);
  resetToFile();
  await new Promise<void>((resolve) => {
    element.addEventListener('loadedmetadata', () => resolve(), { once: true });
    element.addEventListener('error', () => resolve(), { once: true });
    element.src = addressOf(media_url);
  });
  signedUrls.set(element, element.src);
  element.currentTime = at;
  if (!wasPaused) await element.play().catch(() => {});
}

export const openAirPlayPicker = (element: HTMLVideoElement) => (element as AirPlayVideo).webkitShowPlaybackTargetPicker?.();
