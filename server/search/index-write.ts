import { sql } from 'kysely';
import { chunks, type Tx } from '../db/db.ts';
import type { Field } from './expression.ts';
import { rowsGiven } from './given.ts';

/** What is written to an index: words, field by field. */
export interface Document {
  number: number;
  fields: Partial<Record<Field, readonly string[]>>;
}

// PostgreSQL counts places up to 16,383; what is beyond is seldom what somebody remembers.
const mostWords = 3_000;

/** A `tsvector` as text: each word with its places, and the field as their weight. */
function vectorOf(fields: Document['fields']): string {
  const places = new Map<string, string[]>();
  let offset = 0;
  for (const [field, words = []] of Object.entries(fields)) {
    for (const [place, word] of words.slice(0, mostWords).entries()) {
      const known = places.get(word) ?? [];
      if (known.length < 200) places.set(word, [...known, `${offset + place + 1}${field.toUpperCase()}`]);
    }
    offset += Math.min(words.length, mostWords) + 1; // nothing follows from one field to the next
  }
  return [...places].map(([word, where]) => `'${word.replace(/['\\]/g, '')}':${where.join(',')}`).join(' ');
}

const fieldNames = ['a', 'b', 'c', 'd'] as const;
const textOf = (words: readonly string[] = []) => words.slice(0, mostWords).join(' ');

/** Writes documents to an index that does not have them. */
export async function writeDocuments(tx: Tx, index: 'searchThing' | 'searchLine', documents: Document[]): Promise<void> {
  for (const part of chunks(documents, 500)) {
    if (tx.engine === 'postgres') {
      const rows = rowsGiven(
        tx,
        part.map(({ number, fields }) => [number, vectorOf(fields)]),
      );
      await sql`insert into ${sql.table(index)} (rowid, words)
        select cast(value ->> 0 as bigint), cast(value ->> 1 as tsvector) from ${rows}`.execute(tx);
      continue;
    }
    const names = index === 'searchLine' ? (['a'] as const) : fieldNames;
    const rows = rowsGiven(
      tx,
      part.map(({ number, fields }) => [number, ...names.map((name) => textOf(fields[name]))]),
    );
    const columns = index === 'searchLine' ? sql`words` : sql`a, b, c, d`;
    const values = sql.join(names.map((_, place) => sql`value ->> ${sql.lit(place + 1)}`));
    await sql`insert into ${sql.table(index)} (rowid, ${columns}) select value ->> 0, ${values} from ${rows}`.execute(tx);
  }
}

/** Takes documents out of an index, those of them that it has. */
export async function dropDocuments(tx: Tx, index: 'searchThing' | 'searchLine', numbers: readonly number[]): Promise<void> {
  for (const part of chunks(numbers, 200)) await tx.deleteFrom(index).where('rowid', 'in', part).execute();
}

/** How often each word occurs, by the documents it occurs in. */
export function wordCounts(documents: Document[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { fields } of documents)
    for (const word of new Set(Object.values(fields).flat()))
      if (!word.startsWith('=')) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}
