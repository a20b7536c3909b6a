import { useLayoutEffect, useState, type RefObject } from 'react';

/** Starts with the width of the last list, so that the scroll position survives going back. */
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

/** Returns the preferred number of columns, or fewer if cards would become too narrow. */
export function fitColumns(width: number, preferred: number): number {
  const isPhone = width < 640;
  const [least, gap] = isPhone ? [260, 16] : [148, 24];
  return Math.max(1, Math.min(preferred, Math.floor((width + gap) / (least + gap))));
}
