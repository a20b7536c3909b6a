import type { Kysely } from 'kysely';
import { columns } from '../columns.ts';
import type { Engine } from '../db.ts';

/**
 * Schedules, secrets, and what is to be told elsewhere.
 * @public
 */
export async function up(db: Kysely<never>, engine: Engine) {
  const type = columns(engine);
  const { integer } = type;

  await db.schema
    .createTable('schedule')
    .addColumn('name', 'text', (c) => c.primaryKey())
    .addColumn('schedule', 'text', (c) => c.notNull())
    .addColumn('config', 'text', (c) => c.notNull())
    .addColumn('lastRunAt', integer)
    .addColumn('nextAt', integer, (c) => c.notNull())
    .$call(type.strict)
    .execute();

  await db.schema
    .createTable('secret')
    .addColumn('name', 'text', (c) => c.primaryKey())
    .addColumn('sealed', 'text', (c) => c.notNull())
    .addColumn('state', 'text', (c) => c.notNull())
    .addColumn('updatedAt', integer, (c) => c.notNull())
    .$call(type.strict)
    .execute();

  await db.schema
    .createTable('notifyTarget')
    .addColumn('number', integer, type.autoId)
    .addColumn('taskName', 'text', (c) => c.notNull())
    .addColumn('urlHash', 'text', (c) => c.notNull())
    .addColumn('sealed', 'text', (c) => c.notNull())
    .addUniqueConstraint('notifyTargetOnce', ['taskName', 'urlHash'])
    .$call(type.strict)
    .execute();

  await db.schema
    .createTable('outbox')
    .addColumn('number', integer, type.autoId)
    .addColumn('sealed', 'text', (c) => c.notNull())
    .addColumn('message', 'text', (c) => c.notNull())
    .addColumn('attempts', integer, (c) => c.notNull().defaultTo(0))
    .addColumn('nextAt', integer, (c) => c.notNull())
    .addColumn('createdAt', integer, (c) => c.notNull())
    .$call(type.strict)
    .execute();
}
