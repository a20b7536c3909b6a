import { sql, type Kysely } from 'kysely';
import { columns } from '../columns.ts';
import type { Engine } from '../db.ts';
import { watchTimeStatements } from '../watch-time-triggers.ts';

/**
 * What somebody has watched is counted by its second, with how long it is: to look up the length of each of tens of thousands took a
 * second. The index by when it was watched was for that alone.
 * @public
 */
export async function up(db: Kysely<never>, engine: Engine) {
  const type = columns(engine);
  const { integer } = type;
  await db.schema
    .createTable('watchTimeTally')
    .addColumn('accountId', integer, (c) => c.notNull().references('account.id').onDelete('cascade'))
    .addColumn('watchedAt', integer, (c) => c.notNull())
    .addColumn('videos', integer, (c) => c.notNull())
    .addColumn('durationSeconds', integer, (c) => c.notNull())
    .addPrimaryKeyConstraint('watchTimeTallyKey', ['accountId', 'watchedAt'])
    .$call(type.keyed)
    .execute();
  for (const statement of watchTimeStatements(engine)) await sql.raw(statement).execute(db);
  await db.schema.dropIndex('watch_by_day').execute();
}
