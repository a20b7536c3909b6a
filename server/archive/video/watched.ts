import type { Db } from '../../platform/db/db.ts';

/** Returns the ids of the videos of a playlist that a user has watched. */
export async function watchedIds(db: Db, accountId: number, playlistId: string): Promise<Set<string>> {
  const rows = await db
    .selectFrom('playlistEntry')
    .innerJoin('watch', 'watch.videoId', 'playlistEntry.videoId')
    .select('watch.videoId')
    .where('playlistId', '=', playlistId)
    .where('accountId', '=', accountId)
    .where('watchedAt', 'is not', null)
    .execute();
  return new Set(rows.map((row) => row.videoId));
}
