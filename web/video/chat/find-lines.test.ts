import { expect, test } from 'vitest';
import type { ChatLine } from '#contract/chat.ts';
import { countUntil, linesAt, parseLines } from './find-lines.ts';

const line = (t: number): ChatLine => ({ t, k: 'text', id: `m${t}`, a: 'UCa', n: 'Ann', x: `${t}` });
const lines = (from: number, count: number) => Array.from({ length: count }, (_, n) => line(from + n));
const times = (found: readonly ChatLine[]) => [found[0]?.t, found.at(-1)?.t, found.length];

test('finds the messages until a time, with several at the same time', () => {
  const some = [line(1), line(5), line(5), line(9)];
  expect([0, 1, 4, 5, 8, 9, 99].map((ms) => countUntil(some, ms))).toEqual([0, 1, 1, 3, 3, 4, 4]);
});

test('shows the last hundred, with those of the part before at its beginning', () => {
  const [before, now] = [lines(0, 300), lines(300, 300)];
  expect(times(linesAt(before, now, 299))).toEqual([200, 299, 100]);
  expect(times(linesAt(before, now, 309))).toEqual([210, 309, 100]);
  expect(times(linesAt(before, now, 500))).toEqual([401, 500, 100]);
  expect(times(linesAt([], now, 301))).toEqual([300, 301, 2]);
  expect(linesAt([], [], 5)).toEqual([]);
});

test('leaves out a damaged line', () => {
  expect(parseLines(`${JSON.stringify(line(1))}\n{"t":\n`)).toEqual([line(1)]);
});
