import type { Kysely } from 'kysely';
import { columnTypes } from './column-types.ts';

/** Vectors of whole transcripts, and the videos that are nearest by them. */
export async function addRelatedVideos(db: Kysely<never>, engine: 'sqlite' | 'postgres'): Promise<void> {
  const { integer, bytes, strict, keyed } = columnTypes(engine);
  await db.schema
    .createTable('trackVector')
    .addColumn('number', integer, (column) => column.primaryKey().notNull().references('passageTrack.number').onDelete('cascade'))
    .addColumn('state', integer, (column) => column.notNull())
    .addColumn('vector', bytes, (column) => column.notNull())
    .$call(strict)
    .execute();
  await db.schema.createIndex('trackVectorByState').on('trackVector').columns(['state', 'number']).execute();
  await db.schema
    .createTable('relatedTrack')
    .addColumn('number', integer, (column) => column.notNull().references('passageTrack.number').onDelete('cascade'))
    .addColumn('position', integer, (column) => column.notNull())
    .addColumn('related', integer, (column) => column.notNull().references('passageTrack.number').onDelete('cascade'))
    .addPrimaryKeyConstraint('relatedTrackKey', ['number', 'position'])
    .$call(keyed)
    .execute();
  await db.schema.createIndex('relatedTrackOf').on('relatedTrack').column('related').execute();
}
