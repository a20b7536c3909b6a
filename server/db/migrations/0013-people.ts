import type { Kysely } from 'kysely';
import { columns } from '../columns.ts';
import type { Engine } from '../db.ts';

/**
 * Accounts that are switched off, sessions that say where they are, tokens with names.
 * @public
 */
export async function up(db: Kysely<never>, engine: Engine) {
  const type = columns(engine);
  const { integer } = type;
  await db.schema
    .alterTable('account')
    .addColumn('isDisabled', integer, (c) => c.notNull().defaultTo(0))
    .execute();
  // Raised to make every link worthless that was signed before.
  await db.schema
    .alterTable('account')
    .addColumn('linkSeries', integer, (c) => c.notNull().defaultTo(0))
    .execute();
  for (const name of ['browser', 'address'])
    await db.schema
      .alterTable('session')
      .addColumn(name, 'text', (c) => c.notNull().defaultTo(''))
      .execute();
  await db.schema
    .createTable('namedToken')
    .addColumn('number', integer, type.autoId)
    .addColumn('accountId', integer, (c) => c.notNull().references('account.id').onDelete('cascade'))
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('tokenHash', 'text', (c) => c.notNull().unique())
    .addColumn('createdAt', integer, (c) => c.notNull())
    .addColumn('expiresAt', integer)
    .addColumn('lastUsedAt', integer)
    .$call(type.strict)
    .execute();
  await db.schema.createIndex('namedTokenOfAccount').on('namedToken').column('accountId').execute();
}
