import type { VideoFilter } from '#contract/video.ts';
import type { Db } from '../../../platform/db/db.ts';
import { facetConditions } from './facets.ts';
import { filterVideos, isInPlaylist, isStartedBy, matchesWatchFilter } from './find-video-ids.ts';

/** Returns the ids of those of these videos that match a filter, with the watch state of a user. */
export async function matchingIds(db: Db, accountId: number, requested: VideoFilter, ids: string[]): Promise<string[]> {
  const filter = await facetConditions(db, requested);
  const { playlist, watch } = filter;
  const rows = await db
    .selectFrom('video')
    .select('video.id')
    .where('video.id', 'in', ids)
    .where(filterVideos(filter))
    .where(matchesWatchFilter(accountId, filter))
    .$if(playlist !== undefined, (q) => q.where(isInPlaylist(playlist!)))
    .$if(watch === 'continue', (q) => q.where(isStartedBy(accountId)))
    .execute();
  return rows.map(({ id }) => id);
}
