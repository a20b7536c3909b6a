import { boxOfPlayer } from './stage.ts';
import { makeStore, usePart } from './store.ts';

// By its key one goes into the transcript, and by the same key, or Escape, back to where one was: what stood beside the video
// stands there again, and what had the focus has it.

type Put = (words: { side: string | null }) => void;

interface Way {
  /** Somebody wants to be in the transcript, which may have to be fetched first. */
  isWanted: boolean;
}

const way = makeStore<Way>({ isWanted: false });
let back: { focused: Element | null; side: string | null } | null = null;

const inside = () => document.activeElement?.closest('[data-transcript]') ?? null;

/** Gives the focus to the transcript as soon as it is there. */
export const useTranscriptWanted = () => usePart(way, ({ isWanted }) => isWanted);
export const wantTranscript = () => way.set({ isWanted: true });
export const transcriptReached = () => way.set({ isWanted: false });

/** Back from the transcript, if it was opened by its key. Whether it was. */
export function leaveTranscript(put: Put): boolean {
  if (!back) return false;
  const { focused, side } = back;
  back = null;
  const isThere = focused instanceof HTMLElement && focused.isConnected && focused !== document.body;
  (isThere ? focused : boxOfPlayer().querySelector<HTMLElement>('[data-player]'))?.focus();
  put({ side });
  return true;
}

/** Into the transcript; out of it, when the focus is in it. */
export function toggleTranscript(put: Put) {
  if (inside() && leaveTranscript(put)) return;
  if (!inside()) back = { focused: document.activeElement, side: new URLSearchParams(location.search).get('side') };
  put({ side: 'transcript' });
  wantTranscript();
}
