import { call, addressOf } from '#web/api/call.ts';
import type { Video } from '#contract/video.ts';
import { leaveToFile } from './sound.ts';

// A television fetches the file by itself, without anybody's login: it is given an address that carries its own leave. The
// browser's own ways to such devices are used, so that no script of anybody else is let in.

type AirPlayVideo = HTMLVideoElement & { webkitShowPlaybackTargetPicker?(): void };

export const hasAirPlay = (element: HTMLVideoElement) =>
  'WebKitPlaybackTargetAvailabilityEvent' in window && 'webkitShowPlaybackTargetPicker' in (element as AirPlayVideo);
export const hasRemote = (element: HTMLVideoElement) => window.isSecureContext && 'remote' in element;

// The address that carries its own leave, while it is that one which plays.
const signed = new WeakMap<HTMLVideoElement, string>();

/** Has the element play from an address that a device elsewhere can open as well, at the same second. */
export async function playFromLink(element: HTMLVideoElement, video: Video): Promise<void> {
  if (signed.get(element) === element.src) return;
  const { media_url, vid_thumb_url, subtitles } = await call('GET /api/video/:id/link/', { params: { id: video.youtube_id } });
  const { currentTime: at, paused: wasPaused } = element;
  const links = new Map(subtitles.map(({ lang, media_url: link }) => [lang, link]));
  for (const track of element.querySelectorAll('track')) {
    const link = links.get(track.srclang);
    if (link) track.src = addressOf(link);
  }
  element.poster = addressOf(vid_thumb_url);
  leaveToFile();
  await new Promise<void>((resolve) => {
    element.addEventListener('loadedmetadata', () => resolve(), { once: true });
    element.addEventListener('error', () => resolve(), { once: true });
    element.src = addressOf(media_url);
  });
  signed.set(element, element.src);
  element.currentTime = at;
  if (!wasPaused) await element.play().catch(() => {});
}

export const showAirPlay = (element: HTMLVideoElement) => (element as AirPlayVideo).webkitShowPlaybackTargetPicker?.();
