import { useEffect } from 'react';
import { useLocation } from 'react-router';

const prefix = 'comment-';

export const anchorOf = (commentId: string) => `${prefix}${commentId}`;

/** Returns the id of the comment in the fragment of an address, `#comment-<id>`. */
function commentIn(hash: string): string | null {
  if (!hash.startsWith(`#${prefix}`)) return null;
  try {
    return decodeURIComponent(hash.slice(1 + prefix.length));
  } catch {
    return null;
  }
}

/** Keeps an element in the middle of the page while what is above it loads, until the user scrolls or presses something. */
function keepInView(element: HTMLElement): () => void {
  const stopped = new AbortController();
  const observer = new ResizeObserver(() => element.scrollIntoView({ block: 'center' }));
  observer.observe(document.body);
  const stop = () => {
    observer.disconnect();
    stopped.abort();
  };
  for (const type of ['wheel', 'touchstart', 'pointerdown', 'keydown'])
    addEventListener(type, stop, { signal: stopped.signal, passive: true });
  return stop;
}

/** Returns the comment that the address names, and scrolls to it, also when the same address is opened again. */
export function useLinkedComment(): string | null {
  const { hash, key } = useLocation();
  const linked = commentIn(hash);
  useEffect(() => {
    const element = linked === null ? null : document.getElementById(anchorOf(linked));
    element?.focus({ preventScroll: true });
    return element ? keepInView(element) : undefined;
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- runs at each visit
  }, [linked, key]);
  return linked;
}
