import { LinkifyIt } from 'linkify-it';

/** A piece of a text: words, a link to elsewhere, or a place in the video. */
export type Piece = { text: string } | { text: string; href: string } | { text: string; seconds: number };

// Only what is really meant as an address: no words that happen to have a dot in them, no mail.
const linkify = new LinkifyIt({ fuzzyLink: false, fuzzyEmail: false, fuzzyIP: false });
const time = /(?<![\d:.])(?:(\d{1,2}):)?([0-5]?\d):([0-5]\d)(?![\d:])/g;

function* timesIn(text: string, durationSeconds: number): Generator<Piece> {
  let from = 0;
  for (const found of text.matchAll(time)) {
    const [whole, hours = '0', minutes = '0', rest = '0'] = found;
    const seconds = Number(hours) * 3600 + Number(minutes) * 60 + Number(rest);
    if (seconds > durationSeconds) continue;
    if (found.index > from) yield { text: text.slice(from, found.index) };
    yield { text: whole, seconds };
    from = found.index + whole.length;
  }
  if (from < text.length) yield { text: text.slice(from) };
}

/** Cuts a text into pieces: links (http and https only) and times that lie within the video. */
export function piecesOf(text: string, durationSeconds: number): Piece[] {
  const pieces: Piece[] = [];
  let from = 0;
  for (const link of linkify.match(text) ?? []) {
    if (!/^https?:\/\//i.test(link.url)) continue;
    pieces.push(...timesIn(text.slice(from, link.index), durationSeconds), { text: link.text, href: link.url });
    from = link.lastIndex;
  }
  pieces.push(...timesIn(text.slice(from), durationSeconds));
  return pieces;
}
