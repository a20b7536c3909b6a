import type { Kysely } from 'kysely';
import { columnTypes } from './column-types.ts';

/** Whether an entry of the trash is only a file that was replaced by a better one; its video is still archived. */
export async function addReplacedFiles(db: Kysely<never>, engine: 'sqlite' | 'postgres'): Promise<void> {
  const { integer } = columnTypes(engine);
  await db.schema
    .alterTable('trash')
    .addColumn('isReplacedFile', integer, (column) => column.notNull().defaultTo(0))
    .execute();
}
