import type { Kysely } from 'kysely';
import { columnTypes } from './column-types.ts';

/**
 * Totals of videos and watched videos by kind, of queue items by channel, and of channels and playlists. Summing the counters of a
 * thousand channels took a millisecond.
 */
export async function addTotals(db: Kysely<never>, engine: 'sqlite' | 'postgres'): Promise<void> {
  const { integer, text, keyed } = columnTypes(engine);
  await db.schema
    .createTable('videoKindCount')
    .addColumn('kind', text, (column) => column.notNull())
    .addColumn('isActive', integer, (column) => column.notNull())
    .addColumn('videos', integer, (column) => column.notNull())
    .addColumn('sizeBytes', integer, (column) => column.notNull())
    .addColumn('durationSeconds', integer, (column) => column.notNull())
    .addPrimaryKeyConstraint('videoKindCountKey', ['kind', 'isActive'])
    .$call(keyed)
    .execute();
  await db.schema
    .createTable('watchKindCount')
    .addColumn('accountId', integer, (column) => column.notNull().references('account.id').onDelete('cascade'))
    .addColumn('kind', text, (column) => column.notNull())
    .addColumn('videos', integer, (column) => column.notNull())
    .addColumn('durationSeconds', integer, (column) => column.notNull())
    .addPrimaryKeyConstraint('watchKindCountKey', ['accountId', 'kind'])
    .$call(keyed)
    .execute();
  await db.schema
    .createTable('sourceCount')
    .addColumn('source', text, (column) => column.notNull())
    .addColumn('isActive', integer, (column) => column.notNull())
    .addColumn('isSubscribed', integer, (column) => column.notNull())
    .addColumn('sources', integer, (column) => column.notNull())
    .addPrimaryKeyConstraint('sourceCountKey', ['source', 'isActive', 'isSubscribed'])
    .$call(keyed)
    .execute();
  await db.schema
    .createTable('queueChannelCount')
    .addColumn('status', text, (column) => column.notNull())
    .addColumn('channelId', text, (column) => column.notNull())
    .addColumn('channelName', text, (column) => column.notNull())
    .addColumn('items', integer, (column) => column.notNull())
    .addPrimaryKeyConstraint('queueChannelCountKey', ['status', 'channelId', 'channelName'])
    .$call(keyed)
    .execute();
}
