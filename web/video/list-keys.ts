import { t } from '@lingui/core/macro';
import { useEffect, useEffectEvent, useRef, useState, type FocusEvent, type KeyboardEvent, type MouseEvent } from 'react';
import type { Video } from '#contract/video.ts';
import { choices } from '#web/player/choices.ts';
import { plainKey } from '#web/player/key-name.ts';
import { useToast } from '#web/ui/toasts.tsx';
import { useMarkWatched } from './queries.ts';
import type { Selection } from './selection.ts';

export interface Listens {
  onKeyDown(event: KeyboardEvent): void;
  onClickCapture(event: MouseEvent): void;
  onFocus(event: FocusEvent): void;
  onBlur(event: FocusEvent): void;
}

type Pressed = Pick<KeyboardEvent, 'key' | 'code' | 'shiftKey' | 'ctrlKey' | 'metaKey' | 'preventDefault'>;

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

const longestMs = 10_000;
let wished = 0;

/** Puts the focus on one, as soon as it is drawn: it may have to be fetched first. Not when somebody went elsewhere meanwhile. */
function focusOn(list: HTMLElement, at: number, wish = ++wished, until = Date.now() + longestMs) {
  const { activeElement } = document;
  const isElsewhere = activeElement !== document.body && !list.contains(activeElement);
  if (wish !== wished || isElsewhere || Date.now() > until) return;
  const main = list.querySelector<HTMLElement>(`[data-at="${at}"] [data-main]`);
  if (main) main.focus();
  else requestAnimationFrame(() => focusOn(list, at, wish, until));
}

/**
 * Arrows go over the list by rows and columns, Home and End to its ends; w marks as watched, q queues, x chooses, with Shift a
 * range. They work on the one that has the focus; of one that was scrolled out of an endless list they go on as well.
 */
export function useListKeys({ count, columns, videoAt, selection, reveal }: Wish) {
  const [list, setList] = useState<HTMLElement | null>(null);
  const [active, setActive] = useState(0);
  const mark = useMarkWatched();
  const say = useToast();
  // The one with the focus may be taken off the page while it is scrolled: then nothing has it.
  const wasHere = useRef(false);
  const queue = async (video: Video) => {
    const { enqueueLast } = await import('#web/player/queue.ts');
    enqueueLast(video);
    say(t`Added to the queue.`);
  };
  const go = (at: number, isRange: boolean) => {
    if (at < 0 || at >= count) return;
    setActive(at);
    reveal?.(at);
    if (list) focusOn(list, at);
    if (isRange) selection.extend(at);
  };
  const press = (event: Pressed, at: number) => {
    const video = videoAt(at);
    const ahead = getComputedStyle(document.body).direction === 'rtl' ? -1 : 1;
    const steps: Record<string, number> = { ArrowRight: ahead, ArrowLeft: -ahead, ArrowDown: columns, ArrowUp: -columns };
    const isCommand = event.ctrlKey || event.metaKey;
    const isSingle = choices().keys !== 'off' && !isCommand && !event.shiftKey;
    const letter = plainKey(event);
    const step = steps[event.key];
    if (step !== undefined && !isCommand) {
      if (event.shiftKey && !selection.isOn) selection.toggle(at);
      // From the last full row down to what the last row has.
      const next = step === columns && at + step >= count && at < count - 1 ? count - 1 : at + step;
      go(next, event.shiftKey);
    } else if (event.key === 'Home' && !isCommand) go(0, event.shiftKey);
    else if (event.key === 'End' && !isCommand) go(count - 1, event.shiftKey);
    else if (letter === 'a' && isCommand && !event.shiftKey) selection.all();
    else if (letter === 'x' && isSingle) selection.toggle(at);
    else if (letter === 'w' && isSingle && video) mark(video, !video.player.watched);
    else if (letter === 'q' && isSingle && video) void queue(video);
    else return;
    event.preventDefault();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const at = placeOf(event.target);
    if (at !== null && !event.altKey && !event.defaultPrevented) press(event, at);
  };
  const goOn = useEffectEvent((event: globalThis.KeyboardEvent) => {
    if (reveal && wasHere.current && document.activeElement === document.body && !event.altKey && !event.defaultPrevented)
      press(event, active);
  });
  useEffect(() => {
    const look = (event: globalThis.KeyboardEvent) => goOn(event);
    document.addEventListener('keydown', look);
    return () => document.removeEventListener('keydown', look);
  }, []);
  const onClickCapture = (event: MouseEvent) => {
    const at = placeOf(event.target);
    if (!selection.isOn || at === null) return;
    if (event.target instanceof Element && event.target.closest('[data-box]') && !event.shiftKey) return;
    event.preventDefault();
    event.stopPropagation();
    // A box that is kept from changing by itself goes back to what it was after this: only then it is to follow.
    if (event.shiftKey) setTimeout(() => selection.extend(at));
    else selection.toggle(at);
  };
  const onFocus = (event: FocusEvent) => {
    const at = placeOf(event.target);
    if (at === null) return;
    wasHere.current = true;
    setActive(at);
  };
  const onBlur = (event: FocusEvent) => {
    if (event.target.isConnected) wasHere.current = false;
  };
  return {
    listRef: setList,
    active: Math.min(active, Math.max(0, count - 1)),
    listens: { onKeyDown, onClickCapture, onFocus, onBlur },
  };
}
