import type { Kysely } from 'kysely';
import { columns } from '../columns.ts';
import type { Engine } from '../db.ts';

/**
 * Of which videos there are previews, and of what file they were made.
 * @public
 */
export async function up(db: Kysely<never>, engine: Engine) {
  const type = columns(engine);
  await db.schema
    .createTable('storyboard')
    .addColumn('videoId', 'text', (c) => c.primaryKey().references('video.id').onDelete('cascade'))
    .addColumn('sheets', type.integer, (c) => c.notNull())
    .addColumn('madeOf', 'text', (c) => c.notNull())
    .$call(type.strict)
    .execute();
}
