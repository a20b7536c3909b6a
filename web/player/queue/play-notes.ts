import type { Note } from '#contract/note.ts';
import { noteSequence, stopNoteSequence, type SequenceItem } from '../state/note-sequence.ts';
import { playerStore } from '../state/player-store.ts';
import { playInstead } from './play.ts';
import { sequenceOfNotes } from './sequence-of-notes.ts';

// Ends when the user opens another video or closes the player.
playerStore.subscribe(() => {
  const { items, at, isLoading } = noteSequence.get();
  if (items.length > 0 && !isLoading && playerStore.get().video?.youtube_id !== items[at]?.video) stopNoteSequence();
});

/** Plays the ranges of notes one after another. Returns the first one, null if none has a time in a video of the archive. */
export async function playNotes(notes: readonly Note[]): Promise<SequenceItem | null> {
  const items = sequenceOfNotes(notes);
  const [first] = items;
  if (!first) return null;
  noteSequence.set({ items, at: 0, isLoading: true });
  try {
    await playInstead(first.video, { startAt: first.start, endAt: first.end });
  } catch (error) {
    stopNoteSequence();
    throw error;
  }
  noteSequence.set({ isLoading: false });
  return first;
}
