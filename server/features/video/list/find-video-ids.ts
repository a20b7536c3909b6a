import { sql, type ExpressionBuilder, type SelectQueryBuilder } from 'kysely';
import type { VideoFilter } from '#contract/video.ts';
import type { Db } from '../../../platform/db/db.ts';
import { startOfDay } from '../../../platform/lib/start-of-day.ts';
import type { Tables } from '../../../platform/db/schema/tables.ts';
import { timeZone } from '../../../platform/lib/format-time.ts';
import { countFacet, facetConditions, hasFacet, hasFacets, type FacetFilter } from './facets.ts';
import { countBetween, countByMonths, monthAt } from './month-index.ts';
import type { SelectionSize } from '../../../archive/queries/total-size.ts';
import { countVideosOf, countWatchedOf } from '../../../archive/queries/video-counts.ts';

// Finds the ids of the videos on a page, from indexes only (migrations 0006 and 0017), at every depth and library size. The
// videos themselves are loaded afterwards.

const sortColumn = {
  published: 'video.publishedAt',
  downloaded: 'video.downloadedAt',
  views: 'video.viewCount',
  likes: 'video.likeCount',
  duration: 'video.durationSeconds',
  mediasize: 'video.sizeBytes',
  width: 'video.width',
  height: 'video.height',
  title: 'video.sortTitle',
} as const satisfies Record<NonNullable<VideoFilter['sort']>, string>;

/** The column as an expression, so that its index is not used. */
const withoutIndex = (column: string) =>
  column === sortColumn.title ? sql`${sql.ref(column)} || ''` : sql`${sql.ref(column)} + 0`;

interface Page {
  size: number;
  from: number;
}

type OnVideo = ExpressionBuilder<Tables, 'video'>;

type OnWatch = ExpressionBuilder<Tables, 'watch'>;
const isWatched = (w: OnWatch) => w('watch.watchedAt', 'is not', null);
const isBegun = (w: OnWatch) => w.and([w('watch.watchedAt', 'is', null), w('watch.positionSeconds', 'is not', null)]);

const watchOf = (accountId: number, fits: typeof isWatched | typeof isBegun) => (w: OnVideo) =>
  w.exists(
    w
      .selectFrom('watch')
      .select('watch.videoId')
      .whereRef('watch.videoId', '=', 'video.id')
      .where('watch.accountId', '=', accountId)
      .where((row) => fits(row)),
  );
/** Condition: the user has watched the video. */
export const isWatchedBy = (accountId: number) => watchOf(accountId, isWatched);
/** Condition: the user has started the video and not finished it. */
export const isStartedBy = (accountId: number) => watchOf(accountId, isBegun);

/** Condition: the video is in the playlist. */
export const isInPlaylist = (playlistId: string) => (w: OnVideo) =>
  w.exists(
    w
      .selectFrom('playlistVideo')
      .select('playlistVideo.videoId')
      .whereRef('playlistVideo.videoId', '=', 'video.id')
      .where('playlistVideo.playlistId', '=', playlistId),
  );

type Column = keyof Pick<Tables['video'], 'publishedAt' | 'durationSeconds' | 'downloadedAt' | 'sizeBytes'>;
type Start = Column | 'incompatible' | 'height' | 'facet' | 'cleanup';

/**
 * Conditions of the cleanup filter, on the watch state of all users. The exemptions are those of the cleanup rules
 * (features/library/retention/retention.ts), except that watching a finished video again does not count.
 */
function mayBeCleanedUp(w: OnVideo, cleanup: NonNullable<VideoFilter['cleanup']>) {
  const byAnyone = (fits: typeof isWatched | typeof isBegun) =>
    w.exists(
      w
        .selectFrom('watch')
        .select('watch.videoId')
        .whereRef('watch.videoId', '=', 'video.id')
        .where((row) => fits(row)),
    );
  const isCollected = w.exists(
    w
      .selectFrom('playlistEntry')
      .innerJoin('playlist', 'playlist.id', 'playlistEntry.playlistId')
      .select('playlist.id')
      .whereRef('playlistEntry.videoId', '=', 'video.id')
      .where('playlist.kind', '=', 'custom'),
  );
  return [
    ...(cleanup === 'watched' ? [byAnyone(isWatched)] : []),
    ...(cleanup === 'unopened' ? [w.not(byAnyone(isWatched))] : []),
    w.not(byAnyone(isBegun)),
    w('video.isProtected', '=', 0),
    w.not(isCollected),
  ];
}

