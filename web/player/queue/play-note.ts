import { noteSequence, stopNoteSequence } from '../state/note-sequence.ts';

/** Plays an item of the sequence with `open`. Another one may be requested while its video is loaded. */
export async function playNote(at: number, open: (id: string, range: { startAt: number; endAt: number }) => Promise<void>) {
  const { items } = noteSequence.get();
  const item = items[at];
  if (!item) return stopNoteSequence();
  noteSequence.set({ at, isLoading: true });
  try {
    await open(item.video, { startAt: item.start, endAt: item.end });
    if (noteSequence.get().at === at) noteSequence.set({ isLoading: false });
  } catch {
    // The video was deleted meanwhile.
    if (noteSequence.get().items === items) await playNote(at + 1, open);
  }
}
