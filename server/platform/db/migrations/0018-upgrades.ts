import type { Kysely } from 'kysely';
import { columnTypes } from './column-types.ts';

/** What the source offers that is better than the archived file, and its length there if it was edited. */
export async function addUpgrades(db: Kysely<never>, engine: 'sqlite' | 'postgres'): Promise<void> {
  const { text, integer } = columnTypes(engine);
  await db.schema.alterTable('video').addColumn('upgrade', text).execute();
  await db.schema.alterTable('video').addColumn('upgradeLog', text).execute();
  await db.schema.alterTable('video').addColumn('sourceSeconds', integer).execute();
}
