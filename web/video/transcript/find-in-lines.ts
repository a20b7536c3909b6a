import type { TranscriptCue } from './vtt.ts';

/** Position of a match: line, start and end offset. */
export interface Hit {
  line: number;
  from: number;
  to: number;
}

/** Text without accents and case, in any script, with the original offset of each character. */
function normalize(text: string): { folded: string; places: number[] } {
  let folded = '';
  const positions: number[] = [];
  let at = 0;
  for (const sign of text) {
    const bare = sign.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
    for (let unit = 0; unit < bare.length; unit++) positions.push(at);
    folded += bare;
    at += sign.length;
  }
  positions.push(at);
  return { folded, places: positions };
}

/** Prepares lines for repeated searches. */
export const normalizeLines = (lines: TranscriptCue[]) => lines.map(({ text }) => normalize(text));

/** Returns all matches in order. */
export function findInLines(folded: ReturnType<typeof normalizeLines>, words: string): Hit[] {
  const needle = normalize(words.trim()).folded;
  if (needle === '') return [];
  const hits: Hit[] = [];
  for (const [line, { folded: text, places: positions }] of folded.entries())
    for (let at = text.indexOf(needle); at >= 0; at = text.indexOf(needle, at + needle.length))
      hits.push({ line, from: positions[at]!, to: positions[at + needle.length]! });
  return hits;
}
