import { expect, test } from 'vitest';
import { nextRate } from './keys.ts';
import { readRemembered } from './remembered.ts';
import { chaptersVtt } from './chapters.ts';
import { secondsOf } from './time-stamp.ts';

test('speeds go from step to step, and stop at the ends', () => {
  expect(nextRate(1, 1)).toBe(1.25);
  expect(nextRate(1, -1)).toBe(0.75);
  expect(nextRate(3, 1)).toBe(3);
  expect(nextRate(0.25, -1)).toBe(0.25);
});

test.each(['', 'null', '[]', '{"volume":7,"rate":99,"isMuted":"yes"}', 'not json'])('strange memories (%s) are none', (text) =>
  expect(readRemembered(text)).toEqual({ volume: 1, isMuted: false, rate: 1 }),
);

test('chapters are written so that no title can end one', () => {
  const vtt = chaptersVtt([{ title: 'A\n\n00:00:00.000 --> 00:00:09.000\n<b>', start: 0, end: 61.5 }]);
  expect(vtt).toBe('WEBVTT\n\n00:00:00.000 --> 00:01:01.500\nA 00:00:00.000 --&gt; 00:00:09.000 &lt;b&gt;\n');
});

test.each([
  ['90', 90],
  ['1:30', 90],
  ['1:01:05', 3665],
  ['1h2m3s', 3723],
  ['45s', 45],
  ['', null],
  ['soon', null],
  ['-4', null],
])('the time %j in an address means %s s', (text, seconds) => expect(secondsOf(text)).toBe(seconds));
