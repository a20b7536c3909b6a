import type { ChatLine } from '#contract/chat.ts';

/** So many messages are shown. */
export const maxShown = 100;

/** Returns the number of lines until a time, of lines in the order of time. */
export function countUntil(lines: readonly Pick<ChatLine, 't'>[], ms: number): number {
  let [from, to] = [0, lines.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (lines[middle]!.t <= ms) from = middle + 1;
    else to = middle;
  }
  return from;
}

/** Returns the last messages until a time. `earlier`: the five minutes before, as far as they are loaded. */
export function linesAt(earlier: readonly ChatLine[], lines: readonly ChatLine[], ms: number): readonly ChatLine[] {
  const count = countUntil(lines, ms);
  const own = lines.slice(Math.max(0, count - maxShown), count);
  return own.length === maxShown || earlier.length === 0 ? own : [...earlier.slice(own.length - maxShown), ...own];
}

/** Parses JSON lines; a damaged one is left out. */
export const parseLines = (text: string): ChatLine[] =>
  text.split('\n').flatMap((line) => {
    try {
      return line === '' ? [] : [JSON.parse(line) as ChatLine];
    } catch {
      return [];
    }
  });

/** Hue of a name in degrees: always the same for an author, and far apart for similar ids. */
export function hueOf(author: string): number {
  let hash = 0;
  for (let place = 0; place < author.length; place++) hash = (Math.imul(hash, 31) + author.charCodeAt(place)) | 0;
  return Math.round((hash >>> 0) * 137.508) % 360;
}
