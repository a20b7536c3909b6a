import { useEffect, useEffectEvent, type RefObject } from 'react';
import { isTyping } from '#web/ui/is-typing.ts';

const swipePx = 60;
// One turn of a wheel or touchpad sends many events; those within this time belong together.
const wheelPauseMs = 250;
const leastWheelPx = 8;
const keySteps: Record<string, 1 | -1> = { ArrowDown: 1, PageDown: 1, ArrowUp: -1, PageUp: -1 };
const hasOwnKeys = 'input, select, [role="slider"], [role="listbox"], [role="radiogroup"], [role="menu"]';

/** Calls `step` for vertical swipes and wheel turns on an element, and for arrow and page keys anywhere on the page. */
export function useStepGestures(ref: RefObject<HTMLElement | null>, step: (direction: 1 | -1) => void) {
  const go = useEffectEvent(step);
  useEffect(() => {
    const stage = ref.current!;
    let from: { x: number; y: number } | null = null;
    let lastWheelAt = 0;
    const onStart = ({ touches, target }: TouchEvent) => {
      const [finger] = touches;
      const isControl = (target as Element).closest('[data-interactive], [role="slider"]') !== null;
      from = touches.length === 1 && finger && !isControl ? { x: finger.clientX, y: finger.clientY } : null;
    };
    const onEnd = ({ changedTouches: [finger] }: TouchEvent) => {
      const start = from;
      from = null;
      if (!start || !finger || document.fullscreenElement) return;
      const [across, down] = [finger.clientX - start.x, finger.clientY - start.y];
      if (Math.abs(down) >= swipePx && Math.abs(down) >= 2 * Math.abs(across)) go(down < 0 ? 1 : -1);
    };
    const onWheel = (event: WheelEvent) => {
      if (event.ctrlKey || (event.target as Element).closest('[data-interactive]')) return;
      event.preventDefault();
      const isFirst = event.timeStamp - lastWheelAt > wheelPauseMs;
      lastWheelAt = event.timeStamp;
      if (isFirst && Math.abs(event.deltaY) >= leastWheelPx) go(event.deltaY > 0 ? 1 : -1);
    };
    const onKey = (event: KeyboardEvent) => {
      const direction = keySteps[event.key];
      const hasModifier = event.altKey || event.ctrlKey || event.metaKey || event.shiftKey;
      if (!direction || hasModifier || isTyping(event) || document.querySelector('dialog[open]')) return;
      if (event.target instanceof Element && event.target.closest(hasOwnKeys)) return;
      event.preventDefault();
      if (!event.repeat) go(direction);
    };
    stage.addEventListener('touchstart', onStart, { passive: true });
    stage.addEventListener('touchend', onEnd, { passive: true });
    stage.addEventListener('wheel', onWheel, { passive: false });
    // Before the keys of the player, where the arrows change the volume.
    document.addEventListener('keydown', onKey, true);
    return () => {
      stage.removeEventListener('touchstart', onStart);
      stage.removeEventListener('touchend', onEnd);
      stage.removeEventListener('wheel', onWheel);
      document.removeEventListener('keydown', onKey, true);
    };
  }, [ref]);
}
