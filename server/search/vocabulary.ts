import { chunks, type Db, type Tx } from '../db/db.ts';
import { distance } from './distance.ts';
import { isSpelled } from './words.ts';

// The words that occur. A word with typos shares a part with the one that is meant, at nearly the same place (the method of
// "Pass-Join", Li et al. 2011): words are kept in three parts, each with an index, and only those that share one are compared.

export type Space = 'n' | 'l';

const leastLetters = 3;
const mostLetters = 24;
// Of each list of words that share a part, the most frequent.
const mostAlike = 60;

const partsOf = (letters: number): [start: number, end: number][] => {
  const [one, two] = [Math.floor(letters / 3), Math.floor((2 * letters) / 3)];
  return [
    [0, one],
    [one, two],
    [two, letters],
  ];
};
const partNames = ['first', 'second', 'third'] as const;

function rowOf(space: Space, word: string, documents: number) {
  const letters = word.length;
  const isCut = letters >= leastLetters && letters <= mostLetters && isSpelled(word);
  const [first = null, second = null, third = null] = isCut ? partsOf(letters).map(([from, to]) => word.slice(from, to)) : [];
  return { space, word, documents, letters, first, second, third };
}

/** Adds to the number of documents in which each word occurs. */
export async function countWords(tx: Tx, space: Space, counts: Map<string, number>): Promise<void> {
  const rows = [...counts].map(([word, documents]) => rowOf(space, word, documents)).sort((a, b) => (a.word < b.word ? -1 : 1));
  for (const part of chunks(rows, 200)) {
    await tx
      .insertInto('searchWord')
      .values(part)
      .onConflict((c) =>
        c.columns(['space', 'word']).doUpdateSet((e) => ({
          documents: e('searchWord.documents', '+', e.ref('excluded.documents')),
        })),
      )
      .execute();
  }
  // Apart from the above: the indexes are touched only when a word has become ten times as frequent.
  for (const [weight, least] of [10, 100, 1000, 10_000].entries())
    for (const part of chunks(rows.map(({ word }) => word)))
      await tx
        .updateTable('searchWord')
        .set({ weight: weight + 1 })
        .where('space', '=', space)
        .where('word', 'in', part)
        .where('documents', '>=', least)
        .where('weight', '<', weight + 1)
        .execute();
}

/** In how many documents each of these words occurs, about; words that occur nowhere are left out. */
export async function frequencies(db: Db, space: Space, words: readonly string[]): Promise<Map<string, number>> {
  const found = new Map<string, number>();
  for (const part of chunks([...new Set(words)])) {
    const rows = await db
      .selectFrom('searchWord')
      .select(['word', 'documents'])
      .where('space', '=', space)
      .where('word', 'in', part)
      .execute();
    for (const { word, documents } of rows) found.set(word, documents);
  }
  return found;
}

/** Which part of words of a length is looked for under which text: where the parts of a word with typos can stand in it. */
function* lookups(word: string, edits: 1 | 2) {
  for (let letters = word.length - edits; letters <= word.length + edits; letters++) {
    if (letters < leastLetters) continue;
    const longer = word.length - letters;
    for (const [place, [start, end]] of partsOf(letters).entries()) {
      // One edit cannot be in the first and in the third part at once.
      if (edits === 1 && place === 1) continue;
      const before = edits === 1 ? (place === 0 ? 0 : 1) : place;
      const after = edits - before;
      const [from, to] = [Math.max(-before, longer - after), Math.min(before, longer + after)];
      for (let shift = from; shift <= to; shift++) {
        const part = word.slice(Math.max(0, start + shift), Math.max(0, end + shift));
        if (part.length === end - start) yield { letters, name: partNames[place]!, part };
      }
    }
  }
}

export interface Alike {
  word: string;
  edits: number;
  documents: number;
}

/** Words that occur and differ from this one by at most so many edits, the nearest and most frequent first. */
export async function wordsLike(
  db: Db,
  space: Space,
  word: string,
  { edits, most }: { edits: 1 | 2; most: number },
): Promise<Alike[]> {
  if (word.length < leastLetters || word.length > mostLetters || !isSpelled(word)) return [];
  const [first, ...others] = [...lookups(word, edits)].map(({ letters, name, part }) =>
    db
      .selectFrom(
        db
          .selectFrom('searchWord')
          .select(['word', 'documents'])
          .where('space', '=', space)
          .where('letters', '=', letters)
          .where(name, '=', part)
          .orderBy('weight', 'desc')
          .limit(mostAlike)
          .as('some'),
      )
      .selectAll(),
  );
  if (!first) return [];
  const rows = await others.reduce((all, next) => all.unionAll(next), first).execute();
  const known = new Map(rows.map((row) => [row.word, row.documents]));
  known.delete(word);
  return [...known]
    .map(([other, documents]) => ({ word: other, documents, edits: distance(word, other, edits) }))
    .filter((other) => other.edits <= edits)
    .sort((a, b) => a.edits - b.edits || b.documents - a.documents || (a.word < b.word ? -1 : 1))
    .slice(0, most);
}
