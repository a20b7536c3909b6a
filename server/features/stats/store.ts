import type { ExpressionBuilder } from 'kysely';
import type { Db } from '../../platform/db/db.ts';
import type { Tables } from '../../platform/db/schema/tables.ts';
import type { Period } from './clock.ts';
import type { LocalHour } from './group-by-hour.ts';

const sums = (e: ExpressionBuilder<Tables, 'videoCount'>) =>
  [
    e.fn.sum<number>('videoCount.videos').as('videos'),
    e.fn.sum<number>('videoCount.sizeBytes').as('sizeBytes'),
    e.fn.sum<number>('videoCount.durationSeconds').as('durationSeconds'),
  ] as const;

/** Number, size and duration of videos by kind and availability. */
export const sumsByKind = (db: Db) => db.lookups.selectFrom('videoKindCount').selectAll().execute();

/** When the metadata of a video were refreshed last; null without videos. */
export async function lastRefresh(db: Db): Promise<number | null> {
  const lastOf = (isActive: 0 | 1) =>
    db.lookups
      .selectFrom('video')
      .select('refreshedAt')
      .where('isActive', '=', isActive)
      .orderBy('refreshedAt', 'desc')
      .limit(1)
      .executeTakeFirst();
  const found = await Promise.all([lastOf(0), lastOf(1)]);
  return found.reduce<number | null>(
    (last, row) => (row && (last === null || row.refreshedAt > last) ? row.refreshedAt : last),
    null,
  );
}

/** Counts channels or playlists by subscription and availability. */
export const countSources = (db: Db, source: 'channel' | 'playlist') =>
  db.lookups.selectFrom('sourceCount').selectAll().where('source', '=', source).execute();

export const countQueue = (db: Db) =>
  db.lookups
    .selectFrom('queueStatusCount')
    .select(['status', 'kind'])
    .select((e) => e.fn.sum<number>('items').as('count'))
    .groupBy(['status', 'kind'])
    .execute();

const hourSeconds = 3600;

const downloadedIn = (db: Db, { from, to, ahead }: Period, unit: number) =>
  db
    .selectFrom('video')
    .select((e) => [
      e(e.parens(e('downloadedAt', '+', e.lit(ahead))), '/', e.lit(unit)).as('passed'),
      e.fn.countAll<number>().as('count'),
    ])
    .where('downloadedAt', '>=', from)
    .where('downloadedAt', '<', to)
    .groupBy('passed');

/** Downloads in some periods by local day, counted since 1970. */
export async function downloadsByDay(db: Db, periods: Period[]) {
  const found = periods.map((period) =>
    downloadedIn(db, period, 24 * hourSeconds)
      .select((e) => e.fn.sum<number>('sizeBytes').as('sizeBytes'))
      .execute(),
  );
  return (await Promise.all(found)).flat();
}

/** Downloads in some periods by local hour. Reads only the index. */
export async function downloadsByHour(db: Db, periods: Period[]): Promise<LocalHour[]> {
  const rows = await Promise.all(periods.map((period) => downloadedIn(db, period, hourSeconds).execute()));
  return rows.flat().map(({ passed, count }) => ({ hour: passed, count, durationSeconds: 0 }));
}

/** Sums that change when the set of videos downloaded before a day changes. `day` counts UTC days since 1970. */
export const downloadsUntil = (db: Db, day: number) =>
  db
    .selectFrom('dayCount')
    .select((e) => [e.fn.sum<number>('videos').as('videos'), e.fn.sum<number>(e('videos', '*', e.ref('day'))).as('places')])
    .where('day', '<', day)
    .executeTakeFirstOrThrow();

/**
 * Videos that a user has watched in some periods, by local hour since 1970. Videos marked together in one second were not watched
 * then, so they are omitted.
 */
export async function watchedIn(db: Db, accountId: number, periods: Period[]): Promise<LocalHour[]> {
  const found = periods.map(({ from, to, ahead }) =>
    db
      .selectFrom('watchTimeCount')
      .select((e) => [
        e(e.parens(e('watchedAt', '+', e.lit(ahead))), '/', e.lit(hourSeconds)).as('hour'),
        e.fn.countAll<number>().as('count'),
        e.fn.sum<number>('durationSeconds').as('durationSeconds'),
      ])
      .where('accountId', '=', accountId)
      .where('watchedAt', '>=', from)
      .where('watchedAt', '<', to)
      .where('videos', '=', 1)
      .groupBy('hour')
      .execute(),
  );
  return (await Promise.all(found)).flat();
}

/** Sums what a user has watched since a time, including videos marked together. */
export const watchedSince = (db: Db, accountId: number, from: number) =>
  db
    .selectFrom('watchTimeCount')
    .select((e) => [
      e.fn.coalesce(e.fn.sum<number>('videos'), e.lit(0)).as('videos'),
      e.fn.coalesce(e.fn.sum<number>('durationSeconds'), e.lit(0)).as('durationSeconds'),
    ])
    .where('accountId', '=', accountId)
    .where('watchedAt', '>=', from)
    .executeTakeFirstOrThrow();

const orders = { doc_count: 'videos', duration: 'durationSeconds', media_size: 'sizeBytes' } as const;

/** Lists the ten largest channels. */
export const biggestChannels = (db: Db, order: keyof typeof orders) =>
  db
    // Only the names of these ten are looked up.
    .selectFrom((from) =>
      from
        .selectFrom('videoCount')
        .select('channelId')
        .select(sums)
        .groupBy('channelId')
        .having((h) => h(h.fn.sum<number>('videoCount.videos'), '>', 0))
        .orderBy(orders[order], 'desc')
        .orderBy('channelId')
        .limit(10)
        .as('biggest'),
    )
    .innerJoin('channel', 'channel.id', 'biggest.channelId')
    .select(['channel.id', 'channel.name', 'biggest.videos', 'biggest.sizeBytes', 'biggest.durationSeconds'])
    .orderBy(`biggest.${orders[order]}`, 'desc')
    .orderBy('channel.id')
    .execute();
