import type { Kysely } from 'kysely';
import { columnTypes } from './column-types.ts';

/** How often the server ended during a run of a task. */
export async function addCrashes(db: Kysely<never>, engine: 'sqlite' | 'postgres'): Promise<void> {
  await db.schema
    .alterTable('task')
    .addColumn('crashes', columnTypes(engine).integer, (column) => column.notNull().defaultTo(0))
    .execute();
}
