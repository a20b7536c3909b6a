import { sql, type Kysely } from 'kysely';
import { columnTypes } from './column-types.ts';

/** Loudness of sound tracks. */
export async function addLoudness(db: Kysely<never>, engine: 'sqlite' | 'postgres'): Promise<void> {
  const { real, integer } = columnTypes(engine);
  await db.schema.alterTable('stream').addColumn('lufs', real).execute();
  await db.schema.alterTable('stream').addColumn('truePeak', real).execute();
  await db.schema
    .alterTable('stream')
    .addColumn('isMeasured', integer, (column) => column.notNull().defaultTo(0))
    .execute();
  // Empty once everything is measured, so that looking for work costs nothing.
  await db.schema
    .createIndex('streamUnmeasured')
    .on('stream')
    .column('videoId')
    .where(sql.ref('isMeasured'), '=', sql.lit(0))
    .where(sql.ref('type'), '=', sql.lit('audio'))
    .execute();
}
