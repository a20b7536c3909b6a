import type { Tx } from '../db/db.ts';
import { dropDocuments, wordCounts, writeDocuments, type Document } from './index-write.ts';
import { channelWord, kindWord } from './own-words.ts';
import { countWords } from './vocabulary.ts';
import { wordsOf } from './words.ts';

export type Kind = 'video' | 'channel' | 'playlist';

// Descriptions can be long, and what people remember of them stands near their beginning.
const mostLetters = 5_000;
const wordsOfText = (text: string | null) => wordsOf((text ?? '').slice(0, mostLetters));
const wordsOfList = (json: string) => (JSON.parse(json) as string[]).flatMap(wordsOf);

async function fieldsOf(tx: Tx, kind: Kind, ids: string[]): Promise<Map<string, Document['fields']>> {
  if (kind === 'video') {
    const rows = await tx
      .selectFrom('video')
      .select(['id', 'title', 'tags', 'categories', 'channelId'])
      .where('id', 'in', ids)
      .execute();
    return new Map(
      rows.map(({ id, title, tags, categories, channelId }) => [
        id,
        { a: wordsOf(title), b: wordsOfList(tags), c: wordsOfList(categories), d: [channelWord(channelId)] },
      ]),
    );
  }
  if (kind === 'channel') {
    const rows = await tx.selectFrom('channel').select(['id', 'name', 'description', 'tags']).where('id', 'in', ids).execute();
    return new Map(
      rows.map((row) => [row.id, { a: wordsOf(row.name), b: wordsOfText(row.description), c: wordsOfList(row.tags) }]),
    );
  }
  const rows = await tx.selectFrom('playlist').select(['id', 'name', 'description']).where('id', 'in', ids).execute();
  return new Map(rows.map((row) => [row.id, { a: wordsOf(row.name), b: wordsOfText(row.description) }]));
}

/** Brings these things, at most a thousand of one kind, in the index to what their rows say; what has no row goes. */
export async function indexThings(tx: Tx, kind: Kind, ids: string[]): Promise<void> {
  const fields = await fieldsOf(tx, kind, ids);
  if (fields.size > 0)
    await tx
      .insertInto('searchDocument')
      .values([...fields.keys()].map((id) => ({ kind, id })))
      .onConflict((c) => c.columns(['kind', 'id']).doNothing())
      .execute();
  const known = await tx
    .selectFrom('searchDocument')
    .select(['number', 'id'])
    .where('kind', '=', kind)
    .where('id', 'in', ids)
    .execute();
  await dropDocuments(
    tx,
    'searchThing',
    known.map(({ number }) => number),
  );
  const gone = known.filter(({ id }) => !fields.has(id)).map(({ number }) => number);
  if (gone.length > 0) await tx.deleteFrom('searchDocument').where('number', 'in', gone).execute();

  const documents = known.flatMap(({ number, id }) => {
    const { a = [], ...others } = fields.get(id) ?? {};
    return fields.has(id) ? [{ number, fields: { a: [kindWord(kind), ...a], ...others } }] : [];
  });
  await writeDocuments(tx, 'searchThing', documents);
  await countWords(tx, 'n', wordCounts(documents));
}
