import type { Kysely } from 'kysely';
import { columnTypes } from './column-types.ts';

/** Artists, album, track and year of a video, as the source says and as staff have written. */
export async function addMusic(db: Kysely<never>, engine: 'sqlite' | 'postgres'): Promise<void> {
  const { text } = columnTypes(engine);
  for (const column of ['music', 'musicEdit']) await db.schema.alterTable('video').addColumn(column, text).execute();
}
