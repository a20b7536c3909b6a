import { expect, test } from 'vitest';
import { settings } from '#contract/settings.ts';
import { applyRules, mergeRules, invalidPatternIn, type RuleSubject, type Rules } from './filter-rules.ts';

const noRules = Object.fromEntries(Object.entries(settings.rules).map(([key, { initial }]) => [key, initial])) as Rules;
const subject: RuleSubject = {
  title: 'Great Bread – Part 1',
  durationSeconds: 600,
  publishedAt: 1_000_000,
  isMembersOnly: false,
};
const exclusionOf = (rules: Partial<Rules>, ruleSubject = subject, index = 0) =>
  applyRules({ ...noRules, ...rules }, 1_000_000 + 10 * 86_400)(ruleSubject, index)?.rule;

test('accepts everything without rules', () => expect(exclusionOf({})).toBeUndefined());

test.each<[Partial<Rules>, string | undefined]>([
  [{ title_include: 'tutorial' }, 'title_include'],
  [{ title_include: 'tutorial, BREAD' }, undefined],
  [{ title_include: 'bread – part' }, undefined],
  [{ title_exclude: 'part 1' }, 'title_exclude'],
  [{ title_include: '/^great \\w+/' }, undefined],
  [{ title_include: '/^great \\w+/c' }, 'title_include'],
  [{ title_exclude: '/part [0-9]+$/' }, 'title_exclude'],
  [{ min_seconds: 601 }, 'min_seconds'],
  [{ max_seconds: 599 }, 'max_seconds'],
  [{ min_seconds: 600, max_seconds: 600 }, undefined],
  [{ published_after: '1970-01-13' }, 'published_after'],
  [{ published_after: '1970-01-12' }, undefined],
  [{ keep_days: 9 }, 'keep_days'],
  [{ keep_days: 11 }, undefined],
])('%j → %s', (rules, rule) => expect(exclusionOf(rules)).toBe(rule));

test('does not exclude videos with unknown values', () => {
  const incomplete = { ...subject, durationSeconds: null, publishedAt: null };
  expect(
    exclusionOf({ min_seconds: 5, max_seconds: 6, published_after: '2026-01-01', keep_days: 1 }, incomplete),
  ).toBeUndefined();
});

test('excludes members-only videos and all but the newest', () => {
  expect(exclusionOf({ skip_members_only: true }, { ...subject, isMembersOnly: true })).toBe('skip_members_only');
  expect([0, 1, 2].map((index) => exclusionOf({ keep_newest: 2 }, subject, index))).toEqual([
    undefined,
    undefined,
    'keep_newest',
  ]);
});

test('matches a pattern with catastrophic backtracking in linear time', () => {
  const startedAt = performance.now();
  expect(exclusionOf({ title_include: '/^(a+)+$/' }, { ...subject, title: `${'a'.repeat(50_000)}!` })).toBe('title_include');
  expect(performance.now() - startedAt).toBeLessThan(20_000);
});

test('reports an invalid pattern and excludes nothing because of it', () => {
  expect(invalidPatternIn('/(/')).toMatchObject({ id: 'error.expression' });
  expect(invalidPatternIn('/(?<!a)b/')).toMatchObject({ id: 'error.expression' });
  expect(invalidPatternIn('a, b (c')).toBeNull();
  expect(exclusionOf({ title_exclude: '/(/' })).toBeUndefined();
});

test('rules of a source override the global rules, also with null', () => {
  expect(mergeRules({ ...noRules, min_seconds: 60, max_seconds: 90 }, { min_seconds: null })).toMatchObject({
    min_seconds: null,
    max_seconds: 90,
  });
});
