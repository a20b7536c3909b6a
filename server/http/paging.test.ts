import { expect, test } from 'vitest';
import { paginate } from './paging.ts';

const at = (total: number, page: number, query = '') => paginate(total, page, 25, new URL(`http://x/api/video/${query}`));

// The table of the long form of the contract, row by row.
test.each([
  [0, 0, 0, null, []],
  [25, 0, 0, null, []],
  [26, 0, 2, null, []],
  [60, 0, 3, null, [2]],
  [60, 2, 3, [], []],
  [60, 3, 0, [2], []],
  [300, 0, 12, null, [2, 3, 4, 5]],
  [300, 1, 12, null, [2, 3, 4, 5, 6]],
  [300, 7, 12, [2, 3, 4, 5, 6], [8, 9, 10, 11]],
])('%i hits on page %i', (total, page, last_page, prev_pages, next_pages) => {
  expect(at(total, page)).toMatchObject({ last_page, prev_pages, next_pages, total_hits: total, current_page: page });
});

test('params carry the query without the page, encoded again', () => {
  expect(at(60, 2, '?page=2&channel=a%20b&sort=views').params).toBe('channel=a+b&sort=views');
  expect(at(60, 2).page_from).toBe(25);
});
