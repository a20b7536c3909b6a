import { expect, test } from 'vitest';
import { isTrue, nonBlank, objectOrEmpty, objectOrNull, storableText } from './untrusted.ts';

test.each([
  [' two words\n', ' two words\n'],
  ['longer than the limit', 'longer than '],
  ['a\0b', 'ab'],
  ['12345678901😀', '12345678901�'],
  [12.5, '12.5'],
  [12345678901n, '12345678901'],
  [' \0\n', null],
  ['', null],
  [Number.NaN, null],
  [Number.POSITIVE_INFINITY, null],
  [true, null],
  [['text'], null],
  [{ text: 1 }, null],
  [null, null],
  [undefined, null],
])('the storable text of %o is %o', (value, text) => expect(storableText(value, 12)).toBe(text));

test('blank texts and values of another type are no text', () => {
  expect(['a ', ' ', '', 1, null, ['a']].map(nonBlank)).toEqual(['a ', null, null, null, null, null]);
});

test('lists and null are no objects', () => {
  expect([{ a: 1 }, [], null, 'a'].map(objectOrNull)).toEqual([{ a: 1 }, null, null, null]);
  expect([{ a: 1 }, [], null, 'a'].map(objectOrEmpty)).toEqual([{ a: 1 }, {}, {}, {}]);
});

test('flags of SQLite, PostgreSQL and JSON', () => {
  expect([true, 1, 1n, '1', 'true'].map(isTrue)).toEqual([true, true, true, true, true]);
  expect([false, 0, 2, '', 'false', null, {}].map(isTrue)).toEqual(Array.from({ length: 7 }, () => false));
});
