import type { Kysely } from 'kysely';
import { columns } from '../columns.ts';
import type { Engine } from '../db.ts';

/**
 * What a run of a task did, line by line.
 * @public
 */
export async function up(db: Kysely<never>, engine: Engine) {
  const type = columns(engine);
  const { integer } = type;
  await db.schema
    .alterTable('task')
    .addColumn('counts', 'text', (c) => c.notNull().defaultTo('{}'))
    .execute();
  await db.schema
    .alterTable('task')
    .addColumn('problems', integer, (c) => c.notNull().defaultTo(0))
    .execute();
  await db.schema
    .createTable('runNote')
    .addColumn('number', integer, type.autoId)
    .addColumn('taskId', 'text', (c) => c.notNull().references('task.id').onDelete('cascade'))
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('what', 'text', (c) => c.notNull())
    .addColumn('why', 'text')
    .addColumn('words', 'text')
    .addColumn('videoId', 'text')
    .addColumn('at', integer, (c) => c.notNull())
    .$call(type.strict)
    .execute();
  await db.schema.createIndex('runNoteOfTask').on('runNote').columns(['taskId', 'number']).execute();
}
