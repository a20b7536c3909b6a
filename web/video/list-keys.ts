import { useState, type FocusEvent, type KeyboardEvent, type MouseEvent } from 'react';
import type { Video } from '#contract/video.ts';
import { useMarkWatched } from './queries.ts';
import type { Selection } from './selection.ts';

export interface Listens {
  onKeyDown(event: KeyboardEvent): void;
  onClickCapture(event: MouseEvent): void;
  onFocus(event: FocusEvent): void;
}

interface Wish {
  count: number;
  columns: number;
  videoAt(at: number): Video | undefined;
  selection: Selection;
  /** Brings one into sight that may not be drawn yet. */
  reveal?: ((at: number) => void) | undefined;
}

const placeOf = (target: EventTarget) => {
  const item = target instanceof Element ? target.closest('[data-at]') : null;
  return item ? Number(item.getAttribute('data-at')) : null;
};

/** Puts the focus on one, as soon as it is drawn. */
function focusOn(list: HTMLElement | null, at: number, tries = 20) {
  const main = list?.querySelector<HTMLElement>(`[data-at="${at}"] [data-main]`);
  if (main) main.focus();
  else if (tries > 0) requestAnimationFrame(() => focusOn(list, at, tries - 1));
}

/** Arrows go over the list by rows and columns, Home and End to its ends; w marks as watched, x chooses, with Shift a range. */
export function useListKeys({ count, columns, videoAt, selection, reveal }: Wish) {
  const [list, setList] = useState<HTMLElement | null>(null);
  const [active, setActive] = useState(0);
  const mark = useMarkWatched();
  const go = (at: number, isRange: boolean) => {
    if (at < 0 || at >= count) return;
    setActive(at);
    reveal?.(at);
    focusOn(list, at);
    if (isRange) selection.extend(at);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const at = placeOf(event.target);
    if (at === null || event.altKey || event.defaultPrevented) return;
    const video = videoAt(at);
    const ahead = getComputedStyle(event.currentTarget).direction === 'rtl' ? -1 : 1;
    const steps: Record<string, number> = { ArrowRight: ahead, ArrowLeft: -ahead, ArrowDown: columns, ArrowUp: -columns };
    const isCommand = event.ctrlKey || event.metaKey;
    const step = steps[event.key];
    if (step !== undefined && !isCommand) {
      if (event.shiftKey && !selection.isOn) selection.toggle(at);
      // From the last full row down to what the last row has.
      const next = step === columns && at + step >= count && at < count - 1 ? count - 1 : at + step;
      go(next, event.shiftKey);
    } else if (event.key === 'Home' && !isCommand) go(0, event.shiftKey);
    else if (event.key === 'End' && !isCommand) go(count - 1, event.shiftKey);
    else if (event.key === 'a' && isCommand) selection.all();
    else if (event.key === 'x' && !isCommand) selection.toggle(at);
    else if (event.key === 'w' && !isCommand && video) mark(video, !video.player.watched);
    else return;
    event.preventDefault();
  };
  const onClickCapture = (event: MouseEvent) => {
    const at = placeOf(event.target);
    if (!selection.isOn || at === null) return;
    if (event.target instanceof Element && event.target.closest('[data-box]') && !event.shiftKey) return;
    event.preventDefault();
    event.stopPropagation();
    if (event.shiftKey) selection.extend(at);
    else selection.toggle(at);
  };
  const onFocus = (event: FocusEvent) => {
    const at = placeOf(event.target);
    if (at !== null) setActive(at);
  };
  return { listRef: setList, active: Math.min(active, Math.max(0, count - 1)), listens: { onKeyDown, onClickCapture, onFocus } };
}
