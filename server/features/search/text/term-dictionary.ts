import { sql } from 'kysely';
import { stemmer } from 'stemmer';
import { chunks, type Db, type Tx } from '../../../platform/db/db.ts';
import { editDistance } from '../../../platform/lib/edit-distance.ts';
import { jsonRows } from '../../../platform/db/rows-as-json.ts';
import { isSpelledOut } from './tokenizer.ts';

// All indexed words, for typo-tolerant search with the "Pass-Join" method (Li et al. 2011): each word is stored in three indexed
// parts. A word with typos shares one part with the intended word at nearly the same position; only such words are compared.

/** Names, lines of transcripts, moments, and the notes of one account, whose words are not suggested to others. */
export type TermSpace = 'n' | 'l' | 'm' | `a${number}`;
export const noteSpace = (accountId: number): TermSpace => `a${accountId}`;

const leastLetters = 3;
const maxLetters = 24;
// Of the words that share a part, the most frequent are used.
const maxAlike = 40;

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
  const isCut = letters >= leastLetters && letters <= maxLetters && isSpelledOut(word);
  const [first = null, second = null, third = null] = isCut ? partsOf(letters).map(([from, to]) => word.slice(from, to)) : [];
  return [word, documents, letters, first, second, third] as const;
}

// Exact up to this count. Higher counts grow in steps of an eighth with matching probability, so they are right on average and
// few of a transaction's words are written (Morris, "Counting large numbers of events in small registers", 1978).
const exactUpTo = 16;

function counted(word: string, before: number, more: number): number {
  // There are many character pairs, and only their frequency is used, so most rare ones are never stored.
  const least = isSpelledOut(word) ? 1 : 8;
  const step = before < exactUpTo ? least : Math.floor(before / 8);
  if (more >= step) return before + more;
  return Math.random() < more / step ? before + step : before;
}

const weightOf = (documents: number) => Math.min(4, Math.floor(Math.log10(Math.max(1, documents))));

/** Adds to the number of documents that contain each word. */
export async function countWords(tx: Tx, space: TermSpace, counts: ReadonlyMap<string, number>): Promise<void> {
  const before = await frequencies(tx, space, [...counts.keys()]);
  const changed = [...counts]
    .map(([word, more]) => ({ word, was: before.get(word) ?? 0, is: counted(word, before.get(word) ?? 0, more) }))
    .filter(({ was, is }) => is > was)
    .sort((a, b) => (a.word < b.word ? -1 : 1)); // in key order, so that neighboring rows are written together
  for (const part of chunks(changed, 1000))
    await sql`insert into search_word (space, word, documents, letters, first, second, third)
      select ${space}, value ->> 0, cast(value ->> 1 as integer), cast(value ->> 2 as integer),
        value ->> 3, value ->> 4, value ->> 5
      from ${jsonRows(
        tx,
        part.map(({ word, is }) => rowOf(word, is)),
      )} where true
      on conflict (space, word) do update set documents = excluded.documents`.execute(tx);
  // A separate update, so that the indexes change only when a word has become ten times as frequent.
  const heavier = changed.filter(({ was, is }) => weightOf(is) > weightOf(was));
  for (const [weight, some] of Map.groupBy(heavier, ({ is }) => weightOf(is)))
    for (const part of chunks(some.map(({ word }) => word)))
      await tx.updateTable('searchWord').set({ weight }).where('space', '=', space).where('word', 'in', part).execute();
}

/** Returns the approximate number of documents for each word; unknown words are omitted. */
export async function frequencies(db: Db, space: TermSpace, words: readonly string[]): Promise<Map<string, number>> {
  const found = new Map<string, number>();
  for (const part of chunks([...new Set(words)], 2000)) {
    const given = jsonRows(
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

/** Returns whether an indexed word begins with these letters. */
export async function isBeginning(db: Db, space: TermSpace, letters: string): Promise<boolean> {
  const row = await db
    .selectFrom('searchWord')
    .select('word')
    .where('space', '=', space)
    .where('word', '>=', letters)
    .orderBy('word')
    .limit(1)
    .executeTakeFirst();
  return row?.word.startsWith(letters) === true;
}

/** Yields the word length, part and text to look up: every place at which an unchanged part can stand in a word with typos. */
function* lookups(word: string, edits: 1 | 2) {
  for (let letters = word.length - edits; letters <= word.length + edits; letters++) {
    if (letters < leastLetters) continue;
    const longer = word.length - letters;
    for (const [place, [start, end]] of partsOf(letters).entries()) {
      // A single edit cannot affect both the first and the third part.
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

export interface SimilarTerm {
  word: string;
  edits: number;
  documents: number;
}

/** Finds indexed words within this edit distance, nearest and most frequent first. */
export async function similarTerms(
  db: Db,
  space: TermSpace,
  word: string,
  { edits, most }: { edits: 1 | 2; most: number },
): Promise<SimilarTerm[]> {
  if (word.length < leastLetters || word.length > maxLetters || !isSpelledOut(word)) return [];
  const parts = [...lookups(word, edits)].map(
    ({ letters, name, part }) => sql`select word, documents from (select word, documents from search_word
      where space = ${space} and letters = ${letters} and ${sql.ref(name)} = ${part} order by weight desc limit ${sql.lit(maxAlike)}) as part`,
  );
  if (parts.length === 0) return [];
  const { rows } = await sql<{ word: string; documents: number }>`${sql.join(parts, sql` union all `)}`.execute(db);
  const known = new Map(rows.map((row) => [row.word, row.documents]));
  known.delete(word);
  return [...known]
    .map(([other, documents]) => ({ word: other, documents, edits: editDistance(word, other, edits) }))
    .filter((other) => other.edits <= edits)
    .sort((a, b) => a.edits - b.edits || b.documents - a.documents || (a.word < b.word ? -1 : 1))
    .slice(0, most);
}

// Maximum of words with a common prefix that are examined; the largest families of a large library have some hundred.
const maxOfBeginning = 2000;

/**
 * Returns the prefixes of words with this stem. Stemming only cuts off endings, except that y becomes i, and a removed e is
 * restored: the stem of "baking" is "bake".
 */
function beginningsOf(stem: string): string[] {
  const cut = stem.slice(0, -1);
  if (stem.endsWith('i')) return cut.length < leastLetters ? [] : [cut];
  if (stem.length < leastLetters) return [];
  return stem.endsWith('e') ? [stem, `${cut}ing`] : [stem];
}

/** Finds indexed forms of an English word (bake, baked, baking), most frequent first. */
export async function wordFormsOf(
  db: Db,
  space: TermSpace,
  word: string,
  most: number,
): Promise<{ word: string; documents: number }[]> {
  if (!/^[a-z]{3,24}$/.test(word)) return [];
  const stem = stemmer(word);
  const beginnings = beginningsOf(stem);
  if (beginnings.length === 0) return [];
  const rows = await db
    .selectFrom('searchWord')
    .select(['word', 'documents'])
    .where('space', '=', space)
    .where((w) => w.or(beginnings.map((one) => w.and([w('word', '>=', one), w('word', '<', `${one}{`)])))) // `{` follows z
    .orderBy('word')
    .limit(maxOfBeginning)
    .execute();
  return rows
    .filter((row) => row.word !== word && /^[a-z]+$/.test(row.word) && stemmer(row.word) === stem)
    .sort((a, b) => b.documents - a.documents || (a.word < b.word ? -1 : 1))
    .slice(0, most);
}
