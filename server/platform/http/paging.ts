import type { Paginate } from '#contract/page.ts';

/** Returns size and offset of a page. Pages start at 1; 0 is also the first. */
export const pageRequest = (page: number, size: number) => ({ size, from: Math.max(0, page - 1) * size });

/** Returns the number of all rows. Not counted if a partial page determines it. */
export const totalWith = async (rows: unknown[], { size, from }: { size: number; from: number }, count: () => Promise<number>) =>
  rows.length < size && (rows.length > 0 || from === 0) ? from + rows.length : count();

/** Returns the paging information of the API. `last_page` is 0 on the last page, never absent. */
export function paginate(total: number, page: number, size: number, url: URL): Paginate {
  const pages = Math.ceil(total / size);
  const query = new URLSearchParams(url.searchParams);
  query.delete('page');
  const pagesBetween = (from: number, to: number) =>
    Array.from({ length: Math.max(0, to - from + 1) }, (_, place) => from + place);
  return {
    page_size: size,
    page_from: pageRequest(page, size).from,
    prev_pages: page <= 1 ? null : pagesBetween(Math.max(2, page - 5), page - 1),
    current_page: page,
    max_hits: false,
    params: query.toString(),
    last_page: pages > page && pages > 1 ? pages : 0,
    next_pages: pagesBetween(Math.max(2, page + 1), Math.min(page + 5, pages - 1)),
    total_hits: total,
  };
}
