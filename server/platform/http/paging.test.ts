import { expect, test } from 'vitest';
import { paginate, totalWith } from './paging.ts';

const paginateTo = (total: number, page: number, query = '') => paginate(total, page, 25, new URL(`http://x/api/video/${query}`));

// Page numbers as in TubeArchivist.
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
  expect(paginateTo(total, page)).toMatchObject({ last_page, prev_pages, next_pages, total_hits: total, current_page: page });
});

test('params contain the query without the page, encoded', () => {
  expect(paginateTo(60, 2, '?page=2&channel=a%20b&sort=views').params).toBe('channel=a+b&sort=views');
  expect(paginateTo(60, 2).page_from).toBe(25);
});

test('counts rows only if the page does not determine the total', async () => {
  const countAll = async () => 99;
  const total = (rows: number, from: number) => totalWith(Array.from({ length: rows }), { size: 3, from }, countAll);
  expect(await total(0, 0)).toBe(0);
  expect(await total(2, 6)).toBe(8);
  expect(await total(3, 6)).toBe(99);
  expect(await total(0, 6)).toBe(99);
});
