import { noteSequence, stopNoteSequence } from '../state/note-sequence.ts';

type OpenVideo = (id: string, range: { startAt: number; endAt: number }) => Promise<void>;

/** Plays an item of the notes in a row. Items whose video was deleted meanwhile are skipped. */
export async function playNote(at: number, step: 1 | -1, open: OpenVideo): Promise<void> {
  const { items } = noteSequence.get();
  const item = items[at];
  if (!item) return stopNoteSequence();
  noteSequence.set({ at, isLoading: true });
  try {
    await open(item.video, { startAt: item.start, endAt: item.end });
  } catch {
    if (noteSequence.get().items === items) await playNote(at + step, step, open);
    return;
  }
  if (noteSequence.get().at === at) noteSequence.set({ isLoading: false });
}
