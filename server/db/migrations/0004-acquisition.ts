import type { Kysely } from 'kysely';
import { columns } from '../columns.ts';
import type { Engine } from '../db.ts';

/**
 * What keeps coming in: rules and scans of sources, retries and pauses of sites, what was listed, what is gone, what changed.
 * @public
 */
export async function up(db: Kysely<never>, engine: Engine) {
  const type = columns(engine);
  const { integer, real } = type;

  for (const source of ['channel', 'playlist']) {
    await db.schema.alterTable(source).addColumn('rules', 'text').execute();
    await db.schema.alterTable(source).addColumn('scannedAt', integer).execute();
    await db.schema.alterTable(source).addColumn('goneSince', integer).execute();
    await db.schema.alterTable(source).addColumn('goneAs', 'text').execute();
  }
  await db.schema.alterTable('channel').addColumn('handle', 'text').execute();
  await db.schema.createIndex('channelByHandle').on('channel').column('handle').execute();
  // When the whole of it was last listed: from then on the feed tells what is new.
  await db.schema.alterTable('channel').addColumn('listedAt', integer).execute();

  await db.schema.alterTable('video').addColumn('goneSince', integer).execute();
  await db.schema.alterTable('video').addColumn('goneAs', 'text').execute();
  await db.schema
    .alterTable('video')
    .addColumn('isKept', integer, (c) => c.notNull().defaultTo(0))
    .execute();
  await db.schema.alterTable('video').addColumn('verifiedAt', integer).execute();
  await db.schema.alterTable('video').addColumn('damage', 'text').execute();
  await db.schema.createIndex('videoByRefresh').on('video').columns(['isActive', 'refreshedAt']).execute();

  await db.schema
    .alterTable('download')
    .addColumn('failures', integer, (c) => c.notNull().defaultTo(0))
    .execute();
  await db.schema.alterTable('download').addColumn('retryAt', integer).execute();
  await db.schema.createIndex('downloadByRetry').on('download').column('retryAt').execute();

  await db.schema
    .createTable('sitePause')
    .addColumn('site', 'text', (c) => c.primaryKey())
    .addColumn('untilAt', integer, (c) => c.notNull())
    .addColumn('failure', 'text', (c) => c.notNull())
    .addColumn('message', 'text', (c) => c.notNull())
    .addColumn('times', integer, (c) => c.notNull())
    .$call(type.strict)
    .execute();

  await db.schema
    .createTable('listed')
    .addColumn('videoId', 'text', (c) => c.primaryKey())
    .addColumn('channelId', 'text', (c) => c.notNull())
    .addColumn('title', 'text', (c) => c.notNull())
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('durationSeconds', integer)
    .addColumn('publishedAt', integer)
    .addColumn('isMembersOnly', integer, (c) => c.notNull())
    .addColumn('listedAt', integer, (c) => c.notNull())
    .$call(type.strict)
    .execute();
  await db.schema.createIndex('listedOfChannel').on('listed').columns(['channelId', 'videoId']).execute();

  // How far a long listing has come, so that one that was stopped goes on there.
  await db.schema
    .createTable('listing')
    .addColumn('url', 'text', (c) => c.primaryKey())
    .addColumn('reached', integer, (c) => c.notNull())
    .addColumn('updatedAt', integer, (c) => c.notNull())
    .$call(type.strict)
    .execute();

  await db.schema
    .createTable('earlier')
    .addColumn('videoId', 'text', (c) => c.notNull().references('video.id').onDelete('cascade'))
    .addColumn('what', 'text', (c) => c.notNull())
    .addColumn('until', integer, (c) => c.notNull())
    .addColumn('value', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('earlierKey', ['videoId', 'what', 'until'])
    .$call(type.strict)
    .execute();

  // Files that no row names any more: they go, now or at the next start.
  await db.schema
    .createTable('removal')
    .addColumn('path', 'text', (c) => c.primaryKey())
    .$call(type.strict)
    .execute();

  await db.schema
    .createTable('refreshWish')
    .addColumn('number', integer, type.autoId)
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('id', 'text', (c) => c.notNull())
    .addColumn('isByHand', integer, (c) => c.notNull())
    .addUniqueConstraint('refreshWishOnce', ['kind', 'id'])
    .$call(type.strict)
    .execute();

  await db.schema
    .createTable('line')
    .addColumn('videoId', 'text', (c) => c.notNull().references('video.id').onDelete('cascade'))
    .addColumn('lang', 'text', (c) => c.notNull())
    .addColumn('position', integer, (c) => c.notNull())
    .addColumn('startSeconds', real, (c) => c.notNull())
    .addColumn('endSeconds', real, (c) => c.notNull())
    .addColumn('text', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('lineKey', ['videoId', 'lang', 'position'])
    .$call(type.strict)
    .execute();
}
