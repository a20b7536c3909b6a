import type { Kysely } from 'kysely';
import { columnTypes } from './column-types.ts';

/** Queue items whose stream is recorded. */
export async function addRecordings(db: Kysely<never>, engine: 'sqlite' | 'postgres'): Promise<void> {
  const { integer } = columnTypes(engine);
  await db.schema
    .alterTable('download')
    .addColumn('isRecording', integer, (column) => column.notNull().defaultTo(0))
    .execute();
}
