import { setStored, parseStored, getStored, useLocalStorage } from '#web/ui/use-local-storage.ts';

const key = 'reelkeep.searches';
const most = 8;

const read = (stored: string | null): string[] =>
  parseStored(stored, (list) => (Array.isArray(list) ? list.filter((one) => typeof one === 'string').slice(0, most) : []));

/** Stores a successful search in this browser. A longer version of the previous query replaces it. */
export function rememberSearch(query: string) {
  const before = read(getStored(key)).filter((one) => one !== query && !query.startsWith(one));
  setStored(key, JSON.stringify([query, ...before].slice(0, most)));
}

export function useRecentSearches() {
  const [storageKey, setKept] = useLocalStorage(key);
  return { searches: read(storageKey), forget: () => setKept(null) };
}
