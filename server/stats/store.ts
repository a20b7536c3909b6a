import type { ExpressionBuilder } from 'kysely';
import type { Db } from '../db/db.ts';
import type { Tables } from '../db/tables.ts';
import type { Period } from './clock.ts';
import type { LocalHour } from './hours.ts';

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
export async function downloadsByHour(db: Db, periods: Period[]): Promise<LocalHour[]> {
  const rows = await Promise.all(periods.map((period) => downloadedIn(db, period, hourSeconds).execute()));
  return rows.flat().map(({ passed, count }) => ({ hour: passed, count, durationSeconds: 0 }));
}

/** What differs when other videos came before a day, which is counted from 1970 by UTC. */
export const downloadsUntil = (db: Db, day: number) =>
  db
    .selectFrom('dayTally')
    .select((e) => [e.fn.sum<number>('videos').as('videos'), e.fn.sum<number>(e('videos', '*', e.ref('day'))).as('places')])
    .where('day', '<', day)
    .executeTakeFirstOrThrow();

/**
 * What a person has finished in some periods, by how many hours had passed on the local clock since 1970. What was marked together in
 * one second was not watched then, and is left out.
 */
export async function watchedIn(db: Db, accountId: number, periods: Period[]): Promise<LocalHour[]> {
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

/** How much a person has watched since some time, also what was marked together. */
export const watchedSince = (db: Db, accountId: number, from: number) =>
  db
    .selectFrom('watchTimeTally')
    .select((e) => [
      e.fn.coalesce(e.fn.sum<number>('videos'), e.lit(0)).as('videos'),
      e.fn.coalesce(e.fn.sum<number>('durationSeconds'), e.lit(0)).as('durationSeconds'),
    ])
    .where('accountId', '=', accountId)
    .where('watchedAt', '>=', from)
    .executeTakeFirstOrThrow();

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
