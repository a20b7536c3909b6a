import { t } from '@lingui/core/macro';
import { setRate } from './actions.ts';
import { say } from './said.ts';
import { setInCorner, stage } from './stage.ts';

// What fingers do beside tapping: held, it plays twice as fast for as long; swiped down, it goes into the corner.

const heldMs = 500;
const heldRate = 2;
/** Less is a finger that trembles. */
const stillPx = 10;
const swipePx = 80;

/** Listens to fingers on the picture. Answers what ends that. */
export function listenToTouch(video: HTMLVideoElement, frame: HTMLElement): () => void {
  let from: { x: number; y: number } | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let rateBefore: number | null = null;

  const hold = () => {
    if (video.paused) return;
    rateBefore = video.playbackRate;
    setRate(video, heldRate);
  };
  const letGo = () => {
    clearTimeout(timer);
    if (rateBefore !== null) video.playbackRate = rateBefore;
    rateBefore = null;
    from = null;
  };
  const onStart = ({ target, touches }: TouchEvent) => {
    letGo();
    const [finger] = touches;
    if (touches.length !== 1 || !finger || (target as Element).closest('[data-interactive]')) return;
    from = { x: finger.clientX, y: finger.clientY };
    timer = setTimeout(hold, heldMs);
  };
  const onMove = ({ touches: [finger] }: TouchEvent) => {
    if (from && finger && Math.hypot(finger.clientX - from.x, finger.clientY - from.y) > stillPx) clearTimeout(timer);
  };
  const onEnd = ({ changedTouches: [finger] }: TouchEvent) => {
    const [was, wasHeld] = [from, rateBefore !== null];
    letGo();
    if (!was || !finger || wasHeld || document.fullscreenElement) return;
    const [across, down] = [finger.clientX - was.x, finger.clientY - was.y];
    const { hasPlace, isInCorner } = stage.get();
    if (down < swipePx || down < 2 * Math.abs(across) || !hasPlace || isInCorner) return;
    setInCorner(true);
    say(t`In the corner`);
  };
  // A finger that rests would open the browser's menu of the picture.
  const onMenu = (event: Event) => rateBefore !== null && event.preventDefault();

  const passive = { passive: true };
  frame.addEventListener('touchstart', onStart, passive);
  frame.addEventListener('touchmove', onMove, passive);
  frame.addEventListener('touchend', onEnd, passive);
  frame.addEventListener('touchcancel', letGo, passive);
  frame.addEventListener('contextmenu', onMenu);
  return () => {
    letGo();
    frame.removeEventListener('touchstart', onStart);
    frame.removeEventListener('touchmove', onMove);
    frame.removeEventListener('touchend', onEnd);
    frame.removeEventListener('touchcancel', letGo);
    frame.removeEventListener('contextmenu', onMenu);
  };
}
