import { useEffect, useRef } from 'react';

/**
 * For a row that scrolls sideways where not all of it fits: the one in it that a selector names is brought into its middle,
 * whenever the occasion is another.
 */
export function useInSight<E extends HTMLElement>(selector: string, occasion: unknown) {
  const row = useRef<E>(null);
  useEffect(() => {
    const present = row.current?.querySelector<HTMLElement>(selector);
    // Not scrollIntoView: the page itself stays where it is.
    if (present)
      row.current!.scrollLeft =
        present.offsetLeft - row.current!.offsetLeft - (row.current!.clientWidth - present.offsetWidth) / 2;
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- the occasion is when to look
  }, [selector, occasion]);
  return row;
}
