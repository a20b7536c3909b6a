import { i18n } from '@lingui/core';
import { beforeEach, expect, test, vi } from 'vitest';
import '#web/i18n/language.ts';
import { agoText, dateTimeText, dayText, isoText, soonText } from './dates.ts';
import { decimalText, durationText, lengthText, sizeText, subscribersText, countText, videosText } from './numbers.ts';

beforeEach(() => i18n.loadAndActivate({ locale: 'en', messages: {} }));

test.each([
  [0, '0:00'],
  [59.6, '1:00'],
  [125, '2:05'],
  [3723, '1:02:03'],
])('formats %s seconds as badge %s', (seconds, text) => expect(durationText(seconds)).toBe(text));

test.each([
  [40, '40 s'],
  [3599, '1 h'],
  [720, '12 min'],
  [7500, '2 h 5 min'],
  [5_000_000, '1,389 h'],
])('formats %s seconds in words as %s', (seconds, text) => expect(lengthText(seconds)).toBe(text));

test('formats sizes in the chosen unit', () => {
  expect(sizeText(1536)).toBe('1.5 KiB');
  expect(sizeText(1_500_000_000, 'metric')).toBe('1.5 GB');
  expect(sizeText(999)).toBe('999 B');
});

test('uses singular and plural', () => {
  expect(videosText(1)).toBe('1 video');
  expect(videosText(1200)).toBe('1,200 videos');
  expect(subscribersText(1)).toBe('1 subscriber');
  expect(subscribersText(4200)).toBe('4,200 subscribers');
});

test('formats dates relative to now', () => {
  const now = Date.parse('2026-01-10T12:00:00Z');
  expect(agoText('2026-01-07T12:00:00Z', now)).toBe('3 days ago');
  expect(agoText(now / 1000 - 5, now)).toBe('just now');
  expect(agoText('2024-01-01', now)).toBe('2 years ago');
});

test('keeps dates in every time zone and converts instants to local time', () => {
  vi.stubEnv('TZ', 'America/New_York');
  expect(dayText('2026-01-10')).toBe('January 10, 2026');
  expect(dayText('2026-01-10T02:00:00Z')).toBe('January 9, 2026');
  vi.unstubAllEnvs();
});

test('leaves out the date of a time today', () => {
  const at = (text: string) => Date.parse(text) / 1000;
  const now = at('2026-01-10T09:00') * 1000;
  expect(soonText(at('2026-01-10T09:54'), now)).toBe('9:54 AM');
  expect(soonText(at('2026-01-11T09:54'), now)).toBe(dateTimeText('2026-01-11T09:54'));
});

test('serializes times as ISO 8601', () => {
  expect(isoText(1_767_225_600)).toBe('2026-01-01T00:00:00.000Z');
  expect(isoText('2026-01-01')).toBe('2026-01-01');
});

test('shortens counts from one million', () => {
  expect(countText(999_999)).toBe('999,999');
  expect(countText(1_234_567)).toBe('1.2M');
});

test('formats sizes and dates in the active language', () => {
  i18n.loadAndActivate({ locale: 'de', messages: {} });
  expect(sizeText(1536)).toBe('1,5 KiB');
  expect(decimalText(2.5, 2)).toBe('2,50');
  expect(agoText('2026-01-07T12:00:00Z', Date.parse('2026-01-10T12:00:00Z'))).toBe('vor 3 Tagen');
});
