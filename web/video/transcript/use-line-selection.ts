import { useEffect, useEffectEvent, useRef, useState, type RefObject } from 'react';

/** Selected lines: where the selection began, and the line that moves. */
interface LineSelection {
  anchor: number;
  focus: number;
}

const lineOf = (node: Node) => {
  const element = node instanceof Element ? node : node.parentElement;
  const line = element?.closest<HTMLElement>('[data-index]');
  return line ? Number(line.dataset['index']) : null;
};

/** Returns the lines that the selection of the browser covers, if it begins and ends in the box. */
function linesOfSelection(box: HTMLElement): LineSelection | null {
  const selection = getSelection();
  if (!selection || selection.isCollapsed || selection.rangeCount === 0) return null;
  const { startContainer, endContainer, endOffset } = selection.getRangeAt(0);
  if (!box.contains(startContainer) || !box.contains(endContainer)) return null;
  const [anchor, end] = [lineOf(startContainer), lineOf(endContainer)];
  if (anchor === null || end === null) return null;
  // A triple click ends before the first character of the next line.
  return { anchor, focus: endOffset === 0 && end > anchor ? end - 1 : end };
}

const focusLineIn = (box: HTMLElement | null, index: number) =>
  box?.querySelector<HTMLElement>(`[data-index="${index}"] [role="button"]`)?.focus({ preventScroll: true });

interface Options {
  count: number;
  /** The line that the keyboard begins with, if none has the focus. */
  initial(): number;
  onSelect(): void;
}

/** Lines selected with the pointer, by selecting text, or with Shift and the arrow keys. */
export function useLineSelection(box: RefObject<HTMLElement | null>, { count, initial, onSelect }: Options) {
  const [selection, setSelection] = useState<LineSelection | null>(null);
  const [isPressed, setIsPressed] = useState(false);
  const followsFocus = useRef(false);
  const onChange = useEffectEvent(() => {
    const found = box.current && linesOfSelection(box.current);
    if (!found || (selection?.anchor === found.anchor && selection.focus === found.focus)) return;
    setSelection(found);
    onSelect();
  });
  useEffect(() => {
    const listener = () => onChange();
    document.addEventListener('selectionchange', listener);
    return () => document.removeEventListener('selectionchange', listener);
  }, []);
  useEffect(() => {
    if (!isPressed) return;
    const release = () => setIsPressed(false);
    for (const event of ['pointerup', 'pointercancel']) document.addEventListener(event, release);
    return () => {
      for (const event of ['pointerup', 'pointercancel']) document.removeEventListener(event, release);
    };
  }, [isPressed]);
  useEffect(() => {
    if (!selection || !followsFocus.current) return;
    followsFocus.current = false;
    focusLineIn(box.current, selection.focus);
  }, [selection, box]);
  const extend = (step: 1 | -1) => {
    const focused = lineOf(document.activeElement ?? document.body) ?? initial();
    const focus = Math.max(0, Math.min(count - 1, selection ? selection.focus + step : focused));
    followsFocus.current = true;
    getSelection()?.removeAllRanges();
    setSelection({ anchor: selection?.anchor ?? focus, focus });
    onSelect();
    return focus;
  };
  return {
    selection,
    range: selection && { from: Math.min(selection.anchor, selection.focus), to: Math.max(selection.anchor, selection.focus) },
    /** The pointer is down, so lines may still be added. */
    isPressed,
    press: () => setIsPressed(true),
    extend,
    focusLine: (index: number) => focusLineIn(box.current, index),
    clear: () => {
      if (!selection) return;
      setSelection(null);
      getSelection()?.removeAllRanges();
    },
  };
}
