import type { Cue } from '../../platform/media/subtitle.ts';
import type { Segment } from './worker.ts';

const lineLength = 42;
const longestSeconds = 7;
const repeated = 3;

/** Breaks a text into lines of at most 42 characters, at spaces where there are some. */
function linesOf(text: string): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/\s+/).flatMap((one) => one.match(new RegExp(`.{1,${lineLength}}`, 'gu')) ?? [])) {
    if (line !== '' && line.length + 1 + word.length > lineLength) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return line === '' ? lines : [...lines, line];
}

/** Splits lines into cues of at most two of them, as evenly as possible, and enough that none is longer than seven seconds. */
function split(lines: string[], seconds: number): string[] {
  const count = Math.max(Math.ceil(lines.length / 2), Math.min(lines.length, Math.ceil(seconds / longestSeconds)));
  const size = Math.ceil(lines.length / count);
  return Array.from({ length: Math.ceil(lines.length / size) }, (_, index) =>
    lines.slice(index * size, (index + 1) * size).join('\n'),
  );
}

/**
 * Converts segments of a slice to cues of at most two lines of 42 characters. A long segment is split; its parts share its time by
 * their length. `offset`: where the slice begins, seconds.
 */
export function cuesOfSegments(segments: Segment[], offset: number): Cue[] {
  return segments.flatMap(({ start, end, text }) => {
    const parts = split(linesOf(text), end - start);
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
