import { chunks, type Db, type Tx } from '../db/db.ts';

/** Sets or clears "watched" on videos for one person, and forgets where they stopped. */
export async function saveWatched(db: Db | Tx, accountId: number, videoIds: string[], watchedAt: number | null, now: number) {
  for (const some of chunks(videoIds))
    await db
      .insertInto('watch')
      .values(some.map((videoId) => ({ accountId, videoId, watchedAt, positionSeconds: null, updatedAt: now })))
      .onConflict((c) => c.columns(['accountId', 'videoId']).doUpdateSet({ watchedAt, positionSeconds: null, updatedAt: now }))
      .execute();
}

export const savePosition = (db: Db, accountId: number, videoId: string, positionSeconds: number, now: number) =>
  db
    .insertInto('watch')
    .values({ accountId, videoId, watchedAt: null, positionSeconds, updatedAt: now })
    .onConflict((c) => c.columns(['accountId', 'videoId']).doUpdateSet({ positionSeconds, updatedAt: now }))
    .execute();

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