/**
 * Conditions on columns of the video. A query may start at a range condition only if `startsAt` names it. Elsewhere, "+ 0"
 * prevents the use of that index, which would make both engines sort most of a library instead of using the sort index.
 */
export const filterVideos = (filter: FacetFilter, startsAt: readonly Start[] = []) => {
  const { channel, type, height, from, to, min_duration, max_duration, incompatible } = filter;
  const { downloaded_from: since, downloaded_to: until } = filter;
  return (w: OnVideo) => {
    const bounded = (column: Column, operator: '>=' | '<=' | '<', value: number | undefined) => {
      if (value === undefined) return [];
      const name = `video.${column}` as const;
      return [w(startsAt.includes(column) ? w.ref(name) : sql<number>`${w.ref(name)} + 0`, operator, value)];
    };
    const some = w
      .selectFrom('incompatibleVideo')
      .select('incompatibleVideo.videoId')
      .where('incompatibleVideo.fix', '=', incompatible ?? 'remux');
    const isAmongThem = () =>
      startsAt.includes('incompatible')
        ? w('video.id', 'in', some)
        : w.exists(some.whereRef('incompatibleVideo.videoId', '=', 'video.id'));
    return w.and([
      ...(channel ? [w('video.channelId', '=', channel)] : []),
      ...(type ? [w('video.kind', '=', type)] : []),
      // Most videos of a library have one of three heights. PostgreSQL estimates this negated condition correctly; with "+ 0" it
      // assumed one in 200 and sorted a quarter of a library. SQLite does not start at it.
      ...(height !== undefined
        ? [startsAt.includes('height') ? w('video.height', '=', height) : w.not(w('video.height', '!=', height))]
        : []),
      ...bounded('publishedAt', '>=', from),
      ...bounded('publishedAt', '<=', to),
      ...bounded('durationSeconds', '>=', min_duration),
      ...bounded('durationSeconds', '<=', max_duration),
      ...bounded('downloadedAt', '>=', since === undefined ? since : startOfDay(since, timeZone())),
      ...bounded('downloadedAt', '<', until === undefined ? until : startOfDay(until, timeZone(), 1)),
      ...bounded('sizeBytes', '>=', filter.min_size),
      ...bounded('sizeBytes', '<=', filter.max_size),
      ...(incompatible ? [isAmongThem()] : []),
      ...hasFacets(w, filter, startsAt.includes('facet')),
      ...(filter.cleanup ? mayBeCleanedUp(w, filter.cleanup) : []),
    ]);
  };
};

/** Returns the range and facet conditions of a filter. */
const boundedIn = (filter: VideoFilter): Start[] => {
  const is = (...values: unknown[]) => values.some((value) => value !== undefined);
  return [
    ...(is(filter.height) ? (['height'] as const) : []),
    ...(is(filter.from, filter.to) ? (['publishedAt'] as const) : []),
    ...(is(filter.min_duration, filter.max_duration) ? (['durationSeconds'] as const) : []),
    ...(is(filter.downloaded_from, filter.downloaded_to) ? (['downloadedAt'] as const) : []),
    ...(is(filter.min_size, filter.max_size) ? (['sizeBytes'] as const) : []),
    ...(is(filter.incompatible) ? (['incompatible'] as const) : []),
    ...(hasFacet(filter) ? (['facet'] as const) : []),
    ...(is(filter.cleanup) ? (['cleanup'] as const) : []),
  ];
};

