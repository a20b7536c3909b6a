import { expect, test } from 'vitest';
import { rangeToClip } from './range-to-clip.ts';

const notes = [
  { kind: 'bookmark' as const, start: 10, end: 20 },
  { kind: 'bookmark' as const, start: 15, end: null },
  { kind: 'note' as const, start: 30, end: 40 },
];

test.each([
  ['the bookmark that is played', 15, { start: 10, end: 20 }],
  ['half a minute', 35, { start: 35, end: 65 }],
  ['the rest of the video', 80, { start: 80, end: 90 }],
  ['the last second at the end', 90, { start: 89, end: 90 }],
])('is %s', (_, now, range) => expect(rangeToClip(now, notes, 90)).toEqual(range));
