import { sql } from 'kysely';
import { chunks, type Tx } from '../db/db.ts';
import type { Field } from './expression.ts';

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
  const table = sql.table(index);
  // In pieces of one size, so that the same statement serves again.
  for (const part of chunks(documents, 40)) {
    const rows = part.map(({ number, fields }) => {
      if (tx.engine === 'postgres') return sql`(${number}, ${vectorOf(fields)}::tsvector)`;
      if (index === 'searchLine') return sql`(${number}, ${textOf(fields.a)})`;
      return sql`(${number}, ${sql.join(fieldNames.map((name) => textOf(fields[name])))})`;
    });
    const names = tx.engine === 'postgres' || index === 'searchLine' ? ['words'] : fieldNames;
    const columns = sql.join(['rowid', ...names].map((name) => sql.ref(name)));
    await sql`insert into ${table} (${columns}) values ${sql.join(rows)}`.execute(tx);
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
