export interface Piece {
  text: string;
  isMarked: boolean;
}

const mark = /<span class="settings-current">(.*?)<\/span>/gs;
const signs: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };
const plain = (html: string) => html.replace(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => signs[name]!);

/** A spoken line as the server sends it, as plain pieces: what was found in it is marked, everything else is only text. */
export function piecesOf(line: string): Piece[] {
  const pieces: Piece[] = [];
  let at = 0;
  for (const found of line.matchAll(mark)) {
    pieces.push({ text: plain(line.slice(at, found.index)), isMarked: false }, { text: plain(found[1] ?? ''), isMarked: true });
    at = found.index + found[0].length;
  }
  pieces.push({ text: plain(line.slice(at)), isMarked: false });
  return pieces.filter(({ text }) => text !== '');
}

/** `00:01:02.500` in whole seconds. */
export const secondsAt = (clock: string): number =>
  Math.floor(clock.split(':').reduce((sum, part) => sum * 60 + Number(part), 0));
