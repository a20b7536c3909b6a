import type { Kysely } from 'kysely';

/** Language and kind of sound tracks. */
export async function addSounds(db: Kysely<never>): Promise<void> {
  await db.schema.alterTable('stream').addColumn('language', 'text').execute();
  await db.schema.alterTable('stream').addColumn('kind', 'text').execute();
}
