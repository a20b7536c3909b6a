import { expect, test } from 'vitest';
import { formatDuration, formatIso } from './format-time.ts';

test.each([
  [0, 'NA'],
  [null, 'NA'],
  [1, '1s'],
  [59, '59s'],
  [60, '1m'],
  [61, '1m 01s'],
  [3600, '1h'],
  [3601, '1h 01s'],
  [3660, '1h 01m'],
  [90_061, '1d 01h 01m 01s'],
  [31_536_001, '1y 01s'],
])('formats %s seconds as %s', (seconds, text) => {
  expect(formatDuration(seconds)).toBe(text);
});

test('formats times with an offset and without a fraction', () => {
  expect(formatIso(1_714_582_800)).toBe('2024-05-01T17:00:00+00:00');
});
