import { useEffect, useEffectEvent, useState } from 'react';

// Three screens per second: too fast to read.
const fastPxPerMs = 3;
// A jump is shorter than this, and does not count as fast scrolling.
const minimumMs = 80;
const stoppedMs = 100;

/**
 * Whether the user scrolls so fast that new items are neither loaded nor fully rendered, so that no frame waits for them.
 * `getPosition` returns the scroll position in pixels.
 */
export function useFastScroll(getPosition: () => number): boolean {
  const [isFast, setIsFast] = useState(false);
  // Reading `scrollY` would force a layout for every event.
  const readPosition = useEffectEvent(getPosition);
  useEffect(() => {
    let [position, at, since] = [readPosition(), performance.now(), 0];
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = () => {
      since = 0;
      setIsFast(false);
    };
    const onScroll = () => {
      const now = performance.now();
      const is = readPosition();
      const isFast = Math.abs(is - position) > fastPxPerMs * Math.min(now - at, stoppedMs);
      [position, at] = [is, now];
      if (!isFast) return;
      clearTimeout(timer);
      timer = setTimeout(stop, stoppedMs); // one slow frame does not end it
      since ||= now;
      if (now - since >= minimumMs) setIsFast(true);
    };
    addEventListener('scroll', onScroll, { passive: true });
    return () => {
      clearTimeout(timer);
      removeEventListener('scroll', onScroll);
    };
  }, []);
  return isFast;
}
