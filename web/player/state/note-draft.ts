import { createStore, useStoreValue } from '#web/ui/create-store.ts';
import { mediaElement, playerStore } from './player-store.ts';

// The moment that a note is written about. The shortcut begins a note and opens the notes of the video, which then take the focus.

interface NoteDraft {
  /** The video that was played; another one has no draft. */
  video: string | null;
  /** Seconds; null: the note is about the whole video. */
  at: number | null;
  /** Seconds; null: a moment. */
  end: number | null;
  /** Playback was paused for it. */
  resumes: boolean;
  wantsFocus: boolean;
}

const none: NoteDraft = { video: null, at: null, end: null, resumes: false, wantsFocus: false };
const store = createStore<NoteDraft>(none);

export const useNoteDraft = (video: string) => useStoreValue(store, (draft) => (draft.video === video ? draft : none));

/** Pauses, and takes the range or the current time. */
export function beginNote({ wantsFocus = false, range }: { wantsFocus?: boolean; range?: { start: number; end: number } } = {}) {
  const element = mediaElement();
  if (!element) return;
  const resumes = !element.paused;
  element.pause();
  const video = playerStore.get().video?.youtube_id ?? null;
  const at = range ? range.start : Math.floor(element.currentTime * 10) / 10;
  store.set({ video, at, end: range?.end ?? null, resumes, wantsFocus });
}

export const clearNoteTime = () => store.set({ at: null, end: null });
export const clearFocusRequest = () => store.set({ wantsFocus: false });

/** Continues playback if it was paused for the note. */
export function endNote() {
  if (store.get().resumes) void mediaElement()?.play();
  store.set(none);
}
