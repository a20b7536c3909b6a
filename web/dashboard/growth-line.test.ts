import { expect, test } from 'vitest';
import { dayOf, thinned, totals, within } from './growth-line.ts';

const days = [
  { date: '2026-01-01', count: 2, media_size: 100 },
  { date: '2026-01-03', count: 1, media_size: 50 },
];

test('what came is added up, until today', () => {
  expect(totals(days, '2026-01-10').map(({ date, videos, bytes }) => [date, videos, bytes])).toEqual([
    ['2025-12-31', 0, 0],
    ['2026-01-01', 2, 100],
    ['2026-01-03', 3, 150],
    ['2026-01-10', 3, 150],
  ]);
  expect(totals([], '2026-01-10')).toEqual([]);
});

test('a long line keeps its end', () => {
  const long = totals(
    Array.from({ length: 1000 }, (_, n) => ({
      date: new Date(n * 86_400_000).toISOString().slice(0, 10),
      count: 1,
      media_size: 1,
    })),
    '1972-09-26',
  );
  expect(thinned(long, 100)).toHaveLength(100);
  expect(thinned(long, 100).at(-1)!.videos).toBe(1000);
});

test('a part of a line begins and ends with what stood then', () => {
  const line = totals(days, '2026-01-10');
  const day = dayOf('2026-01-02');
  expect(within(line, day, day + 5).map(({ date, videos }) => [date, videos])).toEqual([
    ['2026-01-02', 2],
    ['2026-01-03', 3],
    ['2026-01-07', 3],
  ]);
  expect(within(line, line[0]!.day, line.at(-1)!.day)).toEqual(line);
});
