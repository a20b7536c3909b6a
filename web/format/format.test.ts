import { expect, test } from 'vitest';
import { agoText } from './dates.ts';
import { countOf, durationText, lengthText, sizeText } from './numbers.ts';

test.each([
  [0, '0:00'],
  [59.6, '1:00'],
  [125, '2:05'],
  [3723, '1:02:03'],
])('%s seconds on a badge are %s', (seconds, text) => expect(durationText(seconds)).toBe(text));

test.each([
  [40, '40 s'],
  [3599, '1 h'],
  [720, '12 min'],
  [7500, '2 h 5 min'],
])('%s seconds in words are %s', (seconds, text) => expect(lengthText(seconds)).toBe(text));

test('sizes speak the unit the person chose', () => {
  expect(sizeText(1536)).toBe('1.5 KiB');
  expect(sizeText(1_500_000_000, 'metric')).toBe('1.5 GB');
  expect(sizeText(999)).toBe('999 B');
});

test('one is not many', () => {
  expect(countOf(1, 'video')).toBe('1 video');
  expect(countOf(1200, 'video')).toBe('1,200 videos');
});

test('a date is told from now', () => {
  const now = Date.parse('2026-01-10T12:00:00Z');
  expect(agoText('2026-01-07T12:00:00Z', now)).toBe('3 days ago');
  expect(agoText(now / 1000 - 5, now)).toBe('just now');
  expect(agoText('2024-01-01', now)).toBe('2 years ago');
});
