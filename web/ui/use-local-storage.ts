import { useCallback, useSyncExternalStore } from 'react';

// Values stored in the browser or in the tab. When storage is forbidden or full, they are kept in memory until the page is
// left.

const memory = new Map<string, string>();
const listeners = new Set<() => void>();

type StorageKind = 'browser' | 'tab';
// Even the access throws where storage is forbidden.
const storageOf = (place: StorageKind) => (place === 'tab' ? sessionStorage : localStorage);

/** Returns the stored value, or null. */
export function getStored(key: string, index: StorageKind = 'browser'): string | null {
  try {
    return memory.get(key) ?? storageOf(index).getItem(key);
  } catch {
    return null;
  }
}

export function setStored(key: string, value: string | null, place: StorageKind = 'browser') {
  memory.delete(key);
  try {
    if (value === null) storageOf(place).removeItem(key);
    else storageOf(place).setItem(key, value);
  } catch {
    if (value !== null) memory.set(key, value);
  }
  for (const listener of listeners) listener();
}

function listen(listener: () => void) {
  listeners.add(listener);
  addEventListener('storage', listener);
  return () => {
    listeners.delete(listener);
    removeEventListener('storage', listener);
  };
}

/** Reactive version of `getStored`: follows changes in all tabs. */
export function useLocalStorage(key: string): [value: string | null, setValue: (value: string | null) => void] {
  const value = useSyncExternalStore(listen, () => getStored(key));
  return [value, useCallback((next: string | null) => setStored(key, next), [key])];
}

/** Parses stored JSON. `parse` gets null for missing or invalid JSON. */
export function parseStored<T>(text: string | null, parse: (found: unknown) => T): T {
  let value: unknown = null;
  try {
    value = JSON.parse(text ?? 'null');
  } catch {
    // not JSON
  }
  return parse(value);
}

/** Returns a value as a record; an empty one for anything else. */
export const asRecord = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
