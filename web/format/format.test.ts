import { i18n } from '@lingui/core';
import { beforeEach, expect, test, vi } from 'vitest';
import '#web/language/language.ts';
import { agoText, dayText, isoText } from './dates.ts';
import { decimalText, durationText, lengthText, sizeText, subscribersText, totalText, videosText } from './numbers.ts';

beforeEach(() => i18n.loadAndActivate({ locale: 'en', messages: {} }));

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
  expect(videosText(1)).toBe('1 video');
  expect(videosText(1200)).toBe('1,200 videos');
  expect(subscribersText(1)).toBe('1 subscriber');
  expect(subscribersText(4200)).toBe('4.2K subscribers');
});

test('a date is told from now', () => {
  const now = Date.parse('2026-01-10T12:00:00Z');
  expect(agoText('2026-01-07T12:00:00Z', now)).toBe('3 days ago');
  expect(agoText(now / 1000 - 5, now)).toBe('just now');
  expect(agoText('2024-01-01', now)).toBe('2 years ago');
});

test('a day is that day everywhere, an instant the day that it is where one reads', () => {
  vi.stubEnv('TZ', 'America/New_York');
  expect(dayText('2026-01-10')).toBe('January 10, 2026');
  expect(dayText('2026-01-10T02:00:00Z')).toBe('January 9, 2026');
  vi.unstubAllEnvs();
});

test('machines read an instant however the server tells it', () => {
  expect(isoText(1_767_225_600)).toBe('2026-01-01T00:00:00.000Z');
  expect(isoText('2026-01-01')).toBe('2026-01-01');
});

test('what a list counts is short from a million on', () => {
  expect(totalText(999_999)).toBe('999,999');
  expect(totalText(1_234_567)).toBe('1.2M');
});

test('sizes, dates and lengths follow the language', () => {
  i18n.loadAndActivate({ locale: 'de', messages: {} });
  expect(sizeText(1536)).toBe('1,5 KiB');
  expect(decimalText(2.5, 2)).toBe('2,50');
  expect(agoText('2026-01-07T12:00:00Z', Date.parse('2026-01-10T12:00:00Z'))).toBe('vor 3 Tagen');
});
