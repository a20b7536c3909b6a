import { sql, type Kysely } from 'kysely';
import { columns } from '../columns.ts';
import type { Engine } from '../db.ts';
import { shownStatements } from '../shown-triggers.ts';

/**
 * Which videos each playlist shows, and where: a page of one with thousands is found in this index alone.
 * @public
 */
export async function up(db: Kysely<never>, engine: Engine) {
  const type = columns(engine);
  await db.schema
    .createTable('playlistShown')
    .addColumn('playlistId', 'text', (c) => c.notNull())
    .addColumn('position', type.integer, (c) => c.notNull())
    .addColumn('videoId', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('playlistShownKey', ['playlistId', 'position', 'videoId'])
    .$call(type.strict)
    .execute();
  await db.schema.createIndex('playlistShownOfVideo').on('playlistShown').columns(['videoId', 'playlistId']).execute();
  for (const statement of shownStatements(engine)) await sql.raw(statement).execute(db);
}
