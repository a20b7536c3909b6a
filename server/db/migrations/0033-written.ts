import { sql, type Kysely } from 'kysely';
import { columns } from '../columns.ts';
import type { Engine } from '../db.ts';
import { writtenStatements } from '../written-triggers.ts';

/**
 * What is sent of videos, written: five rows of as many tables had to be found, put together and written for each video of a page.
 * Decision 29.
 * @public
 */
export async function up(db: Kysely<never>, engine: Engine) {
  const { bytes, integer, keyed, strict } = columns(engine);
  await db.schema
    .createTable('writtenVideo')
    .addColumn('videoId', 'text', (c) => c.primaryKey().references('video.id').onDelete('cascade'))
    .addColumn('channelId', 'text', (c) => c.notNull())
    .addColumn('form', integer, (c) => c.notNull())
    .addColumn('written', bytes, (c) => c.notNull())
    .$call(strict)
    .execute();
  await db.schema
    .createTable('writtenChannel')
    .addColumn('channelId', 'text', (c) => c.primaryKey().references('channel.id').onDelete('cascade'))
    .addColumn('form', integer, (c) => c.notNull())
    .addColumn('written', bytes, (c) => c.notNull())
    .$call(strict)
    .execute();
  // To see at each start, without reading any of it, whether all of it was written by this version.
  await db.schema.createIndex('writtenVideoByForm').on('writtenVideo').columns(['form']).execute();
  await db.schema.createIndex('writtenChannelByForm').on('writtenChannel').columns(['form']).execute();
  await db.schema
    .createTable('writingWanted')
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('id', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('writingWantedKey', ['kind', 'id'])
    .$call(keyed)
    .execute();
  for (const statement of writtenStatements(engine)) await sql.raw(statement).execute(db);
}
