import { useCallback, useSyncExternalStore } from 'react';

/** Whether the window matches a CSS media query. */
export function useMediaQuery(query: string): boolean {
  const subscribe = useCallback(
    (listener: () => void) => {
      const list = matchMedia(query);
      list.addEventListener('change', listener);
      return () => list.removeEventListener('change', listener);
    },
    [query],
  );
  return useSyncExternalStore(subscribe, () => matchMedia(query).matches);
}

/** Whether the window is as narrow as a phone: navigation at the bottom, one column. */
export const useIsPhone = () => useMediaQuery('(max-width: 719.98px)');