/** Condition on the watched state. Videos in progress are selected by a separate query. */
export const matchesWatchFilter = (accountId: number, { watch }: VideoFilter) => {
  const isSeen = isWatchedBy(accountId);
  return (w: OnVideo) => {
    if (watch === 'watched') return isSeen(w);
    if (watch === 'unwatched') return w.not(isSeen(w));
    return w.and([]);
  };
};

/** Returns the visible positions of a playlist. */
const shownIn = (db: Db, playlist: string) => db.selectFrom('playlistVideo').where('playlistVideo.playlistId', '=', playlist);

const isUnfiltered = ({ type, channel, watch }: VideoFilter) => !type && !channel && !watch;
const isWhole = (filter: FacetFilter) => isUnfiltered(filter) && boundedIn(filter).length === 0;

const ofPlaylist = (db: Db, accountId: number, filter: FacetFilter) =>
  shownIn(db, filter.playlist!)
    .innerJoin('video', 'video.id', 'playlistVideo.videoId')
    .where(filterVideos(filter))
    .where(matchesWatchFilter(accountId, filter))
    .$if(filter.watch === 'continue', (q) =>
      q
        .innerJoin('watch', (on) => on.onRef('watch.videoId', '=', 'video.id').on('watch.accountId', '=', accountId))
        .where(isBegun),
    );

const begunBy = (db: Db, accountId: number, filter: FacetFilter) =>
  db
    .selectFrom('watch')
    .innerJoin('video', 'video.id', 'watch.videoId')
    .where('watch.accountId', '=', accountId)
    .where(isBegun)
    .where(filterVideos(filter));

type Matching = SelectQueryBuilder<Tables, 'video', object>;

/** Selects all matching videos, for counts and sums. */
function matching(db: Db, accountId: number, filter: FacetFilter): Matching {
  if (filter.playlist) return ofPlaylist(db, accountId, filter) as Matching;
  if (filter.watch === 'continue') return begunBy(db, accountId, filter) as Matching;
  const starts = filter.channel ? [] : boundedIn(filter);
  return db.selectFrom('video').where(filterVideos(filter, starts)).where(matchesWatchFilter(accountId, filter));
}

/** Number of matching videos, and their number without the condition on the watched state. */
export interface VideoIds {
  total: number;
  ofAll: number;
}

/**
 * Counts the matching videos, in most cases from counters that the database maintains. Without a counter, counting ends at
 * `atMost`, which is enough to find a first page.
 */
export async function countVideos(db: Db, accountId: number, requested: VideoFilter, atMost?: number): Promise<VideoIds> {
  const filter = await facetConditions(db, requested);
  const exactly = ({ total }: { total: number }): VideoIds => ({ total, ofAll: total });
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
  const filter = await facetConditions(db, requested);
  if (!filter.playlist && !filter.watch && boundedIn(filter).length === 0) return countVideosOf(db, filter);
  return matching(db, accountId, filter)
    .select((e) => [
      e.fn.countAll<number>().as('videos'),
      e.fn.coalesce(e.fn.sum<number>('video.sizeBytes'), e.lit(0)).as('sizeBytes'),
    ])
    .executeTakeFirstOrThrow();
}

const sortedBy = ({ sort = 'published' }: VideoFilter) => sortColumn[sort].slice('video.'.length);
/**
 * Returns whether the index of a condition has this sort order: the index of its own column, or height, which also sorts by date.
 */
const isInOrderOf = (ordered: string, one: Start) => one === ordered || (one === 'height' && ordered === 'publishedAt');

/** Returns whether a query can start at a condition. It cannot at the absence of a facet, nor at the cleanup filter. */
const canStartAt = ({ facets }: FacetFilter, one: Start) =>
  one === 'facet' ? facets.some(({ isWanted }) => isWanted) : one !== 'cleanup';

/** Estimates whether starting at the matches is cheaper than reading all videos in sort order. */
const isQuickerFromMatches = ({ total, ofAll }: VideoIds, { size, from }: Page) => 3 * total * total < (from + size) * ofAll;

/** A place to read a page from. */
interface ListEnd {
  /** The page is read in reverse. */
  isFromEnd: boolean;
  order: VideoFilter['order'];
  /** Publication time of the first video; undefined for an end of the list. */
  begin?: number;
  /** Number of videos to skip from there. */
  pass: number;
}

