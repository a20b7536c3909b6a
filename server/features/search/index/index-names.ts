import { parseBranding } from '../../../archive/video/branding.ts';
import { musicWords } from '../../../archive/video/music.ts';
import type { Tx } from '../../../platform/db/db.ts';
import { deleteDocuments, wordCounts, writeDocuments, type Document } from './index-write.ts';
import { channelToken, kindToken } from '../text/filter-tokens.ts';
import { countWords } from '../text/term-dictionary.ts';
import { tokenize } from '../text/tokenizer.ts';

export type NamedKind = 'video' | 'channel' | 'playlist';

// Descriptions can be long, and the memorable words are usually near the beginning.
const maxLetters = 5_000;
const wordsOfText = (text: string | null) => tokenize((text ?? '').slice(0, maxLetters));
const wordsOfList = (json: string) => (JSON.parse(json) as string[]).flatMap(tokenize);

async function fieldsOf(tx: Tx, kind: NamedKind, ids: string[]): Promise<Map<string, Document['fields']>> {
  if (kind === 'video') {
    const rows = await tx
      .selectFrom('video')
      .select(['id', 'title', 'branding', 'music', 'musicEdit', 'tags', 'categories', 'channelId'])
      .where('id', 'in', ids)
      .execute();
    return new Map(
      rows.map(({ id, title, branding, tags, categories, channelId, ...row }) => [
        id,
        {
          a: [...tokenize(title), ...[parseBranding(branding).title ?? '', ...musicWords(row)].flatMap(tokenize)],
          b: wordsOfList(tags),
          c: wordsOfList(categories),
          d: [channelToken(channelId)],
        },
      ]),
    );
  }
  if (kind === 'channel') {
    const rows = await tx.selectFrom('channel').select(['id', 'name', 'description', 'tags']).where('id', 'in', ids).execute();
    return new Map(
      rows.map((row) => [row.id, { a: tokenize(row.name), b: wordsOfText(row.description), c: wordsOfList(row.tags) }]),
    );
  }
  const rows = await tx.selectFrom('playlist').select(['id', 'name', 'description']).where('id', 'in', ids).execute();
  return new Map(rows.map((row) => [row.id, { a: tokenize(row.name), b: wordsOfText(row.description) }]));
}

/** Updates the index for up to 1,000 ids of one kind; ids without a row are removed from it. */
export async function indexNames(tx: Tx, kind: NamedKind, ids: string[]): Promise<void> {
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
  await deleteDocuments(
    tx,
    'searchName',
    known.map(({ number }) => number),
  );
  const gone = known.filter(({ id }) => !fields.has(id)).map(({ number }) => number);
  if (gone.length > 0) await tx.deleteFrom('searchDocument').where('number', 'in', gone).execute();

  const documents = known.flatMap(({ number, id }) => {
    const { a = [], ...others } = fields.get(id) ?? {};
    return fields.has(id) ? [{ number, fields: { a: [kindToken(kind), ...a], ...others } }] : [];
  });
  await writeDocuments(tx, 'searchName', documents);
  await countWords(tx, 'n', wordCounts(documents));
}
