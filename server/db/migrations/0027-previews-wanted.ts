import { sql, type Kysely } from 'kysely';
import { columns } from '../columns.ts';
import type { Engine } from '../db.ts';
import { previewsWantedStatements } from '../previews-wanted-triggers.ts';

/**
 * Of which videos previews are to be made was found by looking through all of them: a third of a second with 100,000, after each
 * download. What wants some is written down instead.
 * @public
 */
export async function up(db: Kysely<never>, engine: Engine) {
  await db.schema
    .createTable('storyboardWanted')
    .addColumn('videoId', 'text', (c) => c.primaryKey().references('video.id').onDelete('cascade'))
    .$call(columns(engine).keyed)
    .execute();
  for (const statement of previewsWantedStatements(engine)) await sql.raw(statement).execute(db);
}
