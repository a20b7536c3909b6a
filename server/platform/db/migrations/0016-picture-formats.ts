import type { Kysely } from 'kysely';
import { columnTypes } from './column-types.ts';

/** What a browser must be able to decode: profile, bits per sample and dynamic range of the picture. */
export async function addPictureFormats(db: Kysely<never>, engine: 'sqlite' | 'postgres'): Promise<void> {
  const { text, integer } = columnTypes(engine);
  await db.schema.alterTable('stream').addColumn('profile', text).execute();
  await db.schema.alterTable('stream').addColumn('bitDepth', integer).execute();
  await db.schema.alterTable('stream').addColumn('dynamicRange', text).execute();
}
