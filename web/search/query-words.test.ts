import { expect, test } from 'vitest';
import { keysToAdd, queryOf, withKey, withoutKey, withType, wordsOf } from './query-words.ts';

test.each([
  ['night trains', { type: 'simple', terms: 'night trains', keys: [] }],
  ['video:night trains', { type: 'video', terms: 'night trains', keys: [] }],
  ['FULL: sleeper -"dining car" lang:en', { type: 'full', terms: 'sleeper -"dining car"', keys: ['lang:en'] }],
  ['video:sea channel:night trains active:yes', { type: 'video', terms: 'sea', keys: ['channel:night trains', 'active:yes'] }],
  ['at 23:40 sharp', { type: 'simple', terms: 'at 23:40 sharp', keys: [] }],
  ['channel:trains lang:en', { type: 'channel', terms: 'trains lang:en', keys: [] }],
])('%s is taken apart', (query, words) => {
  expect(wordsOf(query)).toEqual(words);
  expect(wordsOf(queryOf(wordsOf(query)))).toEqual(words);
});

test('another index keeps the words and the keys it knows', () => {
  expect(withType('video:sea active:yes channel:trains', 'channel')).toBe('channel:sea active:yes');
  expect(withType('video:sea active:yes', 'simple')).toBe('sea');
  expect(withType('sea', 'full')).toBe('full:sea');
});

test('a key is added behind the words, and taken away with what belongs to it', () => {
  expect(withKey('full:sea', 'lang:en')).toBe('full:sea lang:en');
  expect(withoutKey('video:sea channel:night trains active:yes', 'channel:night trains')).toBe('video:sea active:yes');
});

test('what could be added is what the index knows and is not there yet', () => {
  expect(keysToAdd('sea')).toEqual([]);
  expect(keysToAdd('channel:sea active:yes')).toEqual(['subscribed:yes', 'subscribed:no']);
  expect(keysToAdd('full:sea lang:en')).toEqual(['source:user', 'source:auto', 'channel:']);
});
