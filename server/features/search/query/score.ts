import { rarity, type QueryTerm } from './query-terms.ts';

/** Position of a term in a text and the quality of the match; 1 is exact. */
export interface Occurrence {
  at: number;
  length: number;
  fit: number;
}

/** Finds the occurrences of a term in the words of a text. */
export function occurrences(
  { words, isPrefix, alike }: Pick<QueryTerm, 'words' | 'isPrefix' | 'alike'>,
  text: readonly string[],
): Occurrence[] {
  const found: Occurrence[] = [];
  const last = words.length - 1;
  const sought = words[last]!;
  for (let at = 0; at + last < text.length; at++) {
    let place = 0;
    while (place < last && text[at + place] === words[place]) place++;
    if (place < last) continue;
    const ending = text[at + last]!;
    let fit = 0;
    if (ending === sought) fit = 1;
    else if (isPrefix && ending.startsWith(sought)) fit = 0.5 + (0.4 * sought.length) / ending.length;
    else if (last === 0 && alike.size > 0) fit = alike.get(ending) ?? 0;
    if (fit > 0) found.push({ at, length: words.length, fit });
  }
  return found;
}

/** Scores a short text, such as a title; 0 if a term is missing. */
export function scoreName(units: readonly QueryTerm[], text: readonly string[]): number {
  let sum = 0;
  let covered = 0;
  let isInOrder = true;
  let after = 0;
  for (const [place, unit] of units.entries()) {
    const places = occurrences(unit, text);
    if (places.length === 0) return 0;
    const best = places.reduce((a, b) => (b.fit > a.fit ? b : a));
    sum += best.fit * rarity(unit.documents);
    covered += best.length;
    isInOrder &&= place === 0 || places.some(({ at }) => at === after);
    after = best.at + best.length;
  }
  const share = Math.min(1, covered / text.length);
  const isAtStart = units.length > 0 && occurrences(units[0]!, text.slice(0, units[0]!.words.length)).length > 0;
  return sum * (0.6 + 0.4 * share) * (isInOrder ? 1.15 : 1) * (isAtStart ? 1.1 : 1);
}

/** Returns the smallest range of words with all terms that occur at all; null if none does. */
export function nearest(found: readonly Occurrence[][]): { at: number; length: number; terms: number } | null {
  const terms = found.filter((one) => one.length > 0).length;
  const all = found
    .flatMap((places, term) => places.map(({ at, length }) => ({ at, end: at + length, term })))
    .sort((a, b) => a.at - b.at);
  let best: { at: number; length: number; terms: number } | null = null;
  const latest = new Map<number, { at: number; end: number }>();
  for (const { at, end, term } of all) {
    latest.delete(term); // so that the first entry is the earliest one
    latest.set(term, { at, end });
    if (latest.size < terms) continue;
    const start = latest.values().next().value!.at;
    if (!best || end - start < best.length) best = { at: start, length: end - start, terms };
  }
  return best;
}

/** Scores a chunk of `total`: every matching term counts, rare, near and adjacent ones count more. */
export function scoreTranscript(units: readonly QueryTerm[], found: readonly Occurrence[][], total: number): number {
  let sum = 0;
  for (const [place, unit] of units.entries()) {
    const here = found[place]!;
    if (here.length === 0) continue;
    const best = Math.max(...here.map(({ fit }) => fit));
    const often = here.length / (here.length + 1.2);
    const ends = new Set((found[place - 1] ?? []).map(({ at, length }) => at + length));
    const follows = here.some(({ at }) => ends.has(at));
    sum += rarity(unit.documents, total) * best * (0.6 + often) * (follows ? 1.3 : 1);
  }
  const range = nearest(found);
  return range && range.terms > 1 ? sum * (1 + range.terms / range.length) : sum;
}
