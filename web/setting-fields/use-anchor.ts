import { useEffect, useEffectEvent, useRef } from 'react';
import { useLocation } from 'react-router';

/**
 * Scrolls to an element and calls `onFound` when the page address names one of its anchors, also when the same address is
 * opened again.
 */
export function useAnchor<E extends HTMLElement>(ids: string[], onFound: (element: E) => void, block: 'start' | 'center') {
  const { hash, key } = useLocation();
  const element = useRef<E>(null);
  const isTarget = ids.some((id) => hash === `#${id}`);
  const find = useEffectEvent((_visit: string) => {
    element.current?.scrollIntoView({ block });
    if (element.current) onFound(element.current);
  });
  useEffect(() => {
    if (isTarget) find(key);
  }, [isTarget, key]);
  return { element, isTarget };
}

/** Focuses the first control in an element. */
export const focusControl = (element: HTMLElement) =>
  element.querySelector<HTMLElement>('input, select, textarea, button:not(:disabled)')?.focus({ preventScroll: true });
