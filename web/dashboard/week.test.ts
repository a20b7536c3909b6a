import { expect, test } from 'vitest';
import { onEach, partOf, weeksUntil } from './week.ts';

test('weeks begin on Monday and end today', () => {
  const days = weeksUntil('2026-11-22', 53); // a Sunday
  expect([days.length, days[0], days.at(-1)]).toEqual([371, '2025-11-17', '2026-11-22']);
  expect(weeksUntil('2026-11-23', 2)).toEqual([
    '2026-11-16',
    '2026-11-17',
    '2026-11-18',
    '2026-11-19',
    '2026-11-20',
    '2026-11-21',
    '2026-11-22',
    '2026-11-23',
  ]);
});

test('days without anything are there too', () => {
  const known = [{ date: '2026-11-21', count: 2, duration: 60 }];
  expect(onEach(['2026-11-20', '2026-11-21'], known)).toEqual([{ date: '2026-11-20', count: 0, duration: 0 }, ...known]);
});

test('the area of a mark says how much; little can still be seen, nothing cannot', () => {
  expect([partOf(100, 100), partOf(25, 100), partOf(1, 10_000), partOf(0, 100), partOf(0, 0)]).toEqual([1, 0.5, 0.22, 0, 0]);
});
