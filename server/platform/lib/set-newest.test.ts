import { expect, test } from 'vitest';
import { setNewest } from './set-newest.ts';

test('keeps the entries that were set last', () => {
  const map = new Map<string, number>();
  for (const [key, value] of [['a', 1], ['b', 2], ['a', 3], ['c', 4]] as const) setNewest(map, key, value, 2); // prettier-ignore
  expect([...map]).toEqual([
    ['a', 3],
    ['c', 4],
  ]);
});
