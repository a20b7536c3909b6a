import { expect, test } from 'vitest';
import { forecastOf, freeAfter } from './forecast.ts';
import { dateOf, dayOf } from './growth-line.ts';

const today = '2026-11-20';
const came = (sizes: number[]) =>
  sizes.map((size, back) => ({ date: dateOf(dayOf(today) - back), media_size: size })).toReversed();

test('what comes evenly fills the disk on a day, without a band', () => {
  const found = forecastOf(came(Array<number>(40).fill(10)), today, 1000)!;
  expect(found).toMatchObject({ over: 30, pace: 10, full: 100, soonest: 100, latest: 100 });
  expect(freeAfter(found, 1000, 50)).toEqual({ likely: 500, least: 500, most: 500 });
  expect(freeAfter(found, 1000, 500).likely).toBe(0);
});

test('the more uneven, the wider the band; it may have no end', () => {
  const uneven = forecastOf(came(Array.from({ length: 30 }, (_, n) => (n % 2 ? 20 : 0))), today, 1000)!;
  expect(uneven.full).toBe(100);
  expect(uneven.soonest).toBeGreaterThan(75);
  expect(uneven.soonest).toBeLessThan(95);
  expect(uneven.latest).toBeGreaterThan(105);
  const rare = forecastOf(came(Array.from({ length: 30 }, (_, n) => (n === 3 ? 10_000 : n < 5 ? 1 : 0))), today, 1000)!;
  expect([rare.latest, rare.slow]).toEqual([null, null]);
  expect(freeAfter(rare, 1000, 3).most).toBe(1000);
});

test('of too little, or of what is far away, nothing is said', () => {
  expect(forecastOf([], today, 1000)).toBeNull();
  expect(forecastOf(came(Array<number>(13).fill(10)), today, 1000)).toBeNull();
  expect(forecastOf(came([1, 1, 1, 1, ...Array<number>(20).fill(0)]), today, 1000)).toBeNull();
  expect(forecastOf(came(Array<number>(30).fill(1)), today, 1_000_000)).toBeNull();
});
