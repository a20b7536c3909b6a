import { useCallback } from 'react';
import { useNavigate, useSearchParams, type NavigateOptions } from 'react-router';

/**
 * The query parameters and a function that changes some of them; null or an empty string removes a parameter. Changes apply
 * to the current URL, which may be newer than the rendered one.
 */
export function useQueryParams() {
  const [search] = useSearchParams();
  const navigate = useNavigate();
  const setParams = useCallback(
    (changes: Record<string, string | null>, options?: NavigateOptions) => {
      const params = new URLSearchParams(location.search);
      for (const [key, value] of Object.entries(changes)) {
        if (value) params.set(key, value);
        else params.delete(key);
      }
      void navigate(`?${params}`, options);
    },
    [navigate],
  );
  return [search, setParams] as const;
}
