import { useCallback, useSyncExternalStore } from 'react';

// What a person chose for this browser, or for this tab alone. Storage may be forbidden, or full; then it holds until the
// page is left.

const memory = new Map<string, string>();
const listeners = new Set<() => void>();

type Place = 'browser' | 'tab';
// Already to name it throws where it is forbidden.
const storageOf = (place: Place) => (place === 'tab' ? sessionStorage : localStorage);

/** What is kept under a name; null when there is nothing. */
export function readKept(key: string, place: Place = 'browser'): string | null {
  try {
    return memory.get(key) ?? storageOf(place).getItem(key);
  } catch {
    return null;
  }
}

export function keep(key: string, value: string | null, place: Place = 'browser') {
  memory.delete(key);
  try {
    if (value === null) storageOf(place).removeItem(key);
    else storageOf(place).setItem(key, value);
  } catch {
    if (value !== null) memory.set(key, value);
  }
  for (const tell of listeners) tell();
}

function listen(tell: () => void) {
  listeners.add(tell);
  addEventListener('storage', tell);
  return () => {
    listeners.delete(tell);
    removeEventListener('storage', tell);
  };
}

/** The same, to show: changes at once, in every tab. */
export function useKept(key: string): [value: string | null, setValue: (value: string | null) => void] {
  const value = useSyncExternalStore(listen, () => readKept(key));
  return [value, useCallback((next: string | null) => keep(key, next), [key])];
}

/** What was kept as JSON; `parse` makes of anything strange what it should be. */
export function parseKept<T>(kept: string | null, parse: (found: unknown) => T): T {
  let found: unknown = null;
  try {
    found = JSON.parse(kept ?? 'null');
  } catch {
    // it holds something else
  }
  return parse(found);
}

/** The fields of something that was kept, whatever it is. */
export const fieldsOf = (found: unknown): Record<string, unknown> =>
  typeof found === 'object' && found !== null ? (found as Record<string, unknown>) : {};
