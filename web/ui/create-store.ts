import { useSyncExternalStore } from 'react';

/** A shared value with change notifications. */
export interface Store<T> {
  get(): T;
  set(change: Partial<T>): void;
  subscribe(listener: () => void): () => void;
}

export function createStore<T extends object>(initial: T): Store<T> {
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

/** Subscribes to a part of a store. `selector` must return a stable value while nothing has changed. */
export const useStoreValue = <T extends object, R>(store: Store<T>, selector: (value: T) => R): R =>
  useSyncExternalStore(store.subscribe, () => selector(store.get()));
