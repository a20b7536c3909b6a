import type { SelectQueryBuilder } from 'kysely';
import type { VideoFilter } from '#contract/video.ts';
import type { SelectionSize } from '../../../archive/queries/total-size.ts';
import { countVideosOf, countWatchedOf } from '../../../archive/queries/video-counts.ts';
import type { Db } from '../../../platform/db/db.ts';
import type { Tables } from '../../../platform/db/schema/tables.ts';
import { countFacet, facetConditions, type FacetFilter } from './facets.ts';
import { countBetween, countByMonths } from './month-index.ts';
import {
  begunBy,
  boundedIn,
  filterVideos,
  isUnfiltered,
  isWhole,
  matchesWatchFilter,
  ofPlaylist,
  shownIn,
} from './video-conditions.ts';

type Matching = SelectQueryBuilder<Tables, 'video', object>;

/** Selects all matching videos, for counts and sums. */
function matching(db: Db, accountId: number, filter: FacetFilter): Matching {
  if (filter.playlist) return ofPlaylist(db, accountId, filter) as Matching;
  if (filter.watch === 'continue') return begunBy(db, accountId, filter) as Matching;
  const starts = filter.channel ? [] : boundedIn(filter);
  return db.selectFrom('video').where(filterVideos(filter, starts)).where(matchesWatchFilter(accountId, filter));
}

/** Number of matching videos, and their number without the condition on the watched state. */
export interface VideoCount {
  total: number;
  ofAll: number;
}

/**
 * Counts the matching videos, in most cases from counters that the database maintains. Without a counter, counting ends at
 * `atMost`, which is enough to find a first page.
 */
export async function countVideos(db: Db, accountId: number, filter: FacetFilter, atMost?: number): Promise<VideoCount> {
  const exactly = ({ total }: { total: number }): VideoCount => ({ total, ofAll: total });
  if (filter.playlist && isWhole(filter)) {
    const shown = shownIn(db, filter.playlist).select((e) => e.fn.countAll<number>().as('total'));
    return exactly(await shown.executeTakeFirstOrThrow());
  }
  const counted = () =>
    db
      .selectFrom(
        matching(db, accountId, filter)
          .select('video.id')
          .$if(atMost !== undefined, (q) => q.limit(atMost!))
          .as('matches'),
      )
      .select((e) => e.fn.countAll<number>().as('total'));
  if (filter.playlist || filter.watch === 'continue') return exactly(await counted().executeTakeFirstOrThrow());
  const bounded = boundedIn(filter);
  if (bounded.length > 0) {
    const { incompatible } = filter;
    const isAlone = isUnfiltered({ ...filter, type: undefined }) && bounded.length === 1;
    const isOfAll = isAlone && filter.type === undefined;
    const total = async () => {
      if (isAlone && bounded[0] === 'publishedAt') return countBetween(db, filter);
      if (isAlone && bounded[0] === 'height') return countOfHeight(db, filter);
      if (isOfAll && incompatible) {
        const kept = await db.selectFrom('incompatibleCount').select('videos').where('fix', '=', incompatible).executeTakeFirst();
        return kept?.videos ?? 0;
      }
      const ofFacet = isOfAll ? await countFacet(db, filter) : undefined;
      return ofFacet ?? (await counted().executeTakeFirstOrThrow()).total;
    };
    const [found, ofAll] = await Promise.all([total(), countUnbounded(db, accountId, { ...filter, watch: undefined })]);
    return { total: found, ofAll };
  }
  const [total, ofAll] = await Promise.all([
    countUnbounded(db, accountId, filter),
    filter.watch ? countUnbounded(db, accountId, { ...filter, watch: undefined }) : undefined,
  ]);
  return { total, ofAll: ofAll ?? total };
}

async function countOfHeight(db: Db, { height, type }: Pick<VideoFilter, 'height' | 'type'>): Promise<number> {
  const { videos } = await db
    .selectFrom('heightCount')
    .select((e) => e.fn.coalesce(e.fn.sum<number>('videos'), e.lit(0)).as('videos'))
    .where('height', '=', height!)
    .$if(type !== undefined, (q) => q.where('kind', '=', type!))
    .executeTakeFirstOrThrow();
  return videos;
}

/** Counts videos by channel, kind and watched state from counters. */
async function countUnbounded(
  db: Db,
  accountId: number,
  filter: Pick<VideoFilter, 'channel' | 'type' | 'watch'>,
): Promise<number> {
  if (filter.channel === undefined) return countByMonths(db, accountId, filter);
  const watched = () => countWatchedOf(db, accountId, filter);
  if (filter.watch === 'watched') return (await watched()).videos;
  const [all, seen] = await Promise.all([countVideosOf(db, filter), filter.watch ? watched() : { videos: 0 }]);
  return all.videos - seen.videos;
}

/** Returns the number and total size of the matching videos, in one query. */
export async function summarizeVideos(db: Db, accountId: number, requested: VideoFilter): Promise<SelectionSize> {
  const filter = await facetConditions(db, accountId, requested);
  if (!filter.playlist && !filter.watch && boundedIn(filter).length === 0) return countVideosOf(db, filter);
  return matching(db, accountId, filter)
    .select((e) => [
      e.fn.countAll<number>().as('videos'),
      e.fn.coalesce(e.fn.sum<number>('video.sizeBytes'), e.lit(0)).as('sizeBytes'),
    ])
    .executeTakeFirstOrThrow();
}
