import type { Kysely } from 'kysely';
import { columns } from '../columns.ts';
import type { Engine } from '../db.ts';

/**
 * Accounts, what lets them in, what they watched; the settings of the application.
 * @public
 */
export async function up(db: Kysely<never>, engine: Engine) {
  const type = columns(engine);
  const { integer, real } = type;

  await db.schema
    .createTable('account')
    .addColumn('id', integer, type.autoId)
    .addColumn('foldedName', 'text', (c) => c.notNull().unique())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('passwordHash', 'text', (c) => c.notNull())
    .addColumn('isStaff', integer, (c) => c.notNull())
    .addColumn('isSuperuser', integer, (c) => c.notNull())
    .addColumn('config', 'text', (c) => c.notNull().defaultTo('{}'))
    .addColumn('createdAt', integer, (c) => c.notNull())
    .addColumn('lastLoginAt', integer)
    .$call(type.strict)
    .execute();

  await db.schema
    .createTable('session')
    .addColumn('keyHash', 'text', (c) => c.primaryKey())
    .addColumn('accountId', integer, (c) => c.notNull().references('account.id').onDelete('cascade'))
    .addColumn('csrfToken', 'text', (c) => c.notNull())
    .addColumn('remember', integer, (c) => c.notNull())
    .addColumn('createdAt', integer, (c) => c.notNull())
    .addColumn('seenAt', integer, (c) => c.notNull())
    .addColumn('expiresAt', integer, (c) => c.notNull())
    .$call(type.strict)
    .execute();
  await db.schema.createIndex('sessionOfAccount').on('session').column('accountId').execute();

  await db.schema
    .createTable('token')
    .addColumn('accountId', integer, (c) => c.primaryKey().references('account.id').onDelete('cascade'))
    .addColumn('tokenHash', 'text', (c) => c.notNull().unique())
    .addColumn('sealed', 'text', (c) => c.notNull())
    .addColumn('createdAt', integer, (c) => c.notNull())
    .$call(type.strict)
    .execute();

  await db.schema
    .createTable('watch')
    .addColumn('accountId', integer, (c) => c.notNull().references('account.id').onDelete('cascade'))
    .addColumn('videoId', 'text', (c) => c.notNull().references('video.id').onDelete('cascade'))
    .addColumn('watchedAt', integer)
    .addColumn('positionSeconds', real)
    .addColumn('updatedAt', integer, (c) => c.notNull())
    .addPrimaryKeyConstraint('watchKey', ['accountId', 'videoId'])
    .$call(type.strict)
    .execute();
  await db.schema.createIndex('watchOfVideo').on('watch').column('videoId').execute();
  await db.schema.createIndex('watchByTime').on('watch').columns(['accountId', 'updatedAt']).execute();

  await db.schema
    .createTable('setting')
    .addColumn('name', 'text', (c) => c.primaryKey())
    .addColumn('value', 'text', (c) => c.notNull())
    .$call(type.strict)
    .execute();
}
