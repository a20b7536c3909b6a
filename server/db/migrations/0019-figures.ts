import { sql, type Kysely } from 'kysely';
import { columns } from '../columns.ts';
import type { Engine } from '../db.ts';
import { figureTriggers, heightClass, noteAwkward } from '../figure-triggers.ts';

/**
 * What the dashboard tells, kept instead of counted: what came on each day, heights and codecs, what not every iPhone plays. And
 * what is written down from now on: how each site answered day by day, and since when which yt-dlp has been used.
 * @public
 */
export async function up(db: Kysely<never>, engine: Engine) {
  const type = columns(engine);
  const { integer } = type;
  await db.schema
    .createTable('dayTally')
    .addColumn('day', integer, (c) => c.primaryKey())
    .addColumn('videos', integer, (c) => c.notNull())
    .addColumn('sizeBytes', integer, (c) => c.notNull())
    .$call(type.strict)
    .execute();
  await db.schema
    .createTable('formatTally')
    .addColumn('height', integer, (c) => c.notNull())
    .addColumn('codec', 'text', (c) => c.notNull())
    .addColumn('videos', integer, (c) => c.notNull())
    .addColumn('sizeBytes', integer, (c) => c.notNull())
    .addPrimaryKeyConstraint('formatTallyKey', ['height', 'codec'])
    .$call(type.strict)
    .execute();
  await db.schema
    .createTable('awkward')
    .addColumn('videoId', 'text', (c) => c.primaryKey().references('video.id').onDelete('cascade'))
    .addColumn('mend', 'text', (c) => c.notNull())
    .$call(type.strict)
    .execute();
  await db.schema
    .createTable('awkwardTally')
    .addColumn('mend', 'text', (c) => c.primaryKey())
    .addColumn('videos', integer, (c) => c.notNull())
    .$call(type.strict)
    .execute();
  await db.schema.createIndex('awkwardByMend').on('awkward').columns(['mend', 'videoId']).execute();
  await db.schema
    .createTable('siteDay')
    .addColumn('site', 'text', (c) => c.notNull())
    .addColumn('day', integer, (c) => c.notNull())
    .addColumn('archived', integer, (c) => c.notNull().defaultTo(0))
    .addColumn('blocked', integer, (c) => c.notNull().defaultTo(0))
    .addColumn('failed', integer, (c) => c.notNull().defaultTo(0))
    .addPrimaryKeyConstraint('siteDayKey', ['site', 'day'])
    .$call(type.strict)
    .execute();
  await db.schema.createIndex('siteDayByDay').on('siteDay').columns(['day', 'site', 'archived', 'blocked', 'failed']).execute();
  await db.schema
    .createTable('ytdlpUse')
    .addColumn('since', integer, (c) => c.primaryKey())
    .addColumn('version', 'text', (c) => c.notNull())
    .$call(type.strict)
    .execute();

  await sql`insert into day_tally (day, videos, size_bytes)
    select downloaded_at / 86400, count(*), sum(size_bytes) from video group by 1`.execute(db);
  await sql`insert into format_tally (height, codec, videos, size_bytes)
    select ${sql.raw(heightClass('stream'))}, stream.codec, count(*), sum(video.size_bytes)
    from stream join video on video.id = stream.video_id where stream.type = 'video' group by 1, 2`.execute(db);
  await sql.raw(noteAwkward('1 = 1')).execute(db);
  await sql`insert into awkward_tally (mend, videos) select mend, count(*) from awkward group by 1`.execute(db);
  await sql`insert into site_day (site, day, archived)
    select site, downloaded_at / 86400, count(*) from video group by 1, 2`.execute(db);
  for (const statement of figureTriggers(engine)) await sql.raw(statement).execute(db);
}
