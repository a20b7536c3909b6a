import { expect, test } from 'vitest';
import { updateVisits } from './last-visit.ts';

test('has no previous visit on the first visit', () => {
  expect(updateVisits(null, 10_000)).toEqual({ previous: 0, latest: 10_000 });
});

test('continues the visit when the page is reloaded', () => {
  expect(updateVisits('5000 9000', 10_000)).toEqual({ previous: 5000, latest: 10_000 });
});

test('starts a new visit after a pause', () => {
  expect(updateVisits('5000 9000', 96_000)).toEqual({ previous: 9000, latest: 96_000 });
});

test('ignores an invalid stored value', () => {
  expect(updateVisits('Sunday', 10_000).previous).toBe(0);
});
