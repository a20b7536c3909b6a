import type { Cue } from '../../platform/media/subtitle.ts';
import type { Segment } from './worker.ts';

const lineLength = 42;
const longestSeconds = 7;
const repeated = 3;

/** Breaks words into lines of at most 42 characters. */
function wrap(words: string[]): string[] {
  const lines: string[] = [];
  for (const word of words) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= lineLength) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

/** Divides words into parts of about the same number of characters. */
function divide(words: string[], count: number): string[][] {
  const total = words.reduce((sum, word) => sum + word.length + 1, 0);
  const parts: string[][] = Array.from({ length: count }, () => []);
  let before = 0;
  for (const word of words) {
    parts[Math.min(count - 1, Math.floor(((before + word.length / 2) * count) / total))]!.push(word);
    before += word.length + 1;
  }
  return parts.filter((part) => part.length > 0);
}

/** Splits a text into as few parts of the same length as have two lines and seven seconds each. Returns their lines. */
function split(text: string, seconds: number): string[] {
  const words = text.split(/\s+/).flatMap((word) => word.match(new RegExp(`.{1,${lineLength}}`, 'gu')) ?? []);
  for (let count = Math.max(1, Math.ceil(seconds / longestSeconds)); ; count++) {
    const parts = divide(words, count).map(wrap);
    if (count >= words.length || parts.every((lines) => lines.length <= 2)) return parts.map((lines) => lines.join('\n'));
  }
}

/**
 * Converts segments of a slice to cues of at most two lines of 42 characters. A long segment is split; its parts share its time by
 * their length. `offset`: where the slice begins, seconds.
 */
export function cuesOfSegments(segments: Segment[], offset: number): Cue[] {
  return segments.flatMap(({ start, end, text }) => {
    const parts = split(text, end - start);
    const total = parts.reduce((sum, part) => sum + part.length, 0);
    let at = start;
    return parts.map((part) => {
      const from = at;
      at += ((end - start) * part.length) / total;
      return { start: offset + from, end: offset + Math.min(at, from + longestSeconds), text: part };
    });
  });
}

/** Drops a text that is repeated three times or more in a row: the model invents it in music and silence. */
export function withoutRepetitions(cues: Cue[]): Cue[] {
  const kept: Cue[] = [];
  for (let from = 0; from < cues.length;) {
    let to = from + 1;
    while (cues[to]?.text === cues[from]!.text) to++;
    if (to - from < repeated) kept.push(...cues.slice(from, to));
    from = to;
  }
  return kept;
}
