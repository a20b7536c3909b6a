import type { ExpressionBuilder } from 'kysely';
import type { Db } from '../db/db.ts';
import type { Tables } from '../db/tables.ts';

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

// Every time zone is a multiple of a quarter of an hour away from UTC, so that these fall into one day each.
const quarter = 900;

/** What was downloaded since a time, by quarters of an hour. */
export async function downloadsSince(db: Db, since: number) {
  const rows = await db
    .selectFrom('video')
    .select((e) => [
      e('downloadedAt', '/', e.lit(quarter)).as('quarter'),
      e.fn.countAll<number>().as('count'),
      e.fn.sum<number>('sizeBytes').as('sizeBytes'),
    ])
    .where('downloadedAt', '>=', since)
    .groupBy('quarter')
    .orderBy('quarter')
    .execute();
  return rows.map((row) => ({ at: row.quarter * quarter, count: row.count, sizeBytes: row.sizeBytes }));
}

/**
 * What a person has finished since a time, by quarters of an hour. What was marked together in one second was not watched then,
 * and is left out.
 */
export async function watchedSince(db: Db, accountId: number, since: number) {
  const rows = await db
    .selectFrom((e) =>
      e
        .selectFrom('watch')
        .innerJoin('video', 'video.id', 'watch.videoId')
        .select((w) => [
          w('watchedAt', '/', w.lit(quarter)).as('quarter'),
          w.fn.sum<number>('durationSeconds').as('durationSeconds'),
        ])
        .where('accountId', '=', accountId)
        .where('updatedAt', '>=', since)
        .where('watchedAt', '>=', since)
        .groupBy('watchedAt')
        .having((h) => h(h.fn.countAll<number>(), '=', 1))
        .as('finished'),
    )
    .select((e) => ['quarter', e.fn.countAll<number>().as('count'), e.fn.sum<number>('durationSeconds').as('durationSeconds')])
    .groupBy('quarter')
    .execute();
  return rows.map((row) => ({ at: row.quarter! * quarter, count: row.count, durationSeconds: row.durationSeconds }));
}

/** When the last video came; null when there is none. */
export const newestDownload = async (db: Db) =>
  (
    await db
      .selectFrom('video')
      .select((e) => e.fn.max('downloadedAt').as('at'))
      .executeTakeFirst()
  )?.at ?? null;

/** When what a person watched, or where they are in something, last changed; null when nothing has. */
export const newestWatch = async (db: Db, accountId: number) =>
  (
    await db
      .selectFrom('watch')
      .select((e) => e.fn.max('updatedAt').as('at'))
      .where('accountId', '=', accountId)
      .executeTakeFirst()
  )?.at ?? null;

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
