import { randomUUID } from 'node:crypto';

// What is in an answer cannot look like this: it is made up anew at each start, and told to nobody.
const place = randomUUID();
let met: (Uint8Array | string)[] = [];

/**
 * A part of an answer that is JSON already, as a text or in UTF-8, such as a list of thousands that was written before and has not
 * changed. In an answer it stands where its value would. `hasLinks` where it names files, which are signed for some.
 */
export class Written {
  readonly json: Uint8Array | string;
  readonly hasLinks: boolean;
  constructor(json: Uint8Array | string, { hasLinks = false } = {}) {
    this.json = json;
    this.hasLinks = hasLinks;
  }
  toJSON(): string {
    met.push(this.json);
    return place;
  }
}

/** An answer as it is sent: a text, or pieces that go one after the other. What is large is never copied. */
export function answerPieces(answer: unknown): string | Uint8Array[] {
  met = [];
  const text = JSON.stringify(answer);
  const parts = met;
  if (parts.length === 0) return text;
  const pieces = text.split(`"${place}"`).flatMap((piece, at) => (parts[at] ? [piece, parts[at]] : [piece]));
  return pieces.every((piece) => typeof piece === 'string')
    ? pieces.join('')
    : pieces.map((piece) => (typeof piece === 'string' ? Buffer.from(piece) : piece));
}
