import { expect, test } from 'vitest';
import { fitColumns } from './columns.ts';

test.each([
  ['a phone', 358, 3, 1],
  ['a phone in landscape', 620, 5, 2],
  ['a small window', 800, 3, 3],
  ['a small window with small cards', 800, 7, 4],
  ['a large screen', 1680, 7, 7],
  ['a large screen with large cards', 1680, 3, 3],
])('on %s (%i px) with %i preferred columns, %i fit', (_what, width, preferred, columns) =>
  expect(fitColumns(width, preferred)).toBe(columns),
);
