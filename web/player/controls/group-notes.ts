import type { Note } from '#contract/note.ts';

export type TimedNote = Note & { start: number };

export const hasTime = (note: Note): note is TimedNote => note.start !== null;

/** Groups notes that start less than so many seconds after the first of their group. Expects them sorted by start. */
export function groupNotes(notes: readonly TimedNote[], seconds: number): TimedNote[][] {
  const groups: TimedNote[][] = [];
  for (const note of notes) {
    const group = groups.at(-1);
    if (group && note.start - group[0]!.start < seconds) group.push(note);
    else groups.push([note]);
  }
  return groups;
}
