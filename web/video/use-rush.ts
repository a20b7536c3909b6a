import { useEffect, useEffectEvent, useState } from 'react';

// Pixels a millisecond: three screens a second, at which nobody reads what goes by.
const fastest = 3;
// A jump to a place is no rush: it lasts for so long.
const leastMs = 80;
const stoppedMs = 100;

/**
 * Whether somebody rushes past what the window shows; `placeNow` tells where they are, in pixels. What comes into sight
 * meanwhile is neither asked for nor drawn in full, so that no frame waits for it.
 */
export function useRush(placeNow: () => number): boolean {
  const [isRushing, setIsRushing] = useState(false);
  // Asked of the window itself it would have the page laid out once more for each event.
  const whereIs = useEffectEvent(placeNow);
  useEffect(() => {
    let [place, at, since] = [whereIs(), performance.now(), 0];
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = () => {
      since = 0;
      setIsRushing(false);
    };
    const look = () => {
      const now = performance.now();
      const is = whereIs();
      const isFast = Math.abs(is - place) > fastest * Math.min(now - at, stoppedMs);
      [place, at] = [is, now];
      if (!isFast) return;
      clearTimeout(timer);
      timer = setTimeout(stop, stoppedMs); // one slow frame does not end it
      since ||= now;
      if (now - since >= leastMs) setIsRushing(true);
    };
    addEventListener('scroll', look, { passive: true });
    return () => {
      clearTimeout(timer);
      removeEventListener('scroll', look);
    };
  }, []);
  return isRushing;
}
