import { sql, type Kysely } from 'kysely';
import { columns } from '../columns.ts';
import type { Engine } from '../db.ts';
import { tallyTriggers } from '../tally-triggers.ts';

// Sorting 100,000 videos by anything must not touch them all: each order has an index that also answers what lists filter
// by, so that a page, however deep, is found in the index alone.
const orders = {
  videoByPublished: 'publishedAt',
  videoByDownloaded: 'downloadedAt',
  videoByViews: 'viewCount',
  videoByLikes: 'likeCount',
  videoByDuration: 'durationSeconds',
  videoBySize: 'sizeBytes',
  videoByWidth: 'width',
  videoByHeight: 'height',
};

/**
 * Numbers that are kept instead of counted: what each channel holds, what each person watched of it, what is in the queue; and the indexes that
 * lists of 100,000 videos need.
 * @public
 */
export async function up(db: Kysely<never>, engine: Engine) {
  const type = columns(engine);
  const { integer } = type;

  await db.schema
    .createTable('tally')
    .addColumn('channelId', 'text', (c) => c.notNull().references('channel.id').onDelete('cascade'))
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('isActive', integer, (c) => c.notNull())
    .addColumn('videos', integer, (c) => c.notNull())
    .addColumn('sizeBytes', integer, (c) => c.notNull())
    .addColumn('durationSeconds', integer, (c) => c.notNull())
    .addPrimaryKeyConstraint('tallyKey', ['channelId', 'kind', 'isActive'])
    .$call(type.strict)
    .execute();
  await db.schema
    .createTable('watchTally')
    .addColumn('accountId', integer, (c) => c.notNull().references('account.id').onDelete('cascade'))
    .addColumn('channelId', 'text', (c) => c.notNull().references('channel.id').onDelete('cascade'))
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('videos', integer, (c) => c.notNull())
    .addColumn('durationSeconds', integer, (c) => c.notNull())
    .addPrimaryKeyConstraint('watchTallyKey', ['accountId', 'channelId', 'kind'])
    .$call(type.strict)
    .execute();

  await db.schema
    .createTable('queueTally')
    .addColumn('channelId', 'text', (c) => c.notNull())
    .addColumn('channelName', 'text', (c) => c.notNull())
    .addColumn('status', 'text', (c) => c.notNull())
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('items', integer, (c) => c.notNull())
    .addPrimaryKeyConstraint('queueTallyKey', ['channelId', 'channelName', 'status', 'kind'])
    .$call(type.strict)
    .execute();

  await sql`insert into tally (channel_id, kind, is_active, videos, size_bytes, duration_seconds)
    select channel_id, kind, is_active, count(*), sum(size_bytes), sum(duration_seconds) from video group by 1, 2, 3`.execute(db);
  await sql`insert into watch_tally (account_id, channel_id, kind, videos, duration_seconds)
    select account_id, channel_id, kind, count(*), sum(duration_seconds) from watch join video on video.id = watch.video_id
    where watched_at is not null group by 1, 2, 3`.execute(db);
  await sql`insert into queue_tally (status, channel_id, channel_name, kind, items)
    select status, channel_id, channel_name, kind, count(*) from download group by 1, 2, 3, 4`.execute(db);
  for (const statement of tallyTriggers(engine)) await sql.raw(statement).execute(db);

  await db.schema.dropIndex('videoByPublished').execute();
  await db.schema.dropIndex('videoByDownloaded').execute();
  for (const [name, column] of Object.entries(orders)) {
    const also = ['id', 'kind', 'height', ...(column === 'downloadedAt' ? ['sizeBytes'] : [])].filter(
      (other) => other !== column,
    );
    await db.schema
      .createIndex(name)
      .on('video')
      .columns([column, ...also])
      .execute();
  }
  // A channel may have thousands: sorted by anything but their date, this index is all that is read of them.
  await db.schema
    .createIndex('videoOfChannelInAnyOrder')
    .on('video')
    .columns(['channelId', 'id', 'kind', ...Object.values(orders)])
    .execute();
  // What somebody may go on with: few of all they ever began.
  await sql`create index watch_to_continue on watch (account_id, updated_at, video_id)
    where watched_at is null and position_seconds is not null`.execute(db);
  await sql`create index watch_done on watch (account_id, video_id) where watched_at is not null`.execute(db);

  await db.schema.dropIndex('downloadInOrder').execute();
  await sql`create index download_in_order on download (status, auto_start desc, queued_at, number)`.execute(db);
  // With what is looked for by words: so that those are looked for in the index alone.
  await sql`create index download_of_both on download (auto_start desc, queued_at, number, status, folded_title)`.execute(db);
  await sql`create index download_failed on download (status, auto_start desc, queued_at, number) where failure is not null`.execute(
    db,
  );
  await db.schema.createIndex('playlistOfChannel').on('playlist').columns(['channelId', 'sortName', 'id']).execute();
  await db.schema.dropIndex('playlistEntryOfVideo').execute();
  await db.schema
    .createIndex('playlistEntryOfVideo')
    .on('playlistEntry')
    .columns(['videoId', 'playlistId', 'position'])
    .execute();
}
