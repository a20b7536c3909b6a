import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inTransaction, type Db } from '../db/db.ts';
import { migrate } from '../db/migrate.ts';
import { engines } from '../testing.ts';
import { distance } from './distance.ts';
import { countWords, frequencies, wordsLike } from './vocabulary.ts';

test.each([
  ['', '', 0],
  ['abc', 'abc', 0],
  ['abc', 'acb', 1],
  ['abc', 'ab', 1],
  ['abc', 'abxc', 1],
  ['abc', 'bca', 2],
  ['kitten', 'sitting', 3],
])('from %s to %s it is %d', (one, two, edits) => {
  expect(distance(one, two, 5)).toBe(edits);
  expect(distance(two, one, 5)).toBe(edits);
  expect(distance(one, two, 1)).toBe(Math.min(edits, 2));
});

// Few letters, so that many words are near each other.
const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'й', 'ö'), minLength: 3, maxLength: 12 });

describe.each(engines)('the words that occur, on $engine', ({ open }) => {
  let db: Db;
  let close: () => Promise<void>;
  beforeAll(async () => {
    ({ db, close } = await open());
    await migrate(db);
  });
  afterAll(() => close());

  test('all words within the edits are found, whatever was changed, left out or put in', async () => {
    const words = fc.sample(word, { numRuns: 150, seed: 7 });
    await inTransaction(db, (tx) => countWords(tx, 'n', new Map(words.map((one) => [one, 1]))));
    await fc.assert(
      fc.asyncProperty(word, fc.constantFrom(1 as const, 2 as const), async (sought, edits) => {
        // Of words that share a part only the most frequent are looked at; here all are as frequent, and few.
        const found = new Set((await wordsLike(db, 'n', sought, { edits, most: 1000 })).map((one) => one.word));
        const near = [...new Set(words)].filter(
          (one) => one !== sought && one.length >= 3 && distance(sought, one, edits) <= edits,
        );
        // Two letters swapped across two parts count as one edit and spoil both parts: those may be missed.
        const missed = near.filter((one) => !found.has(one));
        expect(missed.length).toBeLessThanOrEqual(Math.ceil(near.length / 5));
        for (const one of found) expect(distance(sought, one, edits)).toBeLessThanOrEqual(edits);
      }),
      { numRuns: 60 },
    );
  });

  test('words are counted on, and the more frequent ones come first', async () => {
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
    const like = await wordsLike(db, 'l', 'mountian', { edits: 2, most: 10 });
    expect(like.map((one) => [one.word, one.edits])).toEqual([
      ['mountain', 1],
      ['fountain', 2],
      ['mountains', 2],
    ]);
    expect(await wordsLike(db, 'l', '東京', { edits: 1, most: 10 })).toEqual([]);
    expect(await wordsLike(db, 'n', 'mountian', { edits: 2, most: 10 })).toEqual([]);
  });
});
