import type { VideoFilter } from '#contract/video.ts';
import type { Db } from '../../../platform/db/db.ts';
import { facetConditions } from './facets.ts';
import { matchesFilter } from './video-conditions.ts';

/** Returns the ids of those of these videos that match a filter, with the watch state of a user. */
export async function matchingIds(db: Db, accountId: number, requested: VideoFilter, ids: string[]): Promise<string[]> {
  const filter = await facetConditions(db, accountId, requested);
  const rows = await db
    .selectFrom('video')
    .select('video.id')
    .where('video.id', 'in', ids)
    .where(matchesFilter(accountId, filter))
    .execute();
  return rows.map(({ id }) => id);
}
