import { expect, test } from 'vitest';
import { gapsOf, parseRecording } from './recording.ts';

test('fragments that are missing one after another are one gap', () => {
  expect(gapsOf([9, 3, 4, 3], 5)).toEqual([
    { start: 15, seconds: 10 },
    { start: 45, seconds: 5 },
  ]);
  expect(gapsOf([], 5)).toEqual([]);
});

test('lists a thousand gaps at most', () => {
  const everyOther = Array.from({ length: 3000 }, (_, place) => place * 2);
  expect(gapsOf(everyOther, 1)).toHaveLength(1000);
});

test('stored JSON that is not valid is no recording', () => {
  const valid = { startedAt: 5, reason: 'stopped', gaps: [{ start: 1, seconds: 2 }] };
  expect(parseRecording(JSON.stringify(valid))).toEqual(valid);
  for (const wrong of [
    '',
    '{',
    'null',
    '[]',
    JSON.stringify({ ...valid, reason: 'bored' }),
    JSON.stringify({ ...valid, gaps: [{ start: -1, seconds: 2 }] }),
    JSON.stringify({ ...valid, startedAt: 'now' }),
  ])
    expect(parseRecording(wrong), wrong).toBeNull();
});
