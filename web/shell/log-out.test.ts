import { afterEach, expect, test, vi } from 'vitest';
import { queryClient } from '#web/api/client.ts';
import { playQueue, setQueue } from '#web/player/queue.ts';
import { keep, readKept } from '#web/ui/kept.ts';
import { forgetPerson, ofPerson } from './log-out.ts';

function storage() {
  const kept = new Map<string, string>();
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  };
}
afterEach(() => vi.unstubAllGlobals());

test('who logs out leaves nothing of themselves in the browser: no answers, searches, queue or half a link', () => {
  vi.stubGlobal('localStorage', storage());
  vi.stubGlobal('sessionStorage', storage());
  for (const key of ofPerson.browser) keep(key, '["something of mine"]');
  for (const key of ofPerson.tab) keep(key, 'https://something.example/of-mine', 'tab');
  keep('reelkeep.theme', 'light');
  setQueue([{ id: 'abc', title: 'Mine', channel: 'C', thumbnail: '/x.jpg', durationSeconds: 1 }]);
  queryClient.setQueryData(['video'], { title: 'Mine' });
  forgetPerson();
  for (const key of ofPerson.browser) expect([key, readKept(key)]).toEqual([key, null]);
  for (const key of ofPerson.tab) expect([key, readKept(key, 'tab')]).toEqual([key, null]);
  expect(playQueue().items).toEqual([]);
  expect(queryClient.getQueryData(['video'])).toBeUndefined();
  expect(readKept('reelkeep.theme')).toBe('light');
});

test('of everything that is kept in a browser it is known whether it tells of a person', () => {
  const ofBrowser = ['choices', 'endless', 'player', 'rail', 'theme', 'visits'].map((name) => `reelkeep.${name}`);
  const files = import.meta.glob<string>(['../**/*.{ts,tsx}', '!../**/*.test.ts'], {
    query: '?raw',
    import: 'default',
    eager: true,
  });
  const kept = Object.values(files).flatMap((code) => [...code.matchAll(/['`](reelkeep\.[a-z-]+)/g)].map(([, key]) => key));
  expect([...new Set(kept)].toSorted()).toEqual([...ofBrowser, ...ofPerson.browser, ...ofPerson.tab].toSorted());
});
