import { t } from '@lingui/core/macro';
import { useEffect, useEffectEvent, useRef, useState, type FocusEvent, type KeyboardEvent, type MouseEvent } from 'react';
import type { Video } from '#contract/video.ts';
import { preferences } from '#web/player/state/player-preferences.ts';
import { plainKey } from '#web/player/shortcuts/key-name.ts';
import { useToast } from '#web/ui/toasts.tsx';
import { useMarkWatched } from '#web/api/queries/video.ts';
import type { Selection } from '../selection/selection.ts';

export interface ListListeners {
  onKeyDown(event: KeyboardEvent): void;
  onClickCapture(event: MouseEvent): void;
  onFocus(event: FocusEvent): void;
  onBlur(event: FocusEvent): void;
}

type Pressed = Pick<KeyboardEvent, 'key' | 'code' | 'shiftKey' | 'ctrlKey' | 'metaKey' | 'preventDefault'>;

interface Options {
  count: number;
  columns: number;
  videoAt(at: number): Video | undefined;
  selection: Selection;
  /** Scrolls to an item that may not be rendered yet. */
  reveal?: ((at: number) => void) | undefined;
}

const indexOf = (target: EventTarget) => {
  const item = target instanceof Element ? target.closest('[data-at]') : null;
  return item ? Number(item.getAttribute('data-at')) : null;
};

const focusTimeoutMs = 10_000;
let latestRequest = 0;

/** Focuses an item as soon as it is loaded and rendered, unless the user moved the focus elsewhere meanwhile. */
function focusItem(list: HTMLElement, at: number, request = ++latestRequest, until = Date.now() + focusTimeoutMs) {
  const { activeElement } = document;
  const isElsewhere = activeElement !== document.body && !list.contains(activeElement);
  if (request !== latestRequest || isElsewhere || Date.now() > until) return;
  const main = list.querySelector<HTMLElement>(`[data-at="${at}"] [data-main]`);
  if (main) main.focus();
  else requestAnimationFrame(() => focusItem(list, at, request, until));
}

/**
 * Keyboard shortcuts of lists: arrows move by rows and columns, Home and End go to the ends, W marks as watched, Q adds to Up
 * next, X selects, and Shift extends the selection. They apply to the focused item. In a virtualized list they keep working after
 * that item has been scrolled out of the page.
 */
export function useListShortcuts({ count, columns, videoAt, selection, reveal }: Options) {
  const [list, setList] = useState<HTMLElement | null>(null);
  const [active, setActive] = useState(0);
  const mark = useMarkWatched();
  const showToast = useToast();
  // Whether the active item had the focus before it was removed while scrolling.
  const hadFocus = useRef(false);
  const addToUpNext = async (video: Video) => {
    const { enqueueLast } = await import('#web/player/queue/queue.ts');
    enqueueLast(video);
    showToast(t`Added to Up next.`);
  };
  const moveTo = (at: number, isRange: boolean) => {
    if (at < 0 || at >= count) return;
    setActive(at);
    reveal?.(at);
    if (list) focusItem(list, at);
    if (isRange) selection.extendTo(at);
  };
  const handleKey = (event: Pressed, at: number) => {
    const video = videoAt(at);
    const ahead = getComputedStyle(document.body).direction === 'rtl' ? -1 : 1;
    const steps: Record<string, number> = { ArrowRight: ahead, ArrowLeft: -ahead, ArrowDown: columns, ArrowUp: -columns };
    const isCommand = event.ctrlKey || event.metaKey;
    const isSingle = preferences().keys !== 'off' && !isCommand && !event.shiftKey;
    const letter = plainKey(event);
    const step = steps[event.key];
    if (step !== undefined && !isCommand) {
      if (event.shiftKey && !selection.isOn) selection.toggle(at);
      // Down from the last full row goes to the last item.
      const next = step === columns && at + step >= count && at < count - 1 ? count - 1 : at + step;
      moveTo(next, event.shiftKey);
    } else if (event.key === 'Home' && !isCommand) moveTo(0, event.shiftKey);
    else if (event.key === 'End' && !isCommand) moveTo(count - 1, event.shiftKey);
    else if (letter === 'a' && isCommand && !event.shiftKey) selection.selectLoaded();
    else if (letter === 'x' && isSingle) selection.toggle(at);
    else if (letter === 'w' && isSingle && video) mark(video, !video.player.watched);
    else if (letter === 'q' && isSingle && video) void addToUpNext(video);
    else return;
    event.preventDefault();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const at = indexOf(event.target);
    if (at !== null && !event.altKey && !event.defaultPrevented) handleKey(event, at);
  };
  const handleKeyWithoutFocus = useEffectEvent((event: globalThis.KeyboardEvent) => {
    if (reveal && hadFocus.current && document.activeElement === document.body && !event.altKey && !event.defaultPrevented)
      handleKey(event, active);
  });
  useEffect(() => {
    const onDocumentKeyDown = (event: globalThis.KeyboardEvent) => handleKeyWithoutFocus(event);
    document.addEventListener('keydown', onDocumentKeyDown);
    return () => document.removeEventListener('keydown', onDocumentKeyDown);
  }, []);
  const onClickCapture = (event: MouseEvent) => {
    const at = indexOf(event.target);
    if (!selection.isOn || at === null) return;
    if (event.target instanceof Element && event.target.closest('[data-box]') && !event.shiftKey) return;
    event.preventDefault();
    event.stopPropagation();
    // The browser resets a checkbox whose change was prevented after this event, so the selection is extended later.
    if (event.shiftKey) setTimeout(() => selection.extendTo(at));
    else selection.toggle(at);
  };
  const onFocus = (event: FocusEvent) => {
    const at = indexOf(event.target);
    if (at === null) return;
    hadFocus.current = true;
    setActive(at);
  };
  const onBlur = (event: FocusEvent) => {
    if (event.target.isConnected) hadFocus.current = false;
  };
  return {
    listRef: setList,
    active: Math.min(active, Math.max(0, count - 1)),
    listeners: { onKeyDown, onClickCapture, onFocus, onBlur },
  };
}
