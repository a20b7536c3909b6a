import { foldWithPlaces, occurrencesOf, type FoldedText } from '#web/ui/find-words.ts';
import type { TranscriptCue } from './vtt.ts';

/** Position of a match: line, start and end offset. */
export interface Hit {
  line: number;
  from: number;
  to: number;
}

/** Prepares lines for repeated searches. */
export const normalizeLines = (lines: TranscriptCue[]) => lines.map(({ text }) => foldWithPlaces(text));

/** Returns all matches in order. */
export function findInLines(lines: readonly FoldedText[], words: string): Hit[] {
  const needle = foldWithPlaces(words.trim()).folded;
  return lines.flatMap((text, line) => occurrencesOf(text, needle).map((place) => ({ line, ...place })));
}
