import type { Note } from '#contract/note.ts';
import type { TranscriptCue } from './vtt.ts';

/** Returns the indexes of the lines that are, for the most part, in a highlight. Its times hold in every language. */
export function highlightedLines(lines: readonly TranscriptCue[], notes: readonly Note[]): Set<number> {
  const highlights = notes.filter(({ kind, start }) => kind === 'highlight' && start !== null);
  const covers = (second: number) => highlights.some(({ start, end }) => second >= start! && second <= (end ?? start!));
  return new Set(lines.flatMap((line, index) => (covers((line.start + line.end) / 2) ? [index] : [])));
}
