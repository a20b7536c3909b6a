import type { Player } from '#contract/video.ts';
import { call, callAddress, csrfHeader } from '#web/api/call.ts';
import { queryClient } from '#web/api/client.ts';

/** Interval for saving the position during playback. */
const saveIntervalMs = 10_000;
// The start does not count as watching; after 95 % the server marks the video as watched.
const minimumSeconds = 10;
const maximumShare = 0.95;

const endpoint = 'POST /api/video/:id/progress/';

/** Whether a position is worth resuming. */
export const isWorthSaving = (seconds: number, duration: number) =>
  Number.isFinite(duration) && duration > 0 && seconds > minimumSeconds && seconds < duration * maximumShare;

/** `keepalive` lets the request outlive the page. */
const saveOnUnload = (id: string, position: number) =>
  void fetch(callAddress('/api/video/:id/progress/', { id }), {
    method: 'POST',
    keepalive: true,
    headers: { 'content-type': 'application/json', ...csrfHeader() },
    body: JSON.stringify({ position }),
  }).catch(() => {});

/** Saves the position at intervals, on pause, at the end, and when the page or the video is left. Returns a cleanup function. */
export function saveProgress(video: HTMLVideoElement, id: string, onPlayer: (player: Player) => void): () => void {
  let saved = -1;
  // When the next video is loaded, the element no longer has the position of this one.
  let last = { seconds: video.currentTime, duration: video.duration, isPlaying: !video.paused };
  let isOver = false;
  const save = async () => {
    const position = Math.floor(last.seconds);
    if (position === saved) return;
    saved = position;
    try {
      onPlayer(await call(endpoint, { params: { id }, body: { position } }));
    } catch {
      saved = -1; // retried with the next save
    }
  };
  const update = () => {
    if (isOver || video.readyState === 0) return;
    last = { seconds: video.currentTime, duration: video.duration, isPlaying: !video.paused };
  };
  const onPause = () => {
    update();
    if (isWorthSaving(last.seconds, last.duration)) void save();
  };
  const onEnded = () => {
    update();
    void save();
  };
  const onHide = () => {
    const position = Math.floor(last.seconds);
    if (document.visibilityState !== 'hidden' || video.ended || !isWorthSaving(last.seconds, last.duration)) return;
    if (position === saved) return;
    saved = position;
    saveOnUnload(id, position);
  };
  const timer = setInterval(() => {
    update();
    if (!video.paused && last.seconds > minimumSeconds / 2) void save();
  }, saveIntervalMs);
  video.addEventListener('timeupdate', update);
  video.addEventListener('seeked', update);
  video.addEventListener('pause', onPause);
  video.addEventListener('ended', onEnded);
  document.addEventListener('visibilitychange', onHide);
  addEventListener('pagehide', onHide);
  return () => {
    isOver = true;
    clearInterval(timer);
    video.removeEventListener('timeupdate', update);
    video.removeEventListener('seeked', update);
    video.removeEventListener('pause', onPause);
    video.removeEventListener('ended', onEnded);
    document.removeEventListener('visibilitychange', onHide);
    removeEventListener('pagehide', onHide);
    if (last.isPlaying && isWorthSaving(last.seconds, last.duration)) void save();
    void queryClient.invalidateQueries({ queryKey: ['video', 'list'] });
    void queryClient.invalidateQueries({ queryKey: ['video', 'home'] });
  };
}
