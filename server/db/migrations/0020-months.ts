import { sql, type Kysely } from 'kysely';
import { columns } from '../columns.ts';
import type { Engine } from '../db.ts';
import { monthStatements } from '../month-triggers.ts';

/**
 * Where in a long list each month begins, for everybody and for what each person has watched; and an index in which words are
 * looked for in the queue.
 * @public
 */
export async function up(db: Kysely<never>, engine: Engine) {
  const type = columns(engine);
  const { integer } = type;
  await db.schema
    .createTable('monthTally')
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('month', integer, (c) => c.notNull())
    .addColumn('videos', integer, (c) => c.notNull())
    .addPrimaryKeyConstraint('monthTallyKey', ['kind', 'month'])
    .$call(type.strict)
    .execute();
  await db.schema
    .createTable('watchMonthTally')
    .addColumn('accountId', integer, (c) => c.notNull().references('account.id').onDelete('cascade'))
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('month', integer, (c) => c.notNull())
    .addColumn('videos', integer, (c) => c.notNull())
    .addPrimaryKeyConstraint('watchMonthTallyKey', ['accountId', 'kind', 'month'])
    .$call(type.strict)
    .execute();
  for (const statement of monthStatements(engine)) await sql.raw(statement).execute(db);
  await db.schema.dropIndex('downloadInOrder').execute();
  await sql`create index download_in_order on download (status, auto_start desc, queued_at, number, folded_title)`.execute(db);
}
