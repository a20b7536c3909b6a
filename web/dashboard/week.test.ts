import { expect, test } from 'vitest';
import { fillMissingDays, markScale, listDaysOfWeeks } from './week.ts';

test('lists weeks from Monday to today', () => {
  const days = listDaysOfWeeks('2026-11-22', 53); // a Sunday
  expect([days.length, days[0], days.at(-1)]).toEqual([371, '2025-11-17', '2026-11-22']);
  expect(listDaysOfWeeks('2026-11-23', 2)).toEqual([
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

test('fills days without activity with zeros', () => {
  const known = [{ date: '2026-11-21', count: 2, duration: 60 }];
  expect(fillMissingDays(['2026-11-20', '2026-11-21'], known)).toEqual([{ date: '2026-11-20', count: 0, duration: 0 }, ...known]);
});

test('scales marks by area and keeps small amounts visible', () => {
  expect([markScale(100, 100), markScale(25, 100), markScale(1, 10_000), markScale(0, 100), markScale(0, 0)]).toEqual([
    1, 0.5, 0.22, 0, 0,
  ]);
});
