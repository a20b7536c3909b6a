import type { Kysely } from 'kysely';
import { columnTypes } from './column-types.ts';

/** Copies of videos that play everywhere, fetched from the source. */
export async function addSmallCopies(db: Kysely<never>, engine: 'sqlite' | 'postgres'): Promise<void> {
  const { integer, text, strict } = columnTypes(engine);
  await db.schema
    .createTable('smallCopy')
    .addColumn('videoId', text, (column) => column.primaryKey().references('video.id').onDelete('cascade'))
    .addColumn('path', text, (column) => column.notNull().unique())
    .addColumn('sizeBytes', integer, (column) => column.notNull())
    .addColumn('sha256', text, (column) => column.notNull())
    .addColumn('width', integer, (column) => column.notNull())
    .addColumn('height', integer, (column) => column.notNull())
    .addColumn('durationSeconds', integer, (column) => column.notNull())
    .addColumn('fetchedAt', integer, (column) => column.notNull())
    .$call(strict)
    .execute();
}
