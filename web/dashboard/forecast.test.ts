import { expect, test } from 'vitest';
import { computeForecast, freeSpaceAfter } from './forecast.ts';
import { dateOf, dayOf } from './growth-line.ts';

const today = '2026-11-20';
const historyOf = (sizes: number[]) =>
  sizes.map((size, back) => ({ date: dateOf(dayOf(today) - back), media_size: size })).toReversed();

test('predicts a fixed day for even growth', () => {
  const forecast = computeForecast(historyOf(Array<number>(40).fill(10)), today, 1000)!;
  expect(forecast).toMatchObject({ over: 30, pace: 10, full: 100, soonest: 100, latest: 100 });
  expect(freeSpaceAfter(forecast, 1000, 50)).toEqual({ likely: 500, least: 500, most: 500 });
  expect(freeSpaceAfter(forecast, 1000, 500).likely).toBe(0);
});

test('widens the interval for uneven growth, without an upper bound where needed', () => {
  const uneven = computeForecast(historyOf(Array.from({ length: 30 }, (_, n) => (n % 2 ? 20 : 0))), today, 1000)!;
  expect(uneven.full).toBe(100);
  expect(uneven.soonest).toBeGreaterThan(75);
  expect(uneven.soonest).toBeLessThan(95);
  expect(uneven.latest).toBeGreaterThan(105);
  const rare = computeForecast(historyOf(Array.from({ length: 30 }, (_, n) => (n === 3 ? 10_000 : n < 5 ? 1 : 0))), today, 1000)!;
  expect([rare.latest, rare.slow]).toEqual([null, null]);
  expect(freeSpaceAfter(rare, 1000, 3).most).toBe(1000);
});

test('returns null with too little data or beyond ten years', () => {
  expect(computeForecast([], today, 1000)).toBeNull();
  expect(computeForecast(historyOf(Array<number>(13).fill(10)), today, 1000)).toBeNull();
  expect(computeForecast(historyOf([1, 1, 1, 1, ...Array<number>(20).fill(0)]), today, 1000)).toBeNull();
  expect(computeForecast(historyOf(Array<number>(30).fill(1)), today, 1_000_000)).toBeNull();
});
