export interface TextSegment {
  text: string;
  isMarked: boolean;
}

const mark = /<span class="settings-current">(.*?)<\/span>/gs;
const signs: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };
const plain = (html: string) => html.replace(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => signs[name]!);

/** Splits a transcript line of the server into plain text segments; matches are marked, everything else stays text. */
export function parseHighlights(line: string): TextSegment[] {
  const pieces: TextSegment[] = [];
  let at = 0;
  for (const found of line.matchAll(mark)) {
    pieces.push({ text: plain(line.slice(at, found.index)), isMarked: false }, { text: plain(found[1] ?? ''), isMarked: true });
    at = found.index + found[0].length;
  }
  pieces.push({ text: plain(line.slice(at)), isMarked: false });
  return pieces.filter(({ text }) => text !== '');
}

/** Splits a text at its matches; `ranges` are offsets in order, the first character and the one after the last. */
export function splitAtRanges(text: string, ranges: readonly (readonly [from: number, to: number])[]): TextSegment[] {
  const starts = [0, ...ranges.map(([, to]) => to)];
  return starts
    .flatMap((start, index) => [
      { text: text.slice(start, ranges[index]?.[0]), isMarked: false },
      { text: text.slice(...(ranges[index] ?? [0, 0])), isMarked: true },
    ])
    .filter((segment) => segment.text !== '');
}

const contextBefore = 40;

/** Shortens the text before the first match to some words, so that the match is visible in few lines. */
export function startAtMatch([first, ...rest]: TextSegment[]): TextSegment[] {
  if (!first || first.isMarked || rest.length === 0 || first.text.length <= contextBefore) return first ? [first, ...rest] : rest;
  return [{ text: `…${first.text.slice(-contextBefore).replace(/^\S*/, '')}`, isMarked: false }, ...rest];
}

/** Parses a time such as `00:01:02.500` to whole seconds. */
export const parseClock = (clock: string): number =>
  Math.floor(clock.split(':').reduce((sum, part) => sum * 60 + Number(part), 0));
