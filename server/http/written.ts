import { randomUUID } from 'node:crypto';

// What is in an answer cannot look like this: it is made up anew at each start, and told to nobody.
const place = randomUUID();
let met: Written[] = [];

/**
 * A part of an answer that is JSON already, in UTF-8 and in as many pieces as it is kept in, such as a list of thousands that was
 * written before and has not changed. In an answer it stands where its value would. `hasLinks` where it names files, which are signed
 * for some.
 */
export class Written {
  readonly pieces: readonly Uint8Array[];
  readonly hasLinks: boolean;
  constructor(pieces: readonly Uint8Array[], { hasLinks = false } = {}) {
    this.pieces = pieces;
    this.hasLinks = hasLinks;
  }
  toJSON(): string {
    met.push(this);
    return place;
  }
}

/** What it says, to be read. */
export const readWritten = ({ pieces }: Written): unknown => JSON.parse(String(Buffer.concat(pieces)));

/** An answer as it is sent: a text, or pieces that go one after the other. What is large is never copied. */
export function answerPieces(answer: unknown): string | Uint8Array[] {
  met = [];
  const text = JSON.stringify(answer);
  const parts = met;
  if (parts.length === 0) return text;
  return text.split(`"${place}"`).flatMap((piece, at) => [Buffer.from(piece), ...(parts[at]?.pieces ?? [])]);
}
