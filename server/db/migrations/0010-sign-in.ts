import type { Kysely } from 'kysely';
import { columns } from '../columns.ts';
import type { Engine } from '../db.ts';

/**
 * Who somebody is at an OpenID provider.
 * @public
 */
export async function up(db: Kysely<never>, engine: Engine) {
  const type = columns(engine);
  await db.schema
    .createTable('identity')
    .addColumn('issuer', 'text', (c) => c.notNull())
    .addColumn('subject', 'text', (c) => c.notNull())
    .addColumn('accountId', type.integer, (c) => c.notNull().references('account.id').onDelete('cascade'))
    .addColumn('addedAt', type.integer, (c) => c.notNull())
    .addPrimaryKeyConstraint('identityKey', ['issuer', 'subject'])
    .$call(type.strict)
    .execute();
  await db.schema.createIndex('identityOfAccount').on('identity').column('accountId').execute();
}
