import { createStore, useStoreValue } from '#web/ui/create-store.ts';

// The shortcut for a note opens the notes of the video, which then ask for the text.

/** The second of the note to write; null: none. */
const store = createStore<{ at: number | null }>({ at: null });

export const useNoteRequest = () => useStoreValue(store, ({ at }) => at);
export const requestNote = (at: number) => store.set({ at });
export const clearNoteRequest = () => store.set({ at: null });
