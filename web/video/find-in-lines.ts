import type { SpokenLine } from './vtt.ts';

/** Where something was found: in which line, from which letter to which. */
export interface Hit {
  line: number;
  from: number;
  to: number;
}

/** A text without accents and capitals, in any script; and where each of its letters stood. */
function fold(text: string): { folded: string; places: number[] } {
  let folded = '';
  const places: number[] = [];
  let at = 0;
  for (const sign of text) {
    const bare = sign.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
    for (let unit = 0; unit < bare.length; unit++) places.push(at);
    folded += bare;
    at += sign.length;
  }
  places.push(at);
  return { folded, places };
}

/** Makes lines ready to be searched, once. */
export const foldLines = (lines: SpokenLine[]) => lines.map(({ text }) => fold(text));

/** Everywhere that words are said, in order. */
export function findInLines(folded: ReturnType<typeof foldLines>, words: string): Hit[] {
  const wanted = fold(words.trim()).folded;
  if (wanted === '') return [];
  const hits: Hit[] = [];
  for (const [line, { folded: text, places }] of folded.entries())
    for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + wanted.length))
      hits.push({ line, from: places[at]!, to: places[at + wanted.length]! });
  return hits;
}
