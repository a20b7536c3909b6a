import { expect, test } from 'vitest';
import { scoreBoundaries } from './score-boundaries.ts';

const score = (generated: number[], ofSite: number[], durationSeconds = 1000) =>
  scoreBoundaries([{ generated, ofSite, durationSeconds }]).found;

test('counts starts within 15 seconds, each once', () => {
  expect(score([100, 500], [115, 485])).toBe(1);
  expect(score([100, 500], [116, 484])).toBe(0);
  expect(score([100, 110], [105])).toBeCloseTo(2 / 3);
  expect(score([100], [95, 105])).toBeCloseTo(2 / 3);
  expect(score([], [95, 105])).toBe(0);
  expect(score([], [])).toBe(0);
});

test('compares with as many evenly spaced ones, all videos together', () => {
  const videos = [
    { generated: [500], ofSite: [500], durationSeconds: 1000 },
    { generated: [300, 700], ofSite: [305, 695, 900], durationSeconds: 1000 },
  ];
  expect(scoreBoundaries(videos)).toEqual({ found: 6 / 7, even: 2 / 7 });
});
