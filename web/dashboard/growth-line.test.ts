import { expect, test } from 'vitest';
import { dayOf, downsample, cumulativeTotals, sliceRange } from './growth-line.ts';

const days = [
  { date: '2026-01-01', count: 2, media_size: 100 },
  { date: '2026-01-03', count: 1, media_size: 50 },
];

test('adds up downloads until today', () => {
  expect(cumulativeTotals(days, '2026-01-10').map(({ date, videos, bytes }) => [date, videos, bytes])).toEqual([
    ['2025-12-31', 0, 0],
    ['2026-01-01', 2, 100],
    ['2026-01-03', 3, 150],
    ['2026-01-10', 3, 150],
  ]);
  expect(cumulativeTotals([], '2026-01-10')).toEqual([]);
});

test('keeps the end when downsampling a long line', () => {
  const long = cumulativeTotals(
    Array.from({ length: 1000 }, (_, n) => ({
      date: new Date(n * 86_400_000).toISOString().slice(0, 10),
      count: 1,
      media_size: 1,
    })),
    '1972-09-26',
  );
  expect(downsample(long, 100)).toHaveLength(100);
  expect(downsample(long, 100).at(-1)!.videos).toBe(1000);
});

test('slices a range with points at both ends', () => {
  const line = cumulativeTotals(days, '2026-01-10');
  const day = dayOf('2026-01-02');
  expect(sliceRange(line, day, day + 5).map(({ date, videos }) => [date, videos])).toEqual([
    ['2026-01-02', 2],
    ['2026-01-03', 3],
    ['2026-01-07', 3],
  ]);
  expect(sliceRange(line, line[0]!.day, line.at(-1)!.day)).toEqual(line);
});
