import { expect, test } from 'vitest';
import { segmentAt, segmentsOf, type Segment } from './segments.ts';

test('ignores the categories that the user turned off', () => {
  const part = (category: string, actionType: string, from: number) => ({
    UUID: `${category}${from}`,
    category,
    actionType,
    segment: [from, from + 5],
    videoDuration: 60,
    votes: 1,
    locked: 0,
  });
  const segments = [part('intro', 'none', 20), part('sponsor', 'skip', 10), part('outro', 'none', 30)];
  const video = { player: { duration: 60 }, sponsorblock: { is_enabled: true, last_refresh: 1, segments } } as never;
  expect(segmentsOf(video, { outro: 'off' }).map(({ id }) => id)).toEqual(['sponsor10', 'intro20']);
});

const segment: Segment = { id: 's', category: 'sponsor', start: 10, end: 20 };
test.each([
  ['playing to the start', 9.9, 10.1, true],
  ['playing to the start at high speed', 9.5, 10.7, true],
  ['seeking to the start', 50, 10.2, true],
  ['seeking into the middle', 50, 15, false],
  ['playing in the middle', 15, 15.1, false],
  ['playing past the end', 19.9, 20, false],
])('%s (%d → %d) skips the segment: %s', (_, before, now, isSkipped) =>
  expect(segmentAt([segment], before, now) !== null).toBe(isSkipped),
);
