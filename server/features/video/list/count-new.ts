import type { VideoFilter } from '#contract/video.ts';
import type { Db } from '../../../platform/db/db.ts';
import { facetConditions } from './facets.ts';
import { isWatchedBy, matchesFilter } from './video-conditions.ts';

// Upper bound for every list, because the counts are requested often.
const maxLookedAt = 500;

/** Counts videos of a list that were added after a time and that the user has not watched, among the newest of the library. */
export async function countNew(db: Db, accountId: number, requested: VideoFilter, since: number): Promise<number> {
  const filter = await facetConditions(db, accountId, requested);
  const newest = db
    .selectFrom('video as newest')
    .select('newest.id')
    .where('newest.downloadedAt', '>', since)
    .orderBy('newest.downloadedAt', 'desc')
    .limit(maxLookedAt);
  const { videos } = await db
    .selectFrom('video')
    .where('video.id', 'in', (w) => w.selectFrom(newest.as('latest')).select('latest.id'))
    .where(matchesFilter(accountId, filter))
    .where((w) => w.not(isWatchedBy(accountId)(w)))
    .select((e) => e.fn.countAll<number>().as('videos'))
    .executeTakeFirstOrThrow();
  return videos;
}
