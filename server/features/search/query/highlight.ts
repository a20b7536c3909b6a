import { nearest, occurrences } from './score.ts';
import { rarity, type QueryTerm } from './query-terms.ts';
import { tokensWithPositions } from '../text/tokenizer.ts';

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escaped = (text: string) => text.replace(/[&<>"']/g, (char) => escapes[char]!);

/** Returns the ranges of a text that match, in order and not adjacent. */
export function markMatches(text: string, units: readonly QueryTerm[]): [from: number, to: number][] {
  const words = tokensWithPositions(text);
  const plain = words.map(({ word }) => word);
  const found = units
    .flatMap((unit) => occurrences(unit, plain))
    .map(({ at, length }): [number, number] => [words[at]!.start, words[at + length - 1]!.end])
    .sort((a, b) => a[0] - b[0]);
  const joined: [number, number][] = [];
  for (const [from, to] of found) {
    const last = joined.at(-1);
    if (last && from <= last[1]) last[1] = Math.max(last[1], to);
    else joined.push([from, to]);
  }
  return joined;
}

/** Returns the position in a text where the rare words of a search stand nearest to each other; null if there are none. */
export function startOfMatch(text: string, units: readonly QueryTerm[]): number | null {
  const words = tokensWithPositions(text);
  const plain = words.map(({ word }) => word);
  const found = units
    .map((unit) => ({ weight: rarity(unit.documents), places: occurrences(unit, plain) }))
    .filter(({ places }) => places.length > 0);
  const most = Math.max(...found.map(({ weight }) => weight));
  const range = nearest(found.filter(({ weight }) => weight >= most * 0.8).map(({ places }) => places));
  return range && words[range.at]!.start;
}

/** Renders a text as HTML with marked ranges; everything else is escaped. */
export function highlight(text: string, marked: readonly [from: number, to: number][]): string {
  let html = '';
  let at = 0;
  for (const [from, to] of marked) {
    html += `${escaped(text.slice(at, from))}<span class="settings-current">${escaped(text.slice(from, to))}</span>`;
    at = to;
  }
  return html + escaped(text.slice(at));
}
