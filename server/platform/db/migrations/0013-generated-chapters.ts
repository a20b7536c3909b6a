import type { Kysely } from 'kysely';
import { columnTypes } from './column-types.ts';

/** Chapters that are generated from the transcript of a video. */
export async function addGeneratedChapters(db: Kysely<never>, engine: 'sqlite' | 'postgres'): Promise<void> {
  const { integer, text, strict } = columnTypes(engine);
  await db.schema
    .createTable('generatedChapters')
    .addColumn('videoId', text, (column) => column.primaryKey().notNull().references('video.id').onDelete('cascade'))
    .addColumn('track', integer, (column) => column.notNull().references('passageTrack.number').onDelete('cascade'))
    .addColumn('chapters', text, (column) => column.notNull())
    .$call(strict)
    .execute();
  await db.schema.createIndex('generatedChaptersOfTrack').on('generatedChapters').column('track').execute();
}
