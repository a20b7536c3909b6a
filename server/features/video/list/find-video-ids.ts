import { sql } from 'kysely';
import type { VideoFilter } from '#contract/video.ts';
import type { Db } from '../../../platform/db/db.ts';
import { countVideos, type VideoCount } from './count-videos.ts';
import { facetConditions, type FacetFilter } from './facets.ts';
import { monthAt } from './month-index.ts';
import {
  begunBy,
  boundedIn,
  filterVideos,
  isWhole,
  matchesWatchFilter,
  ofPlaylist,
  shownIn,
  type Start,
} from './video-conditions.ts';

// Finds the ids of the videos on a page, from indexes only, at every depth and library size. The videos themselves are loaded
// afterwards.

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

const sortedBy = ({ sort = 'published' }: VideoFilter) => sortColumn[sort].slice('video.'.length);
/**
 * Returns whether the index of a condition has this sort order: the index of its own column, or height, which also sorts by date.
 */
const isInOrderOf = (ordered: string, one: Start) => one === ordered || (one === 'height' && ordered === 'publishedAt');

/** Returns whether a query can start at a condition. It cannot at the absence of a facet, nor at the cleanup filter. */
const canStartAt = ({ facets }: FacetFilter, one: Start) =>
  one === 'facet' ? facets.some(({ isWanted }) => isWanted) : one !== 'cleanup';

/** Estimates whether starting at the matches is cheaper than reading all videos in sort order. */
const isQuickerFromMatches = ({ total, ofAll }: VideoCount, { size, from }: Page) => 3 * total * total < (from + size) * ofAll;

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

/** How a page is read. */
interface Plan extends ListEnd {
  /** The index to start at: of the user's watched videos, of the sort order, or of the conditions that have few matches. */
  start: 'watched' | 'sorted' | 'matches';
  /** Conditions that the query may start at. */
  startsAt: Start[];
}

/**
 * A page is read from the nearer end of the list, a deep one (from `worthSkipping` videos) from the nearer end of its month. Few
 * matches are sorted instead.
 */
async function planPage(
  db: Db,
  accountId: number,
  filter: FacetFilter,
  { size, from }: Page,
  { hits, worthSkipping }: { hits: VideoCount; worthSkipping: number },
): Promise<Plan> {
  const ends: ListEnd[] = [
    { isFromEnd: false, order: filter.order, pass: from },
    { isFromEnd: true, order: filter.order === 'asc' ? 'desc' : 'asc', pass: hits.total - from - size },
  ];
  const end = nearest(ends);
  const ordered = sortedBy(filter);
  const bounded = filter.channel ? [] : boundedIn(filter);
  const inOrder = bounded.filter((one) => isInOrderOf(ordered, one));
  if (isQuickerFromMatches(hits, { size, from: end.pass })) {
    if (filter.watch === 'watched') return { ...end, start: 'watched', startsAt: [] };
    const others = bounded.filter((one) => !isInOrderOf(ordered, one) && canStartAt(filter, one));
    if (others.length > 0) return { ...end, start: 'matches', startsAt: others };
  }
  const isByMonths = ordered === 'publishedAt' && !filter.channel && bounded.length === 0;
  if (!isByMonths || end.pass < worthSkipping) return { ...end, start: 'sorted', startsAt: inOrder };
  const inMonths = await Promise.all(
    ends.map(async (one) => ({ ...one, ...(await monthAt(db, accountId, { ...filter, order: one.order }, one.pass)) })),
  );
  return { ...nearest(inMonths), start: 'sorted', startsAt: inOrder };
}

async function readPage(db: Db, accountId: number, filter: FacetFilter, plan: Plan & { limit: number }): Promise<string[]> {
  const column = sortColumn[filter.sort ?? 'published'];
  const { start, startsAt, isFromEnd, order, begin, pass, limit } = plan;
  const videos =
    start === 'watched'
      ? db
          .selectFrom('watch')
          .crossJoin('video') // makes SQLite start at the left table
          .whereRef('video.id', '=', 'watch.videoId')
          .where('watch.accountId', '=', accountId)
          .where('watch.watchedAt', 'is not', null)
          .where(filterVideos(filter))
          .select('video.id')
      : db
          .selectFrom('video')
          .where(filterVideos(filter, startsAt))
          .where(matchesWatchFilter(accountId, filter))
          .$if(begin !== undefined, (q) => q.where('video.publishedAt', order === 'desc' ? '<=' : '>=', begin!))
          .select('video.id');
  const rows = await videos
    .orderBy(start === 'matches' ? withoutIndex(column) : column, order)
    .orderBy('video.id', order)
    .limit(limit)
    .offset(pass)
    .execute();
  const ids = rows.map(({ id }) => id);
  return isFromEnd ? ids.toReversed() : ids;
}

/** Options of tests and of lists whose number does not matter. */
interface FindOptions {
  /** Counting ends at this number, which is enough to find a first page. */
  atMost?: number;
  worthSkipping?: number;
}

/**
 * Returns the ids of one page and the number of all matching videos. Playlists are sorted by position, "continue" without `sort`
 * by the last watch time; the id breaks ties, so no video is on two pages.
 */
export async function findVideoIds(
  db: Db,
  accountId: number,
  requested: VideoFilter,
  { size, from }: Page,
  { atMost, worthSkipping = 300 }: FindOptions = {},
): Promise<{ total: number; ids: string[] }> {
  const filter = await facetConditions(db, accountId, requested);
  const hits = await countVideos(db, accountId, filter, atMost);
  const { total } = hits;
  const found = (rows: { id: string }[]) => ({ total, ids: rows.map(({ id }) => id) });
  if (from >= total) return { total, ids: [] };
  const limit = Math.min(size, total - from);
  if (filter.playlist)
    return found(
      await (isWhole(filter) ? shownIn(db, filter.playlist) : ofPlaylist(db, accountId, filter))
        .select('playlistVideo.videoId as id')
        .orderBy('playlistVideo.position')
        .limit(limit)
        .offset(from)
        .execute(),
    );
  if (filter.watch === 'continue')
    return found(
      await begunBy(db, accountId, filter)
        .select('video.id')
        // Makes the engine sort the videos in progress instead of reading all videos in sort order.
        .orderBy(filter.sort ? withoutIndex(sortColumn[filter.sort]) : 'watch.updatedAt', filter.order)
        .orderBy('watch.videoId', filter.order)
        .limit(limit)
        .offset(from)
        .execute(),
    );
  const plan = await planPage(db, accountId, filter, { size: limit, from }, { hits, worthSkipping });
  return { total, ids: await readPage(db, accountId, filter, { ...plan, limit }) };
}