const nearest = (ends: ListEnd[]): ListEnd => ends.reduce((a, b) => (b.pass < a.pass ? b : a));

/**
 * Returns the ids of one page. Playlists are sorted by position, "continue" without `sort` by the last watch time; the id breaks
 * ties, so no video is on two pages. A page is read from the nearer end of the list, a deep one (from `worthSkipping` videos) from
 * the nearer end of its month. `hits` is the result of `countVideos`.
 */
export async function findVideoIds(
  db: Db,
  accountId: number,
  requested: VideoFilter,
  { size, from }: Page,
  hits: VideoIds,
  worthSkipping = 300,
): Promise<string[]> {
  const filter = await facetConditions(db, requested);
  const idsOf = (rows: { id: string }[]) => rows.map((row) => row.id);
  const bounded = filter.channel ? [] : boundedIn(filter);
  if (from >= hits.total) return [];

  if (filter.playlist)
    return idsOf(
      await (isWhole(filter) ? shownIn(db, filter.playlist) : ofPlaylist(db, accountId, filter))
        .select('playlistVideo.videoId as id')
        .orderBy('playlistVideo.position')
        .limit(size)
        .offset(from)
        .execute(),
    );
  if (filter.watch === 'continue')
    return idsOf(
      await begunBy(db, accountId, filter)
        .select('video.id')
        // Makes the engine sort the videos in progress instead of reading all videos in sort order.
        .orderBy(filter.sort ? withoutIndex(sortColumn[filter.sort]) : 'watch.updatedAt', filter.order)
        .orderBy('watch.videoId', filter.order)
        .limit(size)
        .offset(from)
        .execute(),
    );

  const limit = Math.min(size, hits.total - from);
  const ends: ListEnd[] = [
    { isFromEnd: false, order: filter.order, pass: from },
    { isFromEnd: true, order: filter.order === 'asc' ? 'desc' : 'asc', pass: hits.total - from - limit },
  ];
  const offset = nearest(ends).pass;
  const column = sortColumn[filter.sort ?? 'published'];
  const ordered = sortedBy(filter);
  const isQuicker = isQuickerFromMatches(hits, { size: limit, from: offset });
  const fromWatched = filter.watch === 'watched' && isQuicker;
  const others = bounded.filter((one) => !isInOrderOf(ordered, one) && canStartAt(filter, one));
  const fromBounds = isQuicker && others.length > 0;
  const byMonths = ordered === 'publishedAt' && !filter.channel && bounded.length === 0;
  const skips = byMonths && !fromWatched && offset >= worthSkipping;
  const { isFromEnd, order, begin, pass } = nearest(
    skips
      ? await Promise.all(
          ends.map(async (end) => ({ ...end, ...(await monthAt(db, accountId, { ...filter, order: end.order }, end.pass)) })),
        )
      : ends,
  );
  const rows = fromWatched
    ? await db
        .selectFrom('watch')
        .crossJoin('video') // makes SQLite start at the left table
        .whereRef('video.id', '=', 'watch.videoId')
        .where('watch.accountId', '=', accountId)
        .where('watch.watchedAt', 'is not', null)
        .where(filterVideos(filter))
        .select('video.id')
        .orderBy(column, order)
        .orderBy('video.id', order)
        .limit(limit)
        .offset(offset)
        .execute()
    : await db
        .selectFrom('video')
        .select('video.id')
        .where(filterVideos(filter, fromBounds ? others : bounded.filter((one) => isInOrderOf(ordered, one))))
        .where(matchesWatchFilter(accountId, filter))
        .$if(begin !== undefined, (q) => q.where('video.publishedAt', order === 'desc' ? '<=' : '>=', begin!))
        .orderBy(fromBounds ? withoutIndex(column) : column, order)
        .orderBy('video.id', order)
        .limit(limit)
        .offset(pass)
        .execute();
  return isFromEnd ? idsOf(rows).toReversed() : idsOf(rows);
}
