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

/** The page may be gone before an answer: the browser sends this one for it all the same. */
const saveLast = (id: string, position: number) =>
  void fetch(callAddress('/api/video/:id/progress/', { id }), {
    method: 'POST',
    keepalive: true,
    headers: { 'content-type': 'application/json', ...csrfHeader() },
    body: JSON.stringify({ position }),
  }).catch(() => {});

/**
 * Saves where somebody is in a video: now and then while it plays, at a pause, at the end, and when the page or the video goes.
 * Answers what ends that.
 */
export function keepPosition(video: HTMLVideoElement, id: string, onPlayer: (player: Player) => void): () => void {
  let saved = -1;
  // When another video takes this one's place, the element knows nothing of it any more.
  let last = { seconds: video.currentTime, duration: video.duration, isPlaying: !video.paused };
  let isOver = false;
  const save = async () => {
    const position = Math.floor(last.seconds);
    if (position === saved) return;
    saved = position;
    try {
      onPlayer(await call(place, { params: { id }, body: { position } }));
    } catch {
      saved = -1; // tried again at the next occasion; playing goes on meanwhile
    }
  };
  const look = () => {
    if (isOver || video.readyState === 0) return;
    last = { seconds: video.currentTime, duration: video.duration, isPlaying: !video.paused };
  };
  const onPause = () => {
    look();
    if (isWorthSaving(last.seconds, last.duration)) void save();
  };
  const onEnded = () => {
    look();
    void save();
  };
  const onHide = () => {
    const position = Math.floor(last.seconds);
    if (document.visibilityState !== 'hidden' || video.ended || !isWorthSaving(last.seconds, last.duration)) return;
    if (position === saved) return;
    saved = position;
    saveLast(id, position);
  };
  const timer = setInterval(() => {
    look();
    if (!video.paused && last.seconds > leastSeconds / 2) void save();
  }, everyMs);
  video.addEventListener('timeupdate', look);
  video.addEventListener('seeked', look);
  video.addEventListener('pause', onPause);
  video.addEventListener('ended', onEnded);
  document.addEventListener('visibilitychange', onHide);
  addEventListener('pagehide', onHide);
  return () => {
    isOver = true;
    clearInterval(timer);
    video.removeEventListener('timeupdate', look);
    video.removeEventListener('seeked', look);
    video.removeEventListener('pause', onPause);
    video.removeEventListener('ended', onEnded);
    document.removeEventListener('visibilitychange', onHide);
    removeEventListener('pagehide', onHide);
    if (last.isPlaying && isWorthSaving(last.seconds, last.duration)) void save();
    void queryClient.invalidateQueries({ queryKey: ['video', 'list'] });
  };
}
