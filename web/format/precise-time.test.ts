import { expect, test } from 'vitest';
import { parsePreciseTime, preciseTime } from './precise-time.ts';

test.each([
  [0, '0:00'],
  [751.5, '12:31.5'],
  [59.96, '1:00'],
  [3723, '1:02:03'],
])('formats %s s as %s', (seconds, text) => expect(preciseTime(seconds)).toBe(text));

test.each([
  ['12:31.5', 751.5],
  ['12:31,5', 751.5],
  [' 1:02:03 ', 3723],
  ['90', 90],
  ['', null],
  ['1:2:3:4', null],
  ['-1', null],
  ['a', null],
])('parses %j as %s s', (text, seconds) => expect(parsePreciseTime(text)).toBe(seconds));
