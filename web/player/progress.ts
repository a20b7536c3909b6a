import type { Player } from '#contract/video.ts';
import { call, callAddress, csrfHeader } from '#web/api/call.ts';
import { queryClient } from '#web/api/client.ts';

/** While it plays, the position is saved this often. */
const everyMs = 10_000;
// The first seconds are somebody looking what it is; the last belong to "watched", which the server decides.
const leastSeconds = 10;
const mostShare = 0.95;

const place = 'POST /api/video/:id/progress/';

/** Whether a pause here is a place to come back to. */
export const isWorthSaving = (seconds: number, duration: number) =>
  Number.isFinite(duration) && duration > 0 && seconds > leastSeconds && seconds < duration * mostShare;

/**
 * Saves where somebody is in a video: now and then while it plays, at a pause, at the end, and when the page goes. Answers
 * what ends that.
 */
export function keepPosition(video: HTMLVideoElement, id: string, onPlayer: (player: Player) => void): () => void {
  let saved = -1;
  const save = async () => {
    const position = Math.floor(video.currentTime);
    if (position === saved) return;
    saved = position;
    try {
      onPlayer(await call(place, { params: { id }, body: { position } }));
    } catch {
      saved = -1; // tried again at the next occasion; playing goes on meanwhile
    }
  };
  const onPause = () => {
    if (isWorthSaving(video.currentTime, video.duration)) void save();
  };
  const onEnded = () => void save();
  // The page may be gone before an answer: the browser sends this one for it all the same.
  const onHide = () => {
    if (document.visibilityState !== 'hidden' || video.ended || !isWorthSaving(video.currentTime, video.duration)) return;
    const position = Math.floor(video.currentTime);
    if (position === saved) return;
    saved = position;
    void fetch(callAddress('/api/video/:id/progress/', { id }), {
      method: 'POST',
      keepalive: true,
      headers: { 'content-type': 'application/json', ...csrfHeader() },
      body: JSON.stringify({ position }),
    }).catch(() => {});
  };
  const timer = setInterval(() => {
    if (!video.paused && video.currentTime > leastSeconds / 2) void save();
  }, everyMs);
  video.addEventListener('pause', onPause);
  video.addEventListener('ended', onEnded);
  document.addEventListener('visibilitychange', onHide);
  addEventListener('pagehide', onHide);
  return () => {
    clearInterval(timer);
    video.removeEventListener('pause', onPause);
    video.removeEventListener('ended', onEnded);
    document.removeEventListener('visibilitychange', onHide);
    removeEventListener('pagehide', onHide);
    if (!video.paused && isWorthSaving(video.currentTime, video.duration)) void save();
    void queryClient.invalidateQueries({ queryKey: ['video', 'list'] });
  };
}
