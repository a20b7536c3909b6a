import { sql, type Kysely } from 'kysely';
import { columnTypes } from './column-types.ts';

// Of `passage_track`: their rows refer to it, and are deleted with its rows.
const dependents = ['track_vector', 'related_track', 'generated_chapters'];

/**
 * SQLite cannot change a constraint, so the table is created again. Its rows and those that refer to it are kept in other tables
 * meanwhile: with foreign keys, which cannot be turned off in a transaction, dropping it deletes them.
 */
async function recreateInSqlite(db: Kysely<never>) {
  const { integer, text, strict, autoId } = columnTypes('sqlite');
  const tables = ['passage_track', ...dependents];
  for (const name of tables) await sql.raw(`create table "kept_${name}" as select * from "${name}"`).execute(db);
  // Numbers are never used again.
  const { rows } = await sql<{ seq: number }>`select seq from sqlite_sequence where name = 'passage_track'`.execute(db);
  for (const name of dependents) await sql.raw(`delete from "${name}"`).execute(db);
  await db.schema.dropTable('passageTrack').execute();
  await db.schema
    .createTable('passageTrack')
    .addColumn('number', integer, autoId)
    .addColumn('videoId', text, (column) => column.notNull().references('video.id').onDelete('cascade'))
    .addColumn('lang', text, (column) => column.notNull())
    .addColumn('model', text, (column) => column.notNull())
    .addColumn('source', integer, (column) => column.notNull())
    .addColumn('passages', integer, (column) => column.notNull())
    .addUniqueConstraint('passageTrackOf', ['videoId', 'model'])
    .$call(strict)
    .execute();
  for (const name of tables) {
    await sql.raw(`insert into "${name}" select * from "kept_${name}"`).execute(db);
    await sql.raw(`drop table "kept_${name}"`).execute(db);
  }
  await sql`delete from sqlite_sequence where name = 'passage_track'`.execute(db);
  for (const { seq } of rows) await sql`insert into sqlite_sequence (name, seq) values ('passage_track', ${seq})`.execute(db);
}

/** A video has passages of each model, so that one answers while those of another are made. */
export async function addMeaningModels(db: Kysely<never>, engine: 'sqlite' | 'postgres'): Promise<void> {
  if (engine === 'sqlite') await recreateInSqlite(db);
  else {
    await db.schema.alterTable('passageTrack').dropConstraint('passageTrackOf').execute();
    await db.schema.alterTable('passageTrack').addUniqueConstraint('passageTrackOf', ['videoId', 'model']).execute();
  }
  await db.schema.createIndex('passageTrackByModel').on('passageTrack').columns(['model', 'number']).execute();
}
