import { useCallback } from 'react';
import { useNavigate, useSearchParams, type NavigateOptions } from 'react-router';

/**
 * What stands in the address after the question mark, and a way to change some of it: null, or nothing, takes it away.
 * What is changed is what stands there at that moment, which may come later than what was drawn: after typing, for one.
 */
export function useAddress() {
  const [search] = useSearchParams();
  const navigate = useNavigate();
  const put = useCallback(
    (words: Record<string, string | null>, how?: NavigateOptions) => {
      const after = new URLSearchParams(location.search);
      for (const [key, value] of Object.entries(words)) {
        if (value) after.set(key, value);
        else after.delete(key);
      }
      void navigate(`?${after}`, how);
    },
    [navigate],
  );
  return [search, put] as const;
}
