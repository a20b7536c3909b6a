import { randomUUID } from 'node:crypto';

// What is in an answer cannot look like this: it is made up anew at each start, and told to nobody.
const place = randomUUID();
let met: Uint8Array[] = [];

/**
 * A part of an answer that is JSON already, in UTF-8, such as a list of thousands that was written before and has not changed. In an
 * answer it stands where its value would.
 */
export class Written {
  readonly json: Uint8Array;
  constructor(json: Uint8Array) {
    this.json = json;
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
  return text.split(`"${place}"`).flatMap((piece, at) => [Buffer.from(piece), ...(parts[at] ? [parts[at]] : [])]);
}
