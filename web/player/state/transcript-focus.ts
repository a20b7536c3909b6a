import { playerContainer } from './player-store.ts';
import { createStore, useStoreValue } from '#web/ui/create-store.ts';

// The shortcut moves the focus to the transcript; the shortcut or Escape returns it and restores the side panel.

type SetSearchParams = (words: { side: string | null }) => void;

interface TranscriptFocus {
  /** The transcript shall get the focus once it is loaded. */
  isRequested: boolean;
}

const focusStore = createStore<TranscriptFocus>({ isRequested: false });
let returnTo: { focused: Element | null; side: string | null } | null = null;

const inside = () => document.activeElement?.closest('[data-transcript]') ?? null;

/** Whether the transcript shall take the focus. */
export const useTranscriptFocusRequest = () => useStoreValue(focusStore, ({ isRequested: isWanted }) => isWanted);
export const requestTranscriptFocus = () => focusStore.set({ isRequested: true });
export const clearTranscriptFocusRequest = () => focusStore.set({ isRequested: false });

/** Returns from the transcript if it was opened by its shortcut. Returns whether it was. */
export function leaveTranscript(put: SetSearchParams): boolean {
  if (!returnTo) return false;
  const { focused, side } = returnTo;
  returnTo = null;
  const isThere = focused instanceof HTMLElement && focused.isConnected && focused !== document.body;
  (isThere ? focused : playerContainer().querySelector<HTMLElement>('[data-player]'))?.focus();
  put({ side });
  return true;
}

/** Moves the focus to the transcript, or back if it is there. */
export function toggleTranscript(put: SetSearchParams) {
  if (inside() && leaveTranscript(put)) return;
  if (!inside()) returnTo = { focused: document.activeElement, side: new URLSearchParams(location.search).get('side') };
  put({ side: 'transcript' });
  requestTranscriptFocus();
}
