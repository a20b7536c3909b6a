import { message, type Message } from '#contract/messages.ts';
import { sql } from 'kysely';
import type { Db } from '../../../platform/db/db.ts';
import { heightClass } from '../../../platform/db/triggers/stats.ts';
import { monthSeconds } from '../../../platform/db/triggers/monthly-counts.ts';

type Row = Record<string, string | number>;

const month = sql<number>`video.published_at / ${sql.lit(monthSeconds)}`.as('month');

/** Yields a message for each difference between stored and counted rows. */
function* differences(name: string, stored: Row[], counted: Row[]): Generator<Message> {
  const lineOf = (row: Row) =>
    Object.entries(row)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([column, value]) => `${column} ${value}`)
      .join(', ');
  const right = new Set(counted.map(lineOf));
  const found = new Set(stored.map(lineOf));
  for (const line of right) if (!found.has(line)) yield message('consistency.count-missing', { name, row: line });
  for (const line of found) if (!right.has(line)) yield message('consistency.count-extra', { name, row: line });
}

/** Verifies the counters that triggers maintain (docs/decisions/counters-by-triggers.md). */
export async function* findWrongCounts(db: Db): AsyncGenerator<Message> {
  yield* differences(
    'videos',
    await db.selectFrom('videoCount').selectAll().where('videos', '!=', 0).execute(),
    await db
      .selectFrom('video')
      .select(['channelId', 'kind', 'isActive'])
      .select((e) => [e.fn.countAll<number>().as('videos'), e.fn.sum<number>('sizeBytes').as('sizeBytes')])
      .select((e) => e.fn.sum<number>('durationSeconds').as('durationSeconds'))
      .groupBy(['channelId', 'kind', 'isActive'])
      .execute(),
  );
  yield* differences(
    'videos by kind',
    await db.selectFrom('videoKindCount').selectAll().where('videos', '!=', 0).execute(),
    await db
      .selectFrom('video')
      .select(['kind', 'isActive'])
      .select((e) => [e.fn.countAll<number>().as('videos'), e.fn.sum<number>('sizeBytes').as('sizeBytes')])
      .select((e) => e.fn.sum<number>('durationSeconds').as('durationSeconds'))
      .groupBy(['kind', 'isActive'])
      .execute(),
  );
  yield* differences(
    'watched videos',
    await db.selectFrom('watchCount').selectAll().where('videos', '!=', 0).execute(),
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
    'watched videos by kind',
    await db.selectFrom('watchKindCount').selectAll().where('videos', '!=', 0).execute(),
    await db
      .selectFrom('watch')
      .innerJoin('video', 'video.id', 'watch.videoId')
      .select(['accountId', 'kind'])
      .select((e) => [e.fn.countAll<number>().as('videos'), e.fn.sum<number>('durationSeconds').as('durationSeconds')])
      .where('watchedAt', 'is not', null)
      .groupBy(['accountId', 'kind'])
      .execute(),
  );
  for (const source of ['channel', 'playlist'] as const)
    yield* differences(
      `${source}s`,
      await db.selectFrom('sourceCount').selectAll().where('source', '=', source).where('sources', '!=', 0).execute(),
      await db
        .selectFrom(source)
        .select((e) => [e.val<string>(source).as('source'), 'isActive', 'isSubscribed', e.fn.countAll<number>().as('sources')])
        .groupBy(['isActive', 'isSubscribed'])
        .execute(),
    );
  yield* differences(
    'queue items',
    await db.selectFrom('queueCount').selectAll().where('items', '!=', 0).execute(),
    await db
      .selectFrom('download')
      .select(['channelId', 'channelName', 'status', 'kind'])
      .select((e) => e.fn.countAll<number>().as('items'))
      .groupBy(['channelId', 'channelName', 'status', 'kind'])
      .execute(),
  );
  yield* differences(
    'queue items by channel',
    await db.selectFrom('queueChannelCount').selectAll().where('items', '!=', 0).execute(),
    await db
      .selectFrom('download')
      .select(['status', 'channelId', 'channelName'])
      .select((e) => e.fn.countAll<number>().as('items'))
      .groupBy(['status', 'channelId', 'channelName'])
      .execute(),
  );
  yield* differences(
    'queue items by status',
    await db.selectFrom('queueStatusCount').selectAll().where('items', '!=', 0).execute(),
    await db
      .selectFrom('download')
      .select((e) => ['status', 'kind', e.fn.coalesce('failure', e.val('')).as('failureClass'), 'isOnRequest'])
      .select((e) => e.fn.countAll<number>().as('items'))
      .groupBy(['status', 'kind', 'failureClass', 'isOnRequest'])
      .execute()
      .then((rows) => rows.map(({ failureClass: failure, ...row }) => ({ failure, ...row }))),
  );
  yield* differences(
    'playlists',
    await db.selectFrom('playlistVideo').selectAll().execute(),
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
    await db.selectFrom('monthCount').selectAll().where('videos', '!=', 0).execute(),
    await db
      .selectFrom('video')
      .select((e) => ['kind', month, e.fn.countAll<number>().as('videos')])
      .groupBy(['kind', 'month'])
      .execute(),
  );
  yield* differences(
    'watched videos by month',
    await db.selectFrom('watchMonthCount').selectAll().where('videos', '!=', 0).execute(),
    await db
      .selectFrom('watch')
      .innerJoin('video', 'video.id', 'watch.videoId')
      .select((e) => ['accountId', 'kind', month, e.fn.countAll<number>().as('videos')])
      .where('watchedAt', 'is not', null)
      .groupBy(['accountId', 'kind', 'month'])
      .execute(),
  );
  yield* differences(
    'watch times',
    await db.selectFrom('watchTimeCount').selectAll().execute(),
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
    'videos by height',
    await db.selectFrom('heightCount').selectAll().where('videos', '!=', 0).execute(),
    await db
      .selectFrom('video')
      .select((e) => ['height', 'kind', e.fn.countAll<number>().as('videos')])
      .groupBy(['height', 'kind'])
      .execute(),
  );
  yield* differences(
    'days',
    await db.selectFrom('dayCount').selectAll().where('videos', '!=', 0).execute(),
    await db
      .selectFrom('video')
      .select((e) => [e('downloadedAt', '/', e.lit(86_400)).as('day'), e.fn.countAll<number>().as('videos')])
      .select((e) => e.fn.sum<number>('sizeBytes').as('sizeBytes'))
      .groupBy('day')
      .execute(),
  );
  yield* differences(
    'videos that not every iPhone plays',
    await db.selectFrom('incompatibleCount').selectAll().where('videos', '!=', 0).execute(),
    await db
      .selectFrom('incompatibleVideo')
      .select((e) => ['fix', e.fn.countAll<number>().as('videos')])
      .groupBy('fix')
      .execute(),
  );
  yield* differences(
    'list filters',
    await db.selectFrom('facetCount').selectAll().where('videos', '!=', 0).execute(),
    await db
      .selectFrom('facet')
      .select((e) => ['kind', 'value', e.fn.countAll<number>().as('videos')])
      .groupBy(['kind', 'value'])
      .execute(),
  );
  yield* differences(
    'heights and codecs',
    await db.selectFrom('formatCount').selectAll().where('videos', '!=', 0).execute(),
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
