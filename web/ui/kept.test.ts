import { afterEach, expect, test, vi } from 'vitest';
import { keep, parseKept, readKept } from './kept.ts';

function storage() {
  const kept = new Map<string, string>();
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  };
}
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

test('what is kept is read again, and forgotten with null; what is kept for a tab is not for the browser', () => {
  vi.stubGlobal('localStorage', storage());
  vi.stubGlobal('sessionStorage', storage());
  keep('language', 'de');
  keep('draft', 'half a link', 'tab');
  expect([readKept('language'), readKept('draft', 'tab'), readKept('draft')]).toEqual(['de', 'half a link', null]);
  keep('language', null);
  expect(readKept('language')).toBeNull();
});

test('where storage is forbidden it holds until the page is left', () => {
  vi.stubGlobal('localStorage', storage());
  vi.spyOn(globalThis, 'localStorage', 'get').mockImplementation(() => {
    throw new DOMException('Access is denied for this document.', 'SecurityError');
  });
  expect(() => localStorage).toThrow('denied');
  expect(readKept('theme')).toBeNull();
  keep('theme', 'light');
  expect(readKept('theme')).toBe('light');
  keep('theme', null);
  expect(readKept('theme')).toBeNull();
});

test('where storage is full the last word counts, not the one before', () => {
  const small = storage();
  vi.stubGlobal('localStorage', small);
  keep('queue', 'short');
  vi.stubGlobal('localStorage', {
    ...small,
    setItem() {
      throw new DOMException('The quota has been exceeded.', 'QuotaExceededError');
    },
  });
  keep('queue', 'much longer');
  expect(readKept('queue')).toBe('much longer');
  vi.stubGlobal('localStorage', small);
  keep('queue', 'short again');
  expect(readKept('queue')).toBe('short again');
});

test.each([null, 'not json', '{"half":'])('what is no JSON (%j) is as good as nothing', (kept) =>
  expect(parseKept(kept, (found) => found)).toBeNull(),
);
