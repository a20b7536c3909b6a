import { sql } from 'kysely';
import type { Db } from '../db/db.ts';
import { heightClass } from '../db/figure-triggers.ts';
import { monthSeconds } from '../db/month-triggers.ts';

type Row = Record<string, string | number>;

const month = sql<number>`video.published_at / ${sql.lit(monthSeconds)}`.as('month');

/** What differs between what is kept counted and what counting says, one sentence each. */
function* differences(what: string, kept: Row[], counted: Row[]): Generator<string> {
  const lineOf = (row: Row) =>
    Object.entries(row)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, value]) => `${name} ${value}`)
      .join(', ');
  const right = new Set(counted.map(lineOf));
  const found = new Set(kept.map(lineOf));
  for (const line of right) if (!found.has(line)) yield `The tally of ${what} lacks: ${line}.`;
  for (const line of found) if (!right.has(line)) yield `The tally of ${what} says, and it is not so: ${line}.`;
}

/** The numbers that triggers keep (migration 0006) are what counting would say. */
export async function* wrongTallies(db: Db): AsyncGenerator<string> {
  yield* differences(
    'videos',
    await db.selectFrom('tally').selectAll().where('videos', '!=', 0).execute(),
    await db
      .selectFrom('video')
      .select(['channelId', 'kind', 'isActive'])
      .select((e) => [e.fn.countAll<number>().as('videos'), e.fn.sum<number>('sizeBytes').as('sizeBytes')])
      .select((e) => e.fn.sum<number>('durationSeconds').as('durationSeconds'))
      .groupBy(['channelId', 'kind', 'isActive'])
      .execute(),
  );
  yield* differences(
    'what people watched',
    await db.selectFrom('watchTally').selectAll().where('videos', '!=', 0).execute(),
    await db
      .selectFrom('watch')
      .innerJoin('video', 'video.id', 'watch.videoId')
      .select(['accountId', 'channelId', 'kind'])
      .select((e) => [e.fn.countAll<number>().as('videos'), e.fn.sum<number>('durationSeconds').as('durationSeconds')])
      .where('watchedAt', 'is not', null)
      .groupBy(['accountId', 'channelId', 'kind'])
      .execute(),
  );
  yield* differences(
    'the queue',
    await db.selectFrom('queueTally').selectAll().where('items', '!=', 0).execute(),
    await db
      .selectFrom('download')
      .select(['channelId', 'channelName', 'status', 'kind'])
      .select((e) => e.fn.countAll<number>().as('items'))
      .groupBy(['channelId', 'channelName', 'status', 'kind'])
      .execute(),
  );
  yield* differences(
    'what playlists show',
    await db.selectFrom('playlistShown').selectAll().execute(),
    await db
      .selectFrom('playlistEntry')
      .innerJoin('video', 'video.id', 'playlistEntry.videoId')
      .select(['playlistId', 'videoId'])
      .select((e) => e.fn.min<number>('position').as('position'))
      .groupBy(['playlistId', 'videoId'])
      .execute(),
  );
  yield* differences(
    'months',
    await db.selectFrom('monthTally').selectAll().where('videos', '!=', 0).execute(),
    await db
      .selectFrom('video')
      .select((e) => ['kind', month, e.fn.countAll<number>().as('videos')])
      .groupBy(['kind', 'month'])
      .execute(),
  );
  yield* differences(
    'what people watched of a month',
    await db.selectFrom('watchMonthTally').selectAll().where('videos', '!=', 0).execute(),
    await db
      .selectFrom('watch')
      .innerJoin('video', 'video.id', 'watch.videoId')
      .select((e) => ['accountId', 'kind', month, e.fn.countAll<number>().as('videos')])
      .where('watchedAt', 'is not', null)
      .groupBy(['accountId', 'kind', 'month'])
      .execute(),
  );
  yield* differences(
    'when people watched',
    await db.selectFrom('watchTimeTally').selectAll().execute(),
    await db
      .selectFrom('watch')
      .innerJoin('video', 'video.id', 'watch.videoId')
      .select((e) => ['accountId', e.ref('watchedAt').$notNull().as('watchedAt'), e.fn.countAll<number>().as('videos')])
      .select((e) => e.fn.sum<number>('durationSeconds').as('durationSeconds'))
      .where('watchedAt', 'is not', null)
      .groupBy(['accountId', 'watchedAt'])
      .execute(),
  );
  yield* differences(
    'days',
    await db.selectFrom('dayTally').selectAll().where('videos', '!=', 0).execute(),
    await db
      .selectFrom('video')
      .select((e) => [e('downloadedAt', '/', e.lit(86_400)).as('day'), e.fn.countAll<number>().as('videos')])
      .select((e) => e.fn.sum<number>('sizeBytes').as('sizeBytes'))
      .groupBy('day')
      .execute(),
  );
  yield* differences(
    'what not every iPhone plays',
    await db.selectFrom('awkwardTally').selectAll().where('videos', '!=', 0).execute(),
    await db
      .selectFrom('awkward')
      .select((e) => ['mend', e.fn.countAll<number>().as('videos')])
      .groupBy('mend')
      .execute(),
  );
  yield* differences(
    'what lists are narrowed to',
    await db.selectFrom('facetTally').selectAll().where('videos', '!=', 0).execute(),
    await db
      .selectFrom('facet')
      .select((e) => ['kind', 'value', e.fn.countAll<number>().as('videos')])
      .groupBy(['kind', 'value'])
      .execute(),
  );
  yield* differences(
    'heights and codecs',
    await db.selectFrom('formatTally').selectAll().where('videos', '!=', 0).execute(),
    await db
      .selectFrom('stream')
      .innerJoin('video', 'video.id', 'stream.videoId')
      .where('stream.type', '=', 'video')
      .select(sql<number>`${sql.raw(heightClass('stream'))}`.as('heightClass'))
      .select((e) => ['stream.codec', e.fn.countAll<number>().as('videos'), e.fn.sum<number>('video.sizeBytes').as('sizeBytes')])
      .groupBy(['heightClass', 'stream.codec'])
      .execute()
      .then((rows) => rows.map(({ heightClass: height, ...row }) => ({ height, ...row }))),
  );
}
