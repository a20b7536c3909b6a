import type { Kysely } from 'kysely';
import { columnTypes } from './column-types.ts';

/** Private tags of people. Their targets are no foreign keys: a video in the trash keeps its tags. */
export async function addTags(db: Kysely<never>, engine: 'sqlite' | 'postgres'): Promise<void> {
  const { integer, text, strict, keyed, autoId } = columnTypes(engine);
  await db.schema
    .createTable('personTag')
    .addColumn('number', integer, autoId)
    .addColumn('accountId', integer, (column) => column.notNull().references('account.id').onDelete('cascade'))
    .addColumn('name', text, (column) => column.notNull())
    .addColumn('key', text, (column) => column.notNull())
    .addUniqueConstraint('personTagOf', ['accountId', 'key'])
    .$call(strict)
    .execute();
  await db.schema
    .createTable('personTagTarget')
    .addColumn('tagNumber', integer, (column) => column.notNull().references('personTag.number').onDelete('cascade'))
    .addColumn('kind', text, (column) => column.notNull())
    .addColumn('id', text, (column) => column.notNull())
    .addPrimaryKeyConstraint('personTagTargetKey', ['tagNumber', 'kind', 'id'])
    .$call(keyed)
    .execute();
  await db.schema.createIndex('personTagTargetBy').on('personTagTarget').columns(['kind', 'id']).execute();
}
