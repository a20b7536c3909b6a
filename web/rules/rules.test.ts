import { expect, test } from 'vitest';
import { formatRuleValue, parseRuleValue } from './rules.ts';

test('converts durations between minutes and seconds', () => {
  for (const [typed, seconds] of [
    ['2', 120],
    ['1.5', 90],
    ['0,5', 30],
  ] as const) {
    expect(parseRuleValue('min_seconds', typed)).toBe(seconds);
    expect(formatRuleValue('max_seconds', seconds)).toBe(typed.replace(',', '.'));
  }
  expect(formatRuleValue('min_seconds', 100)).toBe('1.67');
});

test('parses blank and invalid values as null and keeps text and dates', () => {
  for (const rule of ['title_include', 'min_seconds', 'published_after', 'keep_newest'] as const)
    expect(parseRuleValue(rule, '  ')).toBeNull();
  for (const invalid of ['0', '-3', 'many']) expect(parseRuleValue('keep_days', invalid)).toBeNull();
  expect(parseRuleValue('keep_newest', '30')).toBe(30);
  expect(parseRuleValue('title_include', ' trains, /night/ ')).toBe('trains, /night/');
  expect(parseRuleValue('published_after', '2026-01-31')).toBe('2026-01-31');
  expect([formatRuleValue('keep_days', null), formatRuleValue('title_exclude', undefined)]).toEqual(['', '']);
});
