import { expect, test } from 'vitest';
import {
  availableKeys,
  completions,
  correctedQuery,
  formatQuery,
  withKey,
  withoutKey,
  withType,
  parseQuery,
} from './query-words.ts';

test.each([
  ['night trains', { type: 'simple', terms: 'night trains', keys: [] }],
  ['video:night trains', { type: 'video', terms: 'night trains', keys: [] }],
  ['FULL: sleeper -"dining car" lang:en', { type: 'full', terms: 'sleeper -"dining car"', keys: ['lang:en'] }],
  ['video:sea channel:night trains active:yes', { type: 'video', terms: 'sea', keys: ['channel:night trains', 'active:yes'] }],
  [
    'rye is:watched tag:"two words" -tea BY:ann bread',
    { type: 'simple', terms: 'rye -tea bread', keys: ['is:watched', 'tag:"two words"', 'BY:ann'] },
  ],
  ['is:odd in:nowhere after:soon a:b', { type: 'simple', terms: 'is:odd in:nowhere after:soon a:b', keys: [] }],
  ['at 23:40 sharp', { type: 'simple', terms: 'at 23:40 sharp', keys: [] }],
  ['channel:trains lang:en', { type: 'channel', terms: 'trains lang:en', keys: [] }],
])('parses the query %s', (query, parsed) => {
  expect(parseQuery(query)).toEqual(parsed);
  expect(parseQuery(formatQuery(parseQuery(query)))).toEqual(parsed);
});

test('switches the index and drops unsupported keywords', () => {
  expect(withType('video:sea active:yes channel:trains', 'channel')).toBe('channel:sea active:yes');
  expect(withType('video:sea active:yes', 'simple')).toBe('sea');
  expect(withType('sea', 'full')).toBe('full:sea');
  expect(withType('video:sea channel:night trains', 'simple')).toBe('sea channel:"night trains"');
  expect(withType('sea channel:"night trains" by:ann', 'video')).toBe('video:sea channel:night trains');
});

test('shows corrected words, and the query that searches for them as typed', () => {
  const corrections = [{ word: 'viaduckt', instead: 'viaduct' }];
  expect(correctedQuery('Viaduckt bridge', corrections)).toEqual({ terms: 'viaduct bridge', literal: '"Viaduckt" bridge' });
  expect(correctedQuery('full:viaduckt lang:en', corrections)).toEqual({ terms: 'viaduct', literal: 'full:"viaduckt" lang:en' });
  expect(correctedQuery('bridge', corrections)).toBeNull();
});

test('adds and removes a keyword with its words', () => {
  expect(withKey('full:sea', 'lang:en')).toBe('full:sea lang:en');
  expect(withoutKey('video:sea channel:night trains active:yes', 'channel:night trains')).toBe('video:sea active:yes');
});

test('lists the keywords that can still be added', () => {
  expect(availableKeys('sea after:2025 tag:sun')).toEqual(['in:', 'tag:', 'by:', 'channel:', 'lang:', 'before:', 'is:']);
  expect(availableKeys('channel:sea active:yes')).toEqual(['subscribed:yes', 'subscribed:no']);
  expect(availableKeys('full:sea lang:en')).toEqual(['source:user', 'source:auto', 'channel:']);
});

test('completes an unfinished keyword', () => {
  expect(completions('sea is:')).toEqual(['is:watched', 'is:unwatched', 'is:generated']);
  expect([completions('sea tag:'), completions('sea is:watched'), completions('full:sea lang:')]).toEqual([[], [], []]);
  expect(withKey('is: sea', 'is:watched')).toBe('sea is:watched');
});
