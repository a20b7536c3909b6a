import { useCallback } from 'react';
import { useSearchParams, type NavigateOptions } from 'react-router';

/** What stands in the address after the question mark, and a way to change some of it: null, or nothing, takes it away. */
export function useAddress() {
  const [search, setSearch] = useSearchParams();
  const put = useCallback(
    (words: Record<string, string | null>, how?: NavigateOptions) =>
      setSearch((before) => {
        const after = new URLSearchParams(before);
        for (const [key, value] of Object.entries(words)) {
          if (value) after.set(key, value);
          else after.delete(key);
        }
        return after;
      }, how),
    [setSearch],
  );
  return [search, put] as const;
}
