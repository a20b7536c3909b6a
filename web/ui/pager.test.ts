import { expect, test } from 'vitest';
import { visiblePages } from './Pager.tsx';

test.each([
  [1, 1, [1]],
  [1, 3, [1, 2, 3]],
  [5, 9, [1, 0, 4, 5, 6, 0, 9]],
  [3, 9, [1, 2, 3, 4, 0, 9]],
  [9, 9, [1, 0, 8, 9]],
])('on page %s of %s shows the buttons %j', (current, last, shown) => expect(visiblePages(current, last)).toEqual(shown));
