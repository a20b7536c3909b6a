import type { Kysely } from 'kysely';
import { columnTypes } from './column-types.ts';

/** Notes, bookmarks and highlights of people. They refer to no row of a video, because they outlive it. */
export async function addNotes(db: Kysely<never>, engine: 'sqlite' | 'postgres'): Promise<void> {
  const { integer, text, strict, autoId } = columnTypes(engine);
  await db.schema
    .createTable('note')
    .addColumn('number', integer, autoId)
    .addColumn('accountId', integer, (column) => column.notNull().references('account.id').onDelete('cascade'))
    .addColumn('videoId', text, (column) => column.notNull())
    .addColumn('kind', text, (column) => column.notNull())
    .addColumn('startMs', integer)
    .addColumn('endMs', integer)
    .addColumn('text', text, (column) => column.notNull())
    .addColumn('quote', text)
    .addColumn('quoteLang', text)
    .addColumn('createdAt', integer, (column) => column.notNull())
    .addColumn('updatedAt', integer, (column) => column.notNull())
    .addColumn('revision', integer, (column) => column.notNull())
    .addColumn('videoTitle', text, (column) => column.notNull())
    .addColumn('channelName', text, (column) => column.notNull())
    .addColumn('url', text)
    .$call(strict)
    .execute();
  await db.schema.createIndex('noteOfAccount').on('note').columns(['accountId', 'number']).execute();
  await db.schema.createIndex('noteOfVideo').on('note').columns(['videoId', 'accountId']).execute();
}
