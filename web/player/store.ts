import { useSyncExternalStore } from 'react';

/** A value that parts far from each other share; whoever shows it hears of each change. */
export interface Store<T> {
  get(): T;
  set(change: Partial<T>): void;
  subscribe(listener: () => void): () => void;
}

export function makeStore<T extends object>(initial: T): Store<T> {
  let value = initial;
  const listeners = new Set<() => void>();
  return {
    get: () => value,
    set(change) {
      value = { ...value, ...change };
      for (const listener of listeners) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** A part of what a store holds. `pick` answers the same thing while nothing of it changed. */
export const usePart = <T extends object, R>(store: Store<T>, pick: (value: T) => R): R =>
  useSyncExternalStore(store.subscribe, () => pick(store.get()));
