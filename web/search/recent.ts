import { keep, parseKept, readKept, useKept } from '#web/ui/kept.ts';

const key = 'reelkeep.searches';
const most = 8;

const read = (kept: string | null): string[] =>
  parseKept(kept, (list) => (Array.isArray(list) ? list.filter((one) => typeof one === 'string').slice(0, most) : []));

/** Remembers in this browser what somebody looked for and found. A query that only grew takes the place of its beginning. */
export function rememberSearch(query: string) {
  const before = read(readKept(key)).filter((one) => one !== query && !query.startsWith(one));
  keep(key, JSON.stringify([query, ...before].slice(0, most)));
}

export function useRecentSearches() {
  const [kept, setKept] = useKept(key);
  return { searches: read(kept), forget: () => setKept(null) };
}
