import type { Kysely } from 'kysely';
import { columnTypes } from './column-types.ts';

/** Clips of videos, whose files are in the cache, and the permission to request transcripts. */
export async function addClips(db: Kysely<never>, engine: 'sqlite' | 'postgres'): Promise<void> {
  const { integer, text, strict, autoId } = columnTypes(engine);
  await db.schema
    .createTable('clip')
    .addColumn('number', integer, autoId)
    .addColumn('accountId', integer, (column) => column.notNull().references('account.id').onDelete('cascade'))
    .addColumn('videoId', text, (column) => column.notNull().references('video.id').onDelete('cascade'))
    .addColumn('startMs', integer, (column) => column.notNull())
    .addColumn('endMs', integer, (column) => column.notNull())
    .addColumn('mode', text, (column) => column.notNull())
    .addColumn('state', text, (column) => column.notNull())
    .addColumn('reason', text)
    .addColumn('path', text)
    .addColumn('bytes', integer, (column) => column.notNull())
    .addColumn('actualStartMs', integer)
    .addColumn('createdAt', integer, (column) => column.notNull())
    .addUniqueConstraint('clipOf', ['accountId', 'videoId', 'startMs', 'endMs', 'mode'])
    .$call(strict)
    .execute();
  await db.schema
    .alterTable('account')
    .addColumn('mayTranscribe', integer, (column) => column.notNull().defaultTo(0))
    .execute();
  await db.schema.createIndex('clipOfVideo').on('clip').column('videoId').execute();
  await db.schema.createIndex('clipByState').on('clip').columns(['state', 'number']).execute();
}
