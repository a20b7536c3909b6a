import { expect, test } from 'vitest';
import { typedOf, valueOf } from './rules.ts';

test('lengths are typed in minutes and kept in seconds, and come back as they were typed', () => {
  for (const [typed, kept] of [
    ['2', 120],
    ['1.5', 90],
    ['0,5', 30],
  ] as const) {
    expect(valueOf('min_seconds', typed)).toBe(kept);
    expect(typedOf('max_seconds', kept)).toBe(typed.replace(',', '.'));
  }
  expect(typedOf('min_seconds', 100)).toBe('1.67');
});

test('nothing that is typed is no rule; days and words stay what they are', () => {
  for (const rule of ['title_include', 'min_seconds', 'published_after', 'keep_newest'] as const)
    expect(valueOf(rule, '  ')).toBeNull();
  for (const strange of ['0', '-3', 'many']) expect(valueOf('keep_days', strange)).toBeNull();
  expect(valueOf('keep_newest', '30')).toBe(30);
  expect(valueOf('title_include', ' trains, /night/ ')).toBe('trains, /night/');
  expect(valueOf('published_after', '2026-01-31')).toBe('2026-01-31');
  expect([typedOf('keep_days', null), typedOf('title_exclude', undefined)]).toEqual(['', '']);
});
