import type { Kysely } from 'kysely';
import { columnTypes } from './column-types.ts';

/** Language and kind of sound tracks. */
export async function addSounds(db: Kysely<never>, engine: 'sqlite' | 'postgres'): Promise<void> {
  const { text } = columnTypes(engine);
  await db.schema.alterTable('stream').addColumn('language', text).execute();
  await db.schema.alterTable('stream').addColumn('kind', text).execute();
}
