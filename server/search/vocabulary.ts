import { sql } from 'kysely';
import { stemmer } from 'stemmer';
import { chunks, type Db, type Tx } from '../db/db.ts';
import { distance } from './distance.ts';
import { rowsGiven } from './given.ts';
import { isSpelled } from './words.ts';

// The words that occur. A word with typos shares a part with the one that is meant, at nearly the same place (the method of
// "Pass-Join", Li et al. 2011): words are kept in three parts, each with an index, and only those that share one are compared.

export type Space = 'n' | 'l';

const leastLetters = 3;
const mostLetters = 24;
// Of each list of words that share a part, the most frequent.
const mostAlike = 40;

const partsOf = (letters: number): [start: number, end: number][] => {
  const [one, two] = [Math.floor(letters / 3), Math.floor((2 * letters) / 3)];
  return [
    [0, one],
    [one, two],
    [two, letters],
  ];
};
const partNames = ['first', 'second', 'third'] as const;

function rowOf(word: string, documents: number) {
  const letters = word.length;
  const isCut = letters >= leastLetters && letters <= mostLetters && isSpelled(word);
  const [first = null, second = null, third = null] = isCut ? partsOf(letters).map(([from, to]) => word.slice(from, to)) : [];
  return [word, documents, letters, first, second, third] as const;
}

// Exact up to here. A word that is more frequent is counted in steps of an eighth of what it has, as often as chance wants:
// the numbers come out right, and hardly any of the many words of a transaction is written (Morris, "Counting large numbers of
// events in small registers", 1978).
const exactUpTo = 16;

function counted(word: string, before: number, more: number): number {
  // Pairs of signs are many, and only their frequency is of use: of the rare ones most are never written down.
  const least = isSpelled(word) ? 1 : 8;
  const step = before < exactUpTo ? least : Math.floor(before / 8);
  if (more >= step) return before + more;
  return Math.random() < more / step ? before + step : before;
}

const weightOf = (documents: number) => Math.min(4, Math.floor(Math.log10(Math.max(1, documents))));

/** Adds to the number of documents in which each word occurs. */
export async function countWords(tx: Tx, space: Space, counts: ReadonlyMap<string, number>): Promise<void> {
  const before = await frequencies(tx, space, [...counts.keys()]);
  const changed = [...counts]
    .map(([word, more]) => ({ word, was: before.get(word) ?? 0, is: counted(word, before.get(word) ?? 0, more) }))
    .filter(({ was, is }) => is > was)
    .sort((a, b) => (a.word < b.word ? -1 : 1)); // in the order of the key: neighbours are written together
  for (const part of chunks(changed, 1000))
    await sql`insert into search_word (space, word, documents, letters, first, second, third)
      select ${space}, value ->> 0, cast(value ->> 1 as integer), cast(value ->> 2 as integer),
        value ->> 3, value ->> 4, value ->> 5
      from ${rowsGiven(
        tx,
        part.map(({ word, is }) => rowOf(word, is)),
      )} where true
      on conflict (space, word) do update set documents = excluded.documents`.execute(tx);
  // Apart from the above: the indexes are touched only when a word has become ten times as frequent.
  const heavier = changed.filter(({ was, is }) => weightOf(is) > weightOf(was));
  for (const [weight, some] of Map.groupBy(heavier, ({ is }) => weightOf(is)))
    for (const part of chunks(some.map(({ word }) => word)))
      await tx.updateTable('searchWord').set({ weight }).where('space', '=', space).where('word', 'in', part).execute();
}

/** In how many documents each of these words occurs, about; words that occur nowhere are left out. */
export async function frequencies(db: Db, space: Space, words: readonly string[]): Promise<Map<string, number>> {
  const found = new Map<string, number>();
  for (const part of chunks([...new Set(words)], 2000)) {
    const given = rowsGiven(
      db,
      part.map((word) => [word]),
    );
    const rows = await db
      .selectFrom('searchWord')
      .select(['word', 'documents'])
      .where('space', '=', space)
      .where('word', 'in', sql<string>`(select value ->> 0 from ${given})`)
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
  const parts = [...lookups(word, edits)].map(
    ({ letters, name, part }) => sql`select word, documents from (select word, documents from search_word
      where space = ${space} and letters = ${letters} and ${sql.ref(name)} = ${part} order by weight desc limit ${sql.lit(mostAlike)}) as part`,
  );
  if (parts.length === 0) return [];
  const { rows } = await sql<{ word: string; documents: number }>`${sql.join(parts, sql` union all `)}`.execute(db);
  const known = new Map(rows.map((row) => [row.word, row.documents]));
  known.delete(word);
  return [...known]
    .map(([other, documents]) => ({ word: other, documents, edits: distance(word, other, edits) }))
    .filter((other) => other.edits <= edits)
    .sort((a, b) => a.edits - b.edits || b.documents - a.documents || (a.word < b.word ? -1 : 1))
    .slice(0, most);
}

// So many words that begin alike are looked at; the longest families of a large library have some hundred.
const mostOfBeginning = 2000;

/**
 * How words with this stem begin. Of a word only its end is cut off; but a y becomes an i, and an e that the end had taken the
 * place of comes back: the stem of "baking" is "bake".
 */
function beginningsOf(stem: string): string[] {
  const cut = stem.slice(0, -1);
  if (stem.endsWith('i')) return cut.length < leastLetters ? [] : [cut];
  if (stem.length < leastLetters) return [];
  return stem.endsWith('e') ? [stem, `${cut}ing`] : [stem];
}

/** Words that occur and are another form of this English one (bake, baked, baking); the most frequent first. */
export async function formsOf(db: Db, space: Space, word: string, most: number): Promise<{ word: string; documents: number }[]> {
  if (!/^[a-z]{3,24}$/.test(word)) return [];
  const stem = stemmer(word);
  const beginnings = beginningsOf(stem);
  if (beginnings.length === 0) return [];
  const rows = await db
    .selectFrom('searchWord')
    .select(['word', 'documents'])
    .where('space', '=', space)
    .where((w) => w.or(beginnings.map((one) => w.and([w('word', '>=', one), w('word', '<', `${one}{`)])))) // what comes after z
    .orderBy('word')
    .limit(mostOfBeginning)
    .execute();
  return rows
    .filter((row) => row.word !== word && /^[a-z]+$/.test(row.word) && stemmer(row.word) === stem)
    .sort((a, b) => b.documents - a.documents || (a.word < b.word ? -1 : 1))
    .slice(0, most);
}
