import { expect, test } from 'vitest';
import { parseTimestamp } from './time-stamp.ts';

test.each([
  ['90', 90],
  ['1:30', 90],
  ['1:01:05', 3665],
  ['1h2m3s', 3723],
  ['45s', 45],
  ['', null],
  ['soon', null],
  ['-4', null],
])('parses the time %j as %s s', (text, seconds) => expect(parseTimestamp(text)).toBe(seconds));
