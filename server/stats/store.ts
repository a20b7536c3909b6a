import type { ExpressionBuilder } from 'kysely';
import type { Db } from '../db/db.ts';
import type { Tables } from '../db/tables.ts';
import type { Period } from './clock.ts';

const sums = (e: ExpressionBuilder<Tables, 'tally'>) =>
  [
    e.fn.sum<number>('tally.videos').as('videos'),
    e.fn.sum<number>('tally.sizeBytes').as('sizeBytes'),
    e.fn.sum<number>('tally.durationSeconds').as('durationSeconds'),
  ] as const;

/** How much there is of each kind, apart by whether its site still has it. */
export const sumsByKind = (db: Db) =>
  db.selectFrom('tally').select(['kind', 'isActive']).select(sums).groupBy(['kind', 'isActive']).execute();

/** How many channels or playlists there are, apart by whether they are subscribed to and still there. */
export const countSources = (db: Db, table: 'channel' | 'playlist') =>
  db
    .selectFrom(table)
    .select(['isActive', 'isSubscribed'])
    .select((e) => e.fn.countAll<number>().as('count'))
    .groupBy(['isActive', 'isSubscribed'])
    .execute();

export const countQueue = (db: Db) =>
  db
    .selectFrom('queueTally')
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

/** What was downloaded in some periods, by how many days had passed on the local clock since 1970. */
export async function downloadsByDay(db: Db, periods: Period[]) {
  const found = periods.map((period) =>
    downloadedIn(db, period, 24 * hourSeconds)
      .select((e) => e.fn.sum<number>('sizeBytes').as('sizeBytes'))
      .execute(),
  );
  return (await Promise.all(found)).flat();
}

/** How much that was by hour: the index knows it, however much there is. */
export const downloadsByHour = async (db: Db, periods: Period[]) =>
  (await Promise.all(periods.map((period) => downloadedIn(db, period, hourSeconds).execute()))).flat();

/**
 * What a person has finished in some periods, by how many hours had passed on the local clock since 1970. What was marked together in
 * one second was not watched then, and is left out.
 */
export async function watchedIn(db: Db, accountId: number, periods: Period[]) {
  const found = periods.map(({ from, to, ahead }) =>
    db
      .selectFrom('watchTimeTally')
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

/** When the last video came; null when there is none. */
export const newestDownload = async (db: Db) =>
  (
    await db
      .selectFrom('video')
      .select((e) => e.fn.max('downloadedAt').as('at'))
      .executeTakeFirstOrThrow()
  ).at;

/** When a person last watched something; null when they never have. */
export const newestWatch = async (db: Db, accountId: number) =>
  (
    await db
      .selectFrom('watchTimeTally')
      .select((e) => e.fn.max<number | null>('watchedAt').as('at'))
      .where('accountId', '=', accountId)
      .executeTakeFirstOrThrow()
  ).at;

const orders = { doc_count: 'videos', duration: 'durationSeconds', media_size: 'sizeBytes' } as const;

/** The ten channels that hold the most. */
export const biggestChannels = (db: Db, order: keyof typeof orders) =>
  db
    .selectFrom('tally')
    .innerJoin('channel', 'channel.id', 'tally.channelId')
    .select(['channel.id', 'channel.name'])
    .select(sums)
    .groupBy(['channel.id', 'channel.name'])
    .having((h) => h(h.fn.sum<number>('tally.videos'), '>', 0))
    .orderBy(orders[order], 'desc')
    .orderBy('channel.id')
    .limit(10)
    .execute();
