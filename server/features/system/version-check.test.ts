import { expect, test } from 'vitest';
import { isLater } from './version-check.ts';

test.each([
  ['v1.10.0', '1.9.3', true],
  ['1.0.0', 'v1.0.0', false],
  ['v0.9', '0.10.1', false],
  ['2', '1.99.99', true],
])('%s is later than %s: %s', (a, b, expected) => expect(isLater(a, b)).toBe(expected));
