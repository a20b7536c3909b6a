import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { lineSplitter } from './split-lines.ts';

function split(pieces: string[], maxLength: number): string[] {
  const { feed, end } = lineSplitter(maxLength);
  return [...pieces.flatMap((chunk) => [...feed(chunk)]), ...end()];
}

test('returns the same lines for any chunks, without those that are too long', () => {
  const chunk = fc.string({ unit: fc.constantFrom('a', 'b', '\n'), maxLength: 12 });
  fc.assert(
    fc.property(fc.array(chunk), fc.integer({ min: 1, max: 8 }), (pieces, maxLength) => {
      const expected = pieces.join('').split('\n');
      if (expected.at(-1) === '') expected.pop();
      expect(split(pieces, maxLength)).toEqual(expected.filter((line) => line.length <= maxLength));
    }),
  );
});
