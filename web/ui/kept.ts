import { useCallback, useSyncExternalStore } from 'react';

// What a person chose for this browser alone. Storage may be forbidden; then it holds until the page is left.

const memory = new Map<string, string>();
const listeners = new Set<() => void>();

/** What this browser keeps under a name; null when there is nothing. */
export function readKept(key: string): string | null {
  try {
    return localStorage.getItem(key) ?? memory.get(key) ?? null;
  } catch {
    return memory.get(key) ?? null;
  }
}

export function keep(key: string, value: string | null) {
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
    memory.delete(key);
  } catch {
    if (value === null) memory.delete(key);
    else memory.set(key, value);
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
