import { t } from '@lingui/core/macro';
import { setRate } from '../commands/actions.ts';
import { showStatus } from '../state/status-message.ts';
import { setMiniPlayer, playerStore } from '../state/player-store.ts';

// Touch gestures: holding plays at double speed, swiping down opens the mini player.

const holdMs = 500;
const holdRate = 2;
/** Shorter movements count as holding still. */
const stillPx = 10;
const swipePx = 80;

/** Handles touch gestures on the player. Returns a cleanup function. */
export function listenToTouch(video: HTMLVideoElement, frame: HTMLElement): () => void {
  let from: { x: number; y: number } | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let rateBefore: number | null = null;

  const hold = () => {
    if (video.paused) return;
    rateBefore = video.playbackRate;
    setRate(video, holdRate);
  };
  const release = () => {
    clearTimeout(timer);
    if (rateBefore !== null) video.playbackRate = rateBefore;
    rateBefore = null;
    from = null;
  };
  const onStart = ({ target, touches }: TouchEvent) => {
    release();
    const [finger] = touches;
    if (touches.length !== 1 || !finger || (target as Element).closest('[data-interactive]')) return;
    from = { x: finger.clientX, y: finger.clientY };
    timer = setTimeout(hold, holdMs);
  };
  const onMove = ({ touches: [finger] }: TouchEvent) => {
    if (from && finger && Math.hypot(finger.clientX - from.x, finger.clientY - from.y) > stillPx) clearTimeout(timer);
  };
  const onEnd = ({ changedTouches: [finger] }: TouchEvent) => {
    const [was, wasHeld] = [from, rateBefore !== null];
    release();
    if (!was || !finger || wasHeld || document.fullscreenElement) return;
    const [across, down] = [finger.clientX - was.x, finger.clientY - was.y];
    const { hasSlot, isMini, isPortrait } = playerStore.get();
    if (down < swipePx || down < 2 * Math.abs(across) || !hasSlot || isMini || isPortrait) return;
    setMiniPlayer(true);
    showStatus(t`Mini player on`);
  };
  // A long press would open the context menu, on a slow device before the speed changes. Then no touchend arrives.
  const onMenu = (event: Event) => from !== null && event.preventDefault();

  const passive = { passive: true };
  frame.addEventListener('touchstart', onStart, passive);
  frame.addEventListener('touchmove', onMove, passive);
  frame.addEventListener('touchend', onEnd, passive);
  frame.addEventListener('touchcancel', release, passive);
  frame.addEventListener('contextmenu', onMenu);
  return () => {
    release();
    frame.removeEventListener('touchstart', onStart);
    frame.removeEventListener('touchmove', onMove);
    frame.removeEventListener('touchend', onEnd);
    frame.removeEventListener('touchcancel', release);
    frame.removeEventListener('contextmenu', onMenu);
  };
}
