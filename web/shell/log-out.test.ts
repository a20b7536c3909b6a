import { afterEach, expect, test, vi } from 'vitest';
import { queryClient } from '#web/api/client.ts';
import { playQueue, setQueue } from '#web/player/queue/queue.ts';
import { setStored, getStored } from '#web/ui/use-local-storage.ts';
import { clearUserData, userStorageKeys } from './log-out.ts';

function storage() {
  const values = new Map<string, string>();
  return {
    getItem: (key: string) => values.get(key) ?? null,
    setItem: (key: string, value: string) => void values.set(key, value),
    removeItem: (key: string) => void values.delete(key),
  };
}
afterEach(() => vi.unstubAllGlobals());

test('deletes cached responses, searches, queue and drafts on logout', () => {
  vi.stubGlobal('localStorage', storage());
  vi.stubGlobal('sessionStorage', storage());
  for (const key of userStorageKeys.browser) setStored(key, '["something of mine"]');
  for (const key of userStorageKeys.tab) setStored(key, 'https://something.example/of-mine', 'tab');
  setStored('reelkeep.theme', 'light');
  setQueue([{ id: 'abc', title: 'Mine', channel: 'C', thumbnail: '/x.jpg', durationSeconds: 1 }]);
  queryClient.setQueryData(['video'], { title: 'Mine' });
  clearUserData();
  for (const key of userStorageKeys.browser) expect([key, getStored(key)]).toEqual([key, null]);
  for (const key of userStorageKeys.tab) expect([key, getStored(key, 'tab')]).toEqual([key, null]);
  expect(playQueue().items).toEqual([]);
  expect(queryClient.getQueryData(['video'])).toBeUndefined();
  expect(getStored('reelkeep.theme')).toBe('light');
});

test('classifies every storage key as personal or as a device setting', () => {
  const ofBrowser = [
    'capabilities',
    'choices',
    'endless',
    'offline',
    'player',
    'rail',
    'subscribe',
    'table-columns',
    'theme',
    'visits',
  ].map((name) => `reelkeep.${name}`);
  const files = import.meta.glob<string>(['../**/*.{ts,tsx}', '!../**/*.test.ts'], {
    query: '?raw',
    import: 'default',
    eager: true,
  });
  const values = Object.values(files).flatMap((code) => [...code.matchAll(/['`](reelkeep\.[a-z-]+)/g)].map(([, key]) => key));
  expect([...new Set(values)].toSorted()).toEqual([...ofBrowser, ...userStorageKeys.browser, ...userStorageKeys.tab].toSorted());
});
