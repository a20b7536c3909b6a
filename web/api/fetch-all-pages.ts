interface Page<T> {
  data: T[];
  paginate: { total_hits: number };
}

/** Loads all pages of a list. */
export async function fetchAllPages<T>(fetchPage: (page: number) => Promise<Page<T>>): Promise<T[]> {
  const all: T[] = [];
  for (let page = 1; ; page++) {
    const { data, paginate } = await fetchPage(page);
    all.push(...data);
    if (data.length === 0 || all.length >= paginate.total_hits) return all;
  }
}
