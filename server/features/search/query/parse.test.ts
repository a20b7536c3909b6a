import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fastestMs } from '../../../test-support/pace.ts';
import { parseQuery, queryTypes } from './parse.ts';

const emptyQuery = {
  type: 'simple',
  terms: [],
  phrases: [],
  excluded: [],
  channel: [],
  active: null,
  subscribed: null,
  lang: null,
  source: null,
  fuzzy: 'auto',
};

test.each([
  ['rust async', { terms: ['rust', 'async'] }],
  ['  Rust\tASYNC\n', { terms: ['rust', 'async'] }],
  ['video: rust channel:tom scott', { type: 'video', terms: ['rust'], channel: ['tom', 'scott'] }],
  ['channel:music subscribed:yes', { type: 'channel', terms: ['music'], subscribed: true }],
  ['full: never gonna lang:en source:user', { type: 'full', terms: ['never', 'gonna'], lang: 'en', source: 'user' }],
  ['video: active:no', { type: 'video', active: false }],
  ['playlist:', { type: 'playlist' }],
  ['video: channel:tom term: rust', { type: 'video', terms: ['rust'], channel: ['tom'] }],
  ['video: active: maybe yes', { type: 'video', active: true }],
  ['video: fuzzy:1 rust', { type: 'video', fuzzy: 1 }],
  ['rust fuzzy:no', { terms: ['rust'], fuzzy: 0 }],
  ['rust fuzzy:9', { terms: ['rust'], fuzzy: 2 }],
  ['rust fuzzy:lots', { terms: ['rust'], fuzzy: 'auto' }],
  // Keys that a type does not support are text, and so are words with several colons.
  ['rust channel:tom', { terms: ['rust', 'channel:tom'] }],
  ['full: subscribed:yes', { type: 'full', terms: ['subscribed:yes'] }],
  ['at 10:30', { terms: ['at', '10:30'] }],
  ['https://example.org/a:b', { terms: ['https://example.org/a:b'] }],
  ['video:active:no', { type: 'video', terms: ['active:no'] }],
  ['index:x', { terms: ['index:x'] }],
  ['rust video:x', { terms: ['rust', 'video:x'] }],
  [':::', { terms: [':::'] }],
  [' ', {}],
  // Extensions of Reelkeep
  ['"never gonna" give', { terms: ['give'], phrases: ['never gonna'] }],
  ['rust -game -"the game"', { terms: ['rust'], excluded: ['game', 'the game'] }],
  ['full: cat lang:en -dog', { type: 'full', terms: ['cat'], lang: 'en', excluded: ['dog'] }],
  ['video: channel:"tom scott" x', { type: 'video', channel: ['tom scott', 'x'] }],
  ['"open', { terms: ['open'] }],
  ['self-hosted - --', { terms: ['self-hosted'] }],
  ['"" "  "', {}],
])('%s', (text, expected) => expect(parseQuery(text)).toEqual({ ...emptyQuery, ...expected }));

test('parses any text', () => {
  const chunk = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 12 }),
    fc.constantFrom(
      '"',
      '-',
      ':',
      'video:',
      'full:',
      'fuzzy:',
      'lang:',
      'active:yes',
      ' ',
      '\0',
      '-"',
      'AND',
      '*',
      '^',
      ')',
      '__proto__:',
      'constructor:',
    ),
  );
  fc.assert(
    fc.property(fc.array(chunk, { maxLength: 40 }), (pieces) => {
      const query = parseQuery(pieces.join(''));
      expect(queryTypes).toContain(query.type);
      for (const word of [...query.terms, ...query.phrases, ...query.excluded, ...query.channel])
        expect(word.trim()).not.toBe('');
    }),
    { numRuns: 3000 },
  );
});

test.each([
  '"'.repeat(100_000),
  '-'.repeat(100_000),
  ':'.repeat(100_000),
  'a:'.repeat(50_000),
  '- '.repeat(50_000),
  `"${'a '.repeat(50_000)}`,
])('parsing takes linear time', (text) => {
  const time = (long: string) => fastestMs(() => parseQuery(long));
  time(text); // warm-up
  // Input of eight times the length takes eight times as long in linear time, and 64 times with backtracking.
  expect(time(text.repeat(8)) / Math.max(time(text), 1)).toBeLessThan(32);
});
