import type { Kysely } from 'kysely';
import { columns } from '../columns.ts';
import type { Engine } from '../db.ts';

/**
 * The download queue and the tasks.
 * @public
 */
export async function up(db: Kysely<never>, engine: Engine) {
  const type = columns(engine);
  const { integer, real } = type;

  await db.schema
    .createTable('download')
    .addColumn('number', integer, type.autoId)
    .addColumn('id', 'text', (c) => c.notNull().unique())
    .addColumn('site', 'text', (c) => c.notNull())
    .addColumn('siteId', 'text', (c) => c.notNull())
    .addColumn('url', 'text', (c) => c.notNull())
    .addColumn('title', 'text', (c) => c.notNull())
    .addColumn('foldedTitle', 'text', (c) => c.notNull())
    .addColumn('channelId', 'text', (c) => c.notNull())
    .addColumn('channelName', 'text', (c) => c.notNull())
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('durationSeconds', integer)
    .addColumn('publishedAt', integer)
    .addColumn('thumbnailUrl', 'text')
    .addColumn('status', 'text', (c) => c.notNull())
    .addColumn('autoStart', integer, (c) => c.notNull())
    .addColumn('isForced', integer, (c) => c.notNull().defaultTo(0))
    .addColumn('failure', 'text')
    .addColumn('message', 'text')
    .addColumn('queuedAt', integer, (c) => c.notNull())
    .addColumn('attempts', integer, (c) => c.notNull().defaultTo(0))
    .addColumn('leasedBy', 'text')
    .addColumn('leaseUntil', integer)
    .$call(type.strict)
    .execute();
  await db.schema.createIndex('downloadInOrder').on('download').columns(['status', 'autoStart', 'queuedAt', 'number']).execute();
  await db.schema.createIndex('downloadOfChannel').on('download').columns(['channelId', 'status']).execute();

  await db.schema
    .createTable('task')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('input', 'text', (c) => c.notNull())
    .addColumn('status', 'text', (c) => c.notNull())
    .addColumn('onlyOne', 'text', (c) => c.unique())
    .addColumn('messages', 'text', (c) => c.notNull().defaultTo('[]'))
    .addColumn('progress', real)
    .addColumn('isError', integer, (c) => c.notNull().defaultTo(0))
    .addColumn('command', 'text')
    .addColumn('result', 'text')
    .addColumn('queuedAt', integer, (c) => c.notNull())
    .addColumn('startedAt', integer)
    .addColumn('endedAt', integer)
    .addColumn('leasedBy', 'text')
    .addColumn('leaseUntil', integer)
    .addColumn('attempts', integer, (c) => c.notNull().defaultTo(0))
    .$call(type.strict)
    .execute();
  await db.schema.createIndex('taskByStatus').on('task').columns(['status', 'queuedAt']).execute();
  await db.schema.createIndex('taskByEnd').on('task').column('endedAt').execute();
}
