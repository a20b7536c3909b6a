import { sql, type Kysely } from 'kysely';
import { columns } from '../columns.ts';
import type { Engine } from '../db.ts';
import { writtenPlaylistStatements } from '../written-triggers.ts';

/**
 * The entries of playlists, written: a page of playlists has hundreds of them, which were found, put together and written each time. Decision 30.
 * @public
 */
export async function up(db: Kysely<never>, engine: Engine) {
  const { bytes, integer, sorted, strict } = columns(engine);
  await db.schema
    .createTable('writtenPlaylist')
    .addColumn('playlistId', 'text', (c) => sorted(c.primaryKey().references('playlist.id').onDelete('cascade')))
    .addColumn('form', integer, (c) => c.notNull())
    .addColumn('written', bytes, (c) => c.notNull())
    .$call(strict)
    .execute();
  await db.schema.createIndex('writtenPlaylistByForm').on('writtenPlaylist').columns(['form']).execute();
  for (const statement of writtenPlaylistStatements(engine)) await sql.raw(statement).execute(db);
}
