import type { Kysely } from 'kysely';
import { columnTypes } from './column-types.ts';

/** When an announced stream starts, and what is known of a recorded one. */
export async function addLiveStreams(db: Kysely<never>, engine: 'sqlite' | 'postgres'): Promise<void> {
  const { integer, text } = columnTypes(engine);
  await db.schema.alterTable('download').addColumn('startsAt', integer).execute();
  await db.schema.alterTable('video').addColumn('live', text).execute();
}
