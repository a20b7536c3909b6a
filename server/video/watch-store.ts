import { sql } from 'kysely';
import { chunks, type Db, type Tx } from '../db/db.ts';
import { writtenOnce } from '../db/written-once.ts';

/** Sets or clears "watched" on videos for one person, and forgets where they stopped. */
export async function saveWatched(db: Db | Tx, accountId: number, videoIds: string[], watchedAt: number | null, now: number) {
  for (const some of chunks(videoIds))
    await db
      .insertInto('watch')
      .values(some.map((videoId) => ({ accountId, videoId, watchedAt, positionSeconds: null, updatedAt: now })))
      .onConflict((c) => c.columns(['accountId', 'videoId']).doUpdateSet({ watchedAt, positionSeconds: null, updatedAt: now }))
      .execute();
}

/** The same for those of many that are not so yet. One that is deleted meanwhile is left out. */
export async function saveWatchedOfAll(tx: Tx, accountId: number, videoIds: string[], watchedAt: number | null, now: number) {
  const change = { watchedAt, positionSeconds: null, updatedAt: now };
  for (const some of chunks(videoIds)) {
    if (watchedAt === null)
      await tx
        .updateTable('watch')
        .set(change)
        .where('accountId', '=', accountId)
        .where('videoId', 'in', some)
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
            .where('video.id', 'in', some),
        )
        .onConflict((c) => c.columns(['accountId', 'videoId']).doUpdateSet(change).where('watch.watchedAt', 'is', null))
        .execute();
  }
}

export interface WatchBefore {
  videoId: string;
  watchedAt: number | null;
  positionSeconds: number | null;
}

const watchRows = writtenOnce((db, [accountId, ...ids]) =>
  db
    .selectFrom('watch')
    .select(['videoId', 'watchedAt', 'positionSeconds'])
    .where('accountId', '=', accountId!)
    .where('videoId', 'in', ids),
);

/** What a person has seen of some videos, by id. */
export async function watchesOf(db: Db | Tx, accountId: number, videoIds: string[]) {
  const rows = await watchRows(db, [accountId, ...videoIds]);
  return new Map(rows.map((row) => [row.videoId, row]));
}

/** How those of some videos are for one person that marking them changes. */
export async function watchBefore(tx: Tx, accountId: number, videoIds: string[], isWatched: boolean): Promise<WatchBefore[]> {
  const known = await watchesOf(tx, accountId, videoIds);
  if (!isWatched)
    return [...known.values()].filter(({ watchedAt, positionSeconds }) => watchedAt !== null || positionSeconds !== null);
  return videoIds
    .map((videoId) => known.get(videoId) ?? { videoId, watchedAt: null, positionSeconds: null })
    .filter(({ watchedAt }) => watchedAt === null);
}

/** Makes rows what they were, where they still are as they were marked at that time. Answers how many. */
export async function putBack(
  tx: Tx,
  accountId: number,
  before: WatchBefore[],
  mark: { watchedAt: number | null; at: number },
  now: number,
): Promise<number> {
  const still = await tx
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
  const untouched = new Set(still.map(({ videoId }) => videoId));
  const rows = before.filter(({ videoId }) => untouched.has(videoId)).map((row) => ({ accountId, ...row, updatedAt: now }));
  if (rows.length > 0)
    await tx
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
  return rows.length;
}

/** Saves where a person stopped. As a rule the row is there, and an update leaves what is recalled of its other columns as it is. */
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

export const dropPosition = (db: Db, accountId: number, videoId: string, now: number) =>
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
