import type { Kysely } from 'kysely';
import { columnTypes } from './column-types.ts';

/** Transcripts of videos that are requested, being made or made by a speech model. */
export async function addTranscriptions(db: Kysely<never>, engine: 'sqlite' | 'postgres'): Promise<void> {
  const { integer, text, strict } = columnTypes(engine);
  await db.schema
    .createTable('transcription')
    .addColumn('videoId', text, (column) => column.primaryKey().notNull().references('video.id').onDelete('cascade'))
    .addColumn('sha256', text, (column) => column.notNull())
    .addColumn('model', text)
    .addColumn('lang', text)
    .addColumn('state', text, (column) => column.notNull())
    .addColumn('reason', text)
    .addColumn('doneMs', integer, (column) => column.notNull())
    .addColumn('workMs', integer, (column) => column.notNull())
    .addColumn('cues', text, (column) => column.notNull())
    .addColumn('attempts', integer, (column) => column.notNull())
    .addColumn('isRequested', integer, (column) => column.notNull())
    .addColumn('isUrgent', integer, (column) => column.notNull())
    .addColumn('startedAt', integer)
    .addColumn('changedAt', integer, (column) => column.notNull())
    .$call(strict)
    .execute();
  await db.schema.createIndex('transcriptionByState').on('transcription').columns(['state', 'changedAt']).execute();
}
