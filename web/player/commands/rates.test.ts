import { expect, test } from 'vitest';
import { nextRate, rates } from './rates.ts';

test('steps the playback rate and stops at both ends', () => {
  expect(nextRate(1, 1)).toBe(1.25);
  expect(nextRate(1, -1)).toBe(0.75);
  expect(nextRate(3, 1)).toBe(3);
  expect(nextRate(0.25, -1)).toBe(0.25);
  expect(rates).toHaveLength(12);
});
