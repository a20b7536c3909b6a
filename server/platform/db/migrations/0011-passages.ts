import type { Kysely } from 'kysely';
import { columnTypes } from './column-types.ts';

/** The index of the search by meaning: passages of transcripts with their vectors. */
export async function addPassages(db: Kysely<never>, engine: 'sqlite' | 'postgres'): Promise<void> {
  const { integer, text, bytes, strict, autoId } = columnTypes(engine);
  await db.schema
    .createTable('passageTrack')
    .addColumn('number', integer, autoId)
    .addColumn('videoId', text, (column) => column.notNull().references('video.id').onDelete('cascade'))
    .addColumn('lang', text, (column) => column.notNull())
    .addColumn('model', text, (column) => column.notNull())
    .addColumn('source', integer, (column) => column.notNull())
    .addColumn('passages', integer, (column) => column.notNull())
    .addUniqueConstraint('passageTrackOf', ['videoId'])
    .$call(strict)
    .execute();
  await db.schema
    .createTable('passage')
    .addColumn('number', integer, (column) => column.primaryKey().notNull())
    .addColumn('videoId', text, (column) => column.notNull().references('video.id').onDelete('cascade'))
    .addColumn('lang', text, (column) => column.notNull())
    .addColumn('startMs', integer, (column) => column.notNull())
    .addColumn('endMs', integer, (column) => column.notNull())
    .addColumn('model', text, (column) => column.notNull())
    .addColumn('mark', text, (column) => column.notNull())
    .addColumn('vector', bytes, (column) => column.notNull())
    .$call(strict)
    .execute();
  await db.schema.createIndex('passageOfVideo').on('passage').column('videoId').execute();
}
