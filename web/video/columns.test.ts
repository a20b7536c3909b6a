import { expect, test } from 'vitest';
import { columnsIn } from './columns.ts';

test.each([
  ['a phone', 358, 3, 1],
  ['a phone on its side', 620, 5, 2],
  ['a small window', 800, 3, 3],
  ['a small window, where somebody likes them small', 800, 7, 4],
  ['a large screen', 1680, 7, 7],
  ['a large screen, where somebody likes them large', 1680, 3, 3],
])('on %s (%i px) of %i columns %i are shown', (_what, width, wanted, shown) => expect(columnsIn(width, wanted)).toBe(shown));
