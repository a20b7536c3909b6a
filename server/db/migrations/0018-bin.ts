import type { Kysely } from 'kysely';
import { columns } from '../columns.ts';
import type { Engine } from '../db.ts';

/**
 * The bin: what is known of each video in it, the rows that it had, and its files on their way there and back.
 * @public
 */
export async function up(db: Kysely<never>, engine: Engine) {
  const type = columns(engine);
  const { integer } = type;

  await db.schema
    .createTable('bin')
    .addColumn('number', integer, type.autoId)
    .addColumn('videoId', 'text', (c) => c.notNull())
    .addColumn('title', 'text', (c) => c.notNull())
    .addColumn('channelId', 'text', (c) => c.notNull())
    .addColumn('channelName', 'text', (c) => c.notNull())
    .addColumn('sizeBytes', integer, (c) => c.notNull())
    .addColumn('deletedAt', integer, (c) => c.notNull())
    .addColumn('deletedBy', 'text')
    .addColumn('why', 'text')
    .addColumn('madeIgnored', integer, (c) => c.notNull())
    .addColumn('folder', 'text', (c) => c.notNull().unique())
    .$call(type.strict)
    .execute();
  await db.schema.createIndex('binByTime').on('bin').columns(['deletedAt', 'number']).execute();
  await db.schema.createIndex('binOfVideo').on('bin').columns(['videoId', 'number']).execute();
  await db.schema.createIndex('binOfChannel').on('bin').column('channelId').execute();

  await db.schema
    .createTable('binRows')
    .addColumn('binNumber', integer, (c) => c.notNull().references('bin.number').onDelete('cascade'))
    .addColumn('ofTable', 'text', (c) => c.notNull())
    .addColumn('part', integer, (c) => c.notNull())
    .addColumn('rows', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('binRowsKey', ['binNumber', 'ofTable', 'part'])
    .$call(type.strict)
    .execute();

  // No foreign key: what is on its way back has no entry in the bin any more.
  await db.schema
    .createTable('binFile')
    .addColumn('folder', 'text', (c) => c.notNull())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('path', 'text', (c) => c.notNull())
    .addColumn('state', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('binFileKey', ['folder', 'name'])
    .$call(type.strict)
    .execute();
  await db.schema.createIndex('binFileByState').on('binFile').columns(['state', 'path']).execute();
}
