import { expect, test } from 'vitest';
import { visitsAt } from './last-visit.ts';

test('who comes for the first time has no visit behind them', () => {
  expect(visitsAt(null, 10_000)).toEqual({ before: 0, latest: 10_000 });
});

test('who loads the page again is on the same visit', () => {
  expect(visitsAt('5000 9000', 10_000)).toEqual({ before: 5000, latest: 10_000 });
});

test('who comes back the next day has yesterday behind them', () => {
  expect(visitsAt('5000 9000', 96_000)).toEqual({ before: 9000, latest: 96_000 });
});

test('what cannot be read is no visit', () => {
  expect(visitsAt('Sunday', 10_000).before).toBe(0);
});
