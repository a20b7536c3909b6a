import type { Kysely } from 'kysely';
import { columnTypes } from './column-types.ts';

/** Title and picture that viewers have submitted instead of those of the channel. */
export async function addBranding(db: Kysely<never>, engine: 'sqlite' | 'postgres'): Promise<void> {
  await db.schema.alterTable('video').addColumn('branding', columnTypes(engine).text).execute();
}
