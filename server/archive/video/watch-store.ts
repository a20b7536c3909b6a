import { sql, type Insertable } from 'kysely';
import { chunks, type Db, type Tx } from '../../platform/db/db.ts';
import type { WatchTable } from '../../platform/db/schema/tables.ts';

/** Sets or clears the watched state of videos for a user and deletes their resume positions. */
export async function saveWatched(db: Db | Tx, accountId: number, videoIds: string[], watchedAt: number | null, now: number) {
  for (const batch of chunks(videoIds))
    await db
      .insertInto('watch')
      .values(batch.map((videoId) => ({ accountId, videoId, watchedAt, positionSeconds: null, updatedAt: now })))
      .onConflict((c) => c.columns(['accountId', 'videoId']).doUpdateSet({ watchedAt, positionSeconds: null, updatedAt: now }))
      .execute();
}

/** Like `saveWatched`, but changes only rows that differ, and ignores videos that are deleted meanwhile. */
export async function saveWatchedOfAll(tx: Tx, accountId: number, videoIds: string[], watchedAt: number | null, now: number) {
  const change = { watchedAt, positionSeconds: null, updatedAt: now };
  for (const batch of chunks(videoIds)) {
    if (watchedAt === null)
      await tx
        .updateTable('watch')
        .set(change)
        .where('accountId', '=', accountId)
        .where('videoId', 'in', batch)
        .where((w) => w.or([w('watchedAt', 'is not', null), w('positionSeconds', 'is not', null)]))
        .execute();
    else
      await tx
        .insertInto('watch')
        .columns(['accountId', 'videoId', 'watchedAt', 'positionSeconds', 'updatedAt'])
        .expression((e) =>
          e
            .selectFrom('video')
            .select([
              sql<number>`cast(${accountId} as integer)`.as('accountId'),
              'video.id',
              sql<number>`cast(${watchedAt} as bigint)`.as('watchedAt'),
              sql<null>`cast(null as double precision)`.as('positionSeconds'),
              sql<number>`cast(${now} as bigint)`.as('updatedAt'),
            ])
            .where('video.id', 'in', batch),
        )
        .onConflict((c) => c.columns(['accountId', 'videoId']).doUpdateSet(change).where('watch.watchedAt', 'is', null))
        .execute();
  }
}

export interface PreviousWatch {
  videoId: string;
  watchedAt: number | null;
  positionSeconds: number | null;
}

/** Returns the watch states of a user by video id. */
export async function watchStatesOf(db: Db | Tx, accountId: number, videoIds: string[]) {
  const rows = await db
    .selectFrom('watch')
    .select(['videoId', 'watchedAt', 'positionSeconds'])
    .where('accountId', '=', accountId)
    .where('videoId', 'in', videoIds)
    .execute();
  return new Map(rows.map((row) => [row.videoId, row]));
}

/** Returns the watch states that `saveWatchedOfAll` will change. */
export async function readPreviousWatches(
  tx: Tx,
  accountId: number,
  videoIds: string[],
  isWatched: boolean,
): Promise<PreviousWatch[]> {
  const known = await watchStatesOf(tx, accountId, videoIds);
  if (!isWatched)
    return [...known.values()].filter(({ watchedAt, positionSeconds }) => watchedAt !== null || positionSeconds !== null);
  return videoIds
    .map((videoId) => known.get(videoId) ?? { videoId, watchedAt: null, positionSeconds: null })
    .filter(({ watchedAt }) => watchedAt === null);
}

/** Restores watch states that have not changed since they were set. Returns their number. */
export async function restoreWatches(
  tx: Tx,
  accountId: number,
  before: PreviousWatch[],
  mark: { watchedAt: number | null; at: number },
  now: number,
): Promise<number> {
  const unchangedRows = await tx
    .selectFrom('watch')
    .select('videoId')
    .where('accountId', '=', accountId)
    .where(
      'videoId',
      'in',
      before.map(({ videoId }) => videoId),
    )
    .where('updatedAt', '=', mark.at)
    .where('watchedAt', mark.watchedAt === null ? 'is' : '=', mark.watchedAt)
    .where('positionSeconds', 'is', null)
    .execute();
  const unchanged = new Set(unchangedRows.map(({ videoId }) => videoId));
  const rows = before.filter(({ videoId }) => unchanged.has(videoId)).map((row) => ({ accountId, ...row, updatedAt: now }));
  if (rows.length > 0) await writeWatchRows(tx, rows);
  return rows.length;
}

/** Writes watch states, which replace those of the same users and videos. */
export const writeWatchRows = (tx: Tx, rows: Insertable<WatchTable>[]) =>
  tx
    .insertInto('watch')
    .values(rows)
    .onConflict((c) =>
      c.columns(['accountId', 'videoId']).doUpdateSet((e) => ({
        watchedAt: e.ref('excluded.watchedAt'),
        positionSeconds: e.ref('excluded.positionSeconds'),
        updatedAt: e.ref('excluded.updatedAt'),
      })),
    )
    .execute();

/** Saves a resume position. Usually the row exists, and an update of these columns runs no trigger. */
export async function savePosition(db: Db, accountId: number, videoId: string, positionSeconds: number, now: number) {
  const change = { positionSeconds, updatedAt: now };
  const { numUpdatedRows } = await db
    .updateTable('watch')
    .set(change)
    .where('accountId', '=', accountId)
    .where('videoId', '=', videoId)
    .executeTakeFirstOrThrow();
  if (numUpdatedRows > 0) return;
  await db
    .insertInto('watch')
    .values({ accountId, videoId, watchedAt: null, ...change })
    .onConflict((c) => c.columns(['accountId', 'videoId']).doUpdateSet(change))
    .execute();
}

export const deletePosition = (db: Db, accountId: number, videoId: string, now: number) =>
  db
    .updateTable('watch')
    .set({ positionSeconds: null, updatedAt: now })
    .where('accountId', '=', accountId)
    .where('videoId', '=', videoId)
    .execute();

export const findWatch = (db: Db, accountId: number, videoId: string) =>
  db
    .selectFrom('watch')
    .select(['watchedAt', 'positionSeconds'])
    .where('accountId', '=', accountId)
    .where('videoId', '=', videoId)
    .executeTakeFirst();
