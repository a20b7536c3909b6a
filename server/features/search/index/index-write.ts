import { sql } from 'kysely';
import { chunks, type Tx } from '../../../platform/db/db.ts';
import type { Field } from '../text/fts-expression.ts';
import { jsonRows } from '../../../platform/db/rows-as-json.ts';

/** A document of an index: its words by field. */
export interface Document {
  number: number;
  fields: Partial<Record<Field, readonly string[]>>;
}

// PostgreSQL stores positions up to 16,383; words beyond this limit are rarely searched.
const maxWords = 3_000;

/** Serializes a `tsvector`: each word with its positions, and the field as weight. */
function vectorOf(fields: Document['fields']): string {
  const places = new Map<string, string[]>();
  let offset = 0;
  for (const [field, words = []] of Object.entries(fields)) {
    for (const [place, word] of words.slice(0, maxWords).entries()) {
      const known = places.get(word) ?? [];
      if (known.length < 200) places.set(word, [...known, `${offset + place + 1}${field.toUpperCase()}`]);
    }
    offset += Math.min(words.length, maxWords) + 1; // a gap, so that no phrase spans two fields
  }
  return [...places].map(([word, where]) => `'${word.replace(/['\\]/g, '')}':${where.join(',')}`).join(' ');
}

/** A full-text index. */
export type SearchIndexName = 'searchName' | 'searchTranscript' | 'searchMoment';

/** The fields of an index and their columns in FTS5. */
const fieldsOf: Record<SearchIndexName, Partial<Record<Field, string>>> = {
  searchName: { a: 'a', b: 'b', c: 'c', d: 'd' },
  searchTranscript: { a: 'words' },
  searchMoment: { a: 'a', b: 'b' },
};
const textOf = (words: readonly string[] = []) => words.slice(0, maxWords).join(' ');

/** Inserts documents that are not in the index. */
export async function writeDocuments(tx: Tx, index: SearchIndexName, documents: Document[]): Promise<void> {
  for (const part of chunks(documents, 500)) {
    if (tx.engine === 'postgres') {
      const rows = jsonRows(
        tx,
        part.map(({ number, fields }) => [number, vectorOf(fields)]),
      );
      await sql`insert into ${sql.table(index)} (rowid, words)
        select cast(value ->> 0 as bigint), cast(value ->> 1 as tsvector) from ${rows}`.execute(tx);
      continue;
    }
    const names = Object.keys(fieldsOf[index]) as Field[];
    const rows = jsonRows(
      tx,
      part.map(({ number, fields }) => [number, ...names.map((name) => textOf(fields[name]))]),
    );
    const columns = sql.join(Object.values(fieldsOf[index]).map((column) => sql.ref(column)));
    const values = sql.join(names.map((_, place) => sql`value ->> ${sql.lit(place + 1)}`));
    await sql`insert into ${sql.table(index)} (rowid, ${columns}) select value ->> 0, ${values} from ${rows}`.execute(tx);
  }
}

/** Deletes documents from an index, if they are in it. */
export async function deleteDocuments(tx: Tx, index: SearchIndexName, numbers: readonly number[]): Promise<void> {
  for (const part of chunks(numbers, 200)) await tx.deleteFrom(index).where('rowid', 'in', part).execute();
}

/** Counts for each word the documents that contain it. */
export function wordCounts(documents: Document[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { fields } of documents)
    for (const word of new Set(Object.values(fields).flat()))
      if (!word.startsWith('=')) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}
