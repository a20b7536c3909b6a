import type { Kysely } from 'kysely';
import { columnTypes } from './column-types.ts';

/** Videos that were archived in a lower quality than the site has. */
export async function addLimitation(db: Kysely<never>, engine: 'sqlite' | 'postgres'): Promise<void> {
  await db.schema.alterTable('video').addColumn('limitation', columnTypes(engine).text).execute();
}
