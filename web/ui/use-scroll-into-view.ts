import { useEffect, useRef } from 'react';

/** Marks the sides on which a scrolling row continues; they fade out (base.css). Returns a cleanup function. */
function markOverflow(row: HTMLElement): () => void {
  const update = () => {
    const scrolled = Math.abs(row.scrollLeft);
    row.toggleAttribute('data-more-before', scrolled > 1);
    row.toggleAttribute('data-more-after', row.scrollWidth - row.clientWidth - scrolled > 1);
  };
  const observer = new ResizeObserver(update);
  for (const part of [row, ...row.children]) observer.observe(part);
  row.addEventListener('scroll', update, { passive: true });
  return () => {
    observer.disconnect();
    row.removeEventListener('scroll', update);
  };
}

/**
 * Centers the element that matches `selector` in a scrolling row, or in a column that hides it, whenever `trigger` changes. The
 * row fades out where it continues.
 */
export function useScrollIntoView<E extends HTMLElement>(selector: string, trigger: unknown) {
  const row = useRef<E>(null);
  useEffect(() => {
    const current = row.current?.querySelector<HTMLElement>(selector);
    if (!row.current || !current) return;
    const [outer, inner] = [row.current.getBoundingClientRect(), current.getBoundingClientRect()];
    // Not scrollIntoView, which may scroll the page as well.
    row.current.scrollLeft += inner.left - outer.left - (outer.width - inner.width) / 2;
    if (inner.top < outer.top || inner.bottom > outer.bottom)
      row.current.scrollTop += inner.top - outer.top - (outer.height - inner.height) / 2;
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- runs when the trigger changes
  }, [selector, trigger]);
  // After each render, because tabs may have been added.
  useEffect(() => (row.current ? markOverflow(row.current) : undefined));
  return row;
}
