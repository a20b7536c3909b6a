import { LinkifyIt } from 'linkify-it';

/** A piece of text: plain, a link, or a timestamp. */
export type Piece = { text: string } | { text: string; href: string } | { text: string; seconds: number };

// Only explicit URLs: no bare domains, no email addresses.
const linkify = new LinkifyIt({ fuzzyLink: false, fuzzyEmail: false, fuzzyIP: false });
const time = /(?<![\d:.])(?:(\d{1,2}):)?([0-5]?\d):([0-5]\d)(?![\d:])/g;

function* splitTimes(text: string, durationSeconds: number): Generator<Piece> {
  let offset = 0;
  for (const match of text.matchAll(time)) {
    const [whole, hours = '0', minutes = '0', rest = '0'] = match;
    const seconds = Number(hours) * 3600 + Number(minutes) * 60 + Number(rest);
    if (seconds > durationSeconds) continue;
    if (match.index > offset) yield { text: text.slice(offset, match.index) };
    yield { text: whole, seconds };
    offset = match.index + whole.length;
  }
  if (offset < text.length) yield { text: text.slice(offset) };
}

/** Splits a text into plain text, http(s) links and timestamps within the video. */
export function parseRichText(text: string, durationSeconds: number): Piece[] {
  const pieces: Piece[] = [];
  let offset = 0;
  for (const link of linkify.match(text) ?? []) {
    if (!/^https?:\/\//i.test(link.url)) continue;
    pieces.push(...splitTimes(text.slice(offset, link.index), durationSeconds), { text: link.text, href: link.url });
    offset = link.lastIndex;
  }
  pieces.push(...splitTimes(text.slice(offset), durationSeconds));
  return pieces;
}
