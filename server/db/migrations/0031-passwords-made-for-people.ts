import type { Kysely } from 'kysely';

/**
 * A password that was made for somebody lets them choose one of their own, and nothing else. Those of before stay as they are.
 * @public
 */
export async function up(db: Kysely<never>) {
  await db.schema
    .alterTable('account')
    .addColumn('mustChoosePassword', 'integer', (column) => column.notNull().defaultTo(0))
    .execute();
}
