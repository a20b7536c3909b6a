import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { lineSplitter } from './split-lines.ts';

function cut(pieces: string[], maxLength: number): string[] {
  const { feed, end } = lineSplitter(maxLength);
  return [...pieces.flatMap((piece) => [...feed(piece)]), ...end()];
}

test('however a text is cut into pieces, the lines are the same, without those that are too long', () => {
  const piece = fc.string({ unit: fc.constantFrom('a', 'b', '\n'), maxLength: 12 });
  fc.assert(
    fc.property(fc.array(piece), fc.integer({ min: 1, max: 8 }), (pieces, maxLength) => {
      const expected = pieces.join('').split('\n');
      if (expected.at(-1) === '') expected.pop();
      expect(cut(pieces, maxLength)).toEqual(expected.filter((line) => line.length <= maxLength));
    }),
  );
});
