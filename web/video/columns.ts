import { useLayoutEffect, useState, type RefObject } from 'react';

/** How wide a list is: at once what the last one was, so that who comes back finds everything where it was. */
let lastWidth = 0;

export function useWidth(box: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(lastWidth || 800);
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    const look = () => {
      lastWidth = element.clientWidth;
      setWidth(lastWidth);
    };
    look();
    const observer = new ResizeObserver(look);
    observer.observe(element);
    return () => observer.disconnect();
  }, [box]);
  return width;
}

/** How many cards stand side by side: as many as the person wants, fewer where each would be too small to see. */
export function columnsIn(width: number, wanted: number): number {
  const isPhone = width < 640;
  const [least, gap] = isPhone ? [260, 16] : [148, 24];
  return Math.max(1, Math.min(wanted, Math.floor((width + gap) / (least + gap))));
}
