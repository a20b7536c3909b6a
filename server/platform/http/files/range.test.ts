import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseRange } from './range.ts';

test.each([
  [undefined, 'all'],
  ['', 'all'],
  ['bytes=0-', { from: 0, to: 99 }],
  ['bytes=0-0', { from: 0, to: 0 }],
  ['bytes=10-19', { from: 10, to: 19 }],
  ['bytes=90-1000', { from: 90, to: 99 }],
  ['bytes=99-', { from: 99, to: 99 }],
  ['bytes=100-', 'none'],
  ['bytes=1000000000000000000000-', 'none'],
  ['bytes=-10', { from: 90, to: 99 }],
  ['bytes=-1000', { from: 0, to: 99 }],
  ['bytes=-0', 'none'],
  ['bytes=20-10', 'all'],
  ['bytes=0-1,5-6', 'all'],
  ['bytes=a-b', 'all'],
  ['items=0-1', 'all'],
  ['bytes=-', 'all'],
])('of 100 bytes, %s is %j', (header, range) => {
  expect(parseRange(header, 100)).toEqual(range);
});

test('an empty file has no ranges', () => {
  expect(parseRange('bytes=0-', 0)).toBe('none');
});

test('a range is always inside the file', () => {
  fc.assert(
    fc.property(fc.string(), fc.nat(), fc.nat(), fc.integer({ min: 1, max: 1_000_000 }), (junk, a, b, size) => {
      for (const header of [junk, `bytes=${a}-${b}`, `bytes=${a}-`, `bytes=-${b}`]) {
        const range = parseRange(header, size);
        if (typeof range === 'object') expect(0 <= range.from && range.from <= range.to && range.to < size).toBe(true);
      }
    }),
  );
});
