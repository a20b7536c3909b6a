import type { Note } from '#contract/note.ts';
import { noteSequence, type SequenceItem } from '../state/note-sequence.ts';
import { playInstead } from './play.ts';
import { playNote } from './play-note.ts';
import { sequenceOfNotes } from './sequence-of-notes.ts';

/** Plays the ranges of notes one after another. Returns the first one, null if none has a time in a video of the archive. */
export async function playNotes(notes: readonly Note[]): Promise<SequenceItem | null> {
  const items = sequenceOfNotes(notes);
  if (items.length === 0) return null;
  noteSequence.set({ items, at: 0 });
  await playNote(0, playInstead);
  const { at } = noteSequence.get();
  return items[at] ?? null;
}
