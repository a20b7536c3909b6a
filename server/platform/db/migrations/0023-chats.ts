import type { Kysely } from 'kysely';
import { columnTypes } from './column-types.ts';

/** Chats of streams, and the parts of their files. */
export async function addChats(db: Kysely<never>, engine: 'sqlite' | 'postgres'): Promise<void> {
  const { integer, text, strict, keyed } = columnTypes(engine);
  await db.schema
    .createTable('chat')
    .addColumn('videoId', text, (column) => column.primaryKey().references('video.id').onDelete('cascade'))
    .addColumn('source', text)
    .addColumn('path', text, (column) => column.unique())
    .addColumn('sizeBytes', integer, (column) => column.notNull().defaultTo(0))
    .addColumn('sha256', text, (column) => column.notNull().defaultTo(''))
    .addColumn('messages', integer, (column) => column.notNull().defaultTo(0))
    .addColumn('isComplete', integer, (column) => column.notNull().defaultTo(0))
    .addColumn('fetchedAt', integer)
    .addColumn('attempts', integer, (column) => column.notNull().defaultTo(0))
    .addColumn('nextAt', integer)
    .$call(strict)
    .execute();
  await db.schema.createIndex('chatNextAt').on('chat').column('nextAt').execute();
  await db.schema
    .createTable('chatChunk')
    .addColumn('videoId', text, (column) => column.notNull().references('video.id').onDelete('cascade'))
    .addColumn('n', integer, (column) => column.notNull())
    .addColumn('fromMs', integer, (column) => column.notNull())
    .addColumn('toMs', integer, (column) => column.notNull())
    .addColumn('messages', integer, (column) => column.notNull())
    .addColumn('byteOffset', integer, (column) => column.notNull())
    .addColumn('bytes', integer, (column) => column.notNull())
    .addPrimaryKeyConstraint('chatChunkKey', ['videoId', 'n'])
    .$call(keyed)
    .execute();
}
