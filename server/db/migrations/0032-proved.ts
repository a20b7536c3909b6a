import type { Kysely } from 'kysely';

/**
 * When whoever began a session really proved who they are. Of sessions from before it is not known, so they are asked.
 * @public
 */
export async function up(db: Kysely<never>) {
  await db.schema
    .alterTable('session')
    .addColumn('provedAt', 'integer', (column) => column.notNull().defaultTo(0))
    .execute();
}
