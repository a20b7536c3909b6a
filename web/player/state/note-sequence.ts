import { createStore, useStoreValue } from '#web/ui/create-store.ts';

// Ranges of notes that play one after another, on the page of the notes and wherever the player goes from there.

export interface SequenceItem {
  note: number;
  video: string;
  start: number;
  end: number;
  text: string;
}

interface NoteSequence {
  /** Empty: none plays. */
  items: SequenceItem[];
  at: number;
  /** The video of the current item is being loaded. */
  isLoading: boolean;
}

export const noteSequence = createStore<NoteSequence>({ items: [], at: 0, isLoading: false });
export const useNoteSequence = <R>(pick: (sequence: NoteSequence) => R) => useStoreValue(noteSequence, pick);

export const stopNoteSequence = () => noteSequence.set({ items: [], at: 0, isLoading: false });
