import { afterEach, expect, test, vi } from 'vitest';
import { setStored, parseStored, getStored } from './use-local-storage.ts';

function storage() {
  const values = new Map<string, string>();
  return {
    getItem: (key: string) => values.get(key) ?? null,
    setItem: (key: string, value: string) => void values.set(key, value),
    removeItem: (key: string) => void values.delete(key),
  };
}
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

test('stores and deletes values, separately for browser and tab', () => {
  vi.stubGlobal('localStorage', storage());
  vi.stubGlobal('sessionStorage', storage());
  setStored('language', 'de');
  setStored('draft', 'half a link', 'tab');
  expect([getStored('language'), getStored('draft', 'tab'), getStored('draft')]).toEqual(['de', 'half a link', null]);
  setStored('language', null);
  expect(getStored('language')).toBeNull();
});

test('keeps values in memory when storage is forbidden', () => {
  vi.stubGlobal('localStorage', storage());
  vi.spyOn(globalThis, 'localStorage', 'get').mockImplementation(() => {
    throw new DOMException('Access is denied for this document.', 'SecurityError');
  });
  expect(() => localStorage).toThrow('denied');
  expect(getStored('theme')).toBeNull();
  setStored('theme', 'light');
  expect(getStored('theme')).toBe('light');
  setStored('theme', null);
  expect(getStored('theme')).toBeNull();
});

test('returns the latest value when storage is full', () => {
  const storageBefore = storage();
  vi.stubGlobal('localStorage', storageBefore);
  setStored('queue', 'short');
  vi.stubGlobal('localStorage', {
    ...storageBefore,
    setItem() {
      throw new DOMException('The quota has been exceeded.', 'QuotaExceededError');
    },
  });
  setStored('queue', 'much longer');
  expect(getStored('queue')).toBe('much longer');
  vi.stubGlobal('localStorage', storageBefore);
  setStored('queue', 'short again');
  expect(getStored('queue')).toBe('short again');
});

test.each([null, 'not json', '{"half":'])('treats invalid JSON (%j) as null', (values) =>
  expect(parseStored(values, (found) => found)).toBeNull(),
);
