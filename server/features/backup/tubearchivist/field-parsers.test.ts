import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { asClock, asPath, asTime } from './field-parsers.ts';

describe('field values of all versions', () => {
  test.each([
    ['2023-07-22', 1_689_984_000],
    [1_690_000_000.5, 1_690_000_000],
    ['1690000000', 1_690_000_000],
    ['', null],
    [false, null],
    [Number.NaN, null],
    ['soon', null],
    [{}, null],
    [-5, null],
  ])('parses the time %s as %s', (value, seconds) => expect(asTime(value)).toBe(seconds));

  test('rejects a path that leaves its folder', () =>
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.constantFrom('..', '.', '/', '\\', 'a', '', '\0', 'C:', '.hidden'), fc.string()), { maxLength: 6 }),
        (pieces) => {
          const path = asPath(pieces.join('/'));
          if (path !== null)
            expect(join('/media', path).startsWith('/media/') && dirname(path) !== '..' && !path.includes('\\')).toBe(true);
        },
      ),
    ));

  test('parses every time it can format', () =>
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 359_999_999 }), (ms) => {
        const part = (value: number, digits: number) => String(value).padStart(digits, '0');
        const text = `${part(Math.floor(ms / 3_600_000), 2)}:${part(Math.floor(ms / 60_000) % 60, 2)}:${part(Math.floor(ms / 1000) % 60, 2)}.${part(ms % 1000, 3)}`;
        expect(asClock(text)).toBe(ms / 1000);
      }),
    ));
});
