import { expect, test } from 'vitest';
import { settings } from '#contract/settings.ts';
import { judge, mergeRules, wrongPattern, type Judged, type Rules } from './rules.ts';

const none = Object.fromEntries(Object.entries(settings.rules).map(([key, { initial }]) => [key, initial])) as Rules;
const one: Judged = { title: 'Great Bread – Part 1', durationSeconds: 600, publishedAt: 1_000_000, isMembersOnly: false };
const why = (rules: Partial<Rules>, of = one, place = 0) =>
  judge({ ...none, ...rules }, 1_000_000 + 10 * 86_400)(of, place)?.rule;

test('without rules everything is wanted', () => expect(why({})).toBeUndefined());

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
])('%j → %s', (rules, rule) => expect(why(rules)).toBe(rule));

test('what is not known is no reason to leave something out', () => {
  const vague = { ...one, durationSeconds: null, publishedAt: null };
  expect(why({ min_seconds: 5, max_seconds: 6, published_after: '2026-01-01', keep_days: 1 }, vague)).toBeUndefined();
});

test('members only, and the newest', () => {
  expect(why({ skip_members_only: true }, { ...one, isMembersOnly: true })).toBe('skip_members_only');
  expect([0, 1, 2].map((place) => why({ keep_newest: 2 }, one, place))).toEqual([undefined, undefined, 'keep_newest']);
});

test('a pattern that brings other engines to a standstill takes no time', () => {
  const before = performance.now();
  expect(why({ title_include: '/^(a+)+$/' }, { ...one, title: `${'a'.repeat(50_000)}!` })).toBe('title_include');
  expect(performance.now() - before).toBeLessThan(20_000);
});

test('a pattern that is none is told, and leaves out nothing of its own accord', () => {
  expect(wrongPattern('/(/')).toMatch(/not understood/);
  expect(wrongPattern('/(?<!a)b/')).toMatch(/not understood/);
  expect(wrongPattern('a, b (c')).toBeNull();
  expect(why({ title_exclude: '/(/' })).toBeUndefined();
});

test("a source's own rule goes before the one for all, also when it says: none", () => {
  expect(mergeRules({ ...none, min_seconds: 60, max_seconds: 90 }, { min_seconds: null })).toMatchObject({
    min_seconds: null,
    max_seconds: 90,
  });
});
