interface Page<T> {
  data: T[];
  paginate: { total_hits: number };
}

/** Everything of a list, however many pages it comes in. */
export async function everyPage<T>(ask: (page: number) => Promise<Page<T>>): Promise<T[]> {
  const all: T[] = [];
  for (let page = 1; ; page++) {
    const { data, paginate } = await ask(page);
    all.push(...data);
    if (data.length === 0 || all.length >= paginate.total_hits) return all;
  }
}
