import { sql, type ExpressionBuilder, type SelectQueryBuilder } from 'kysely';
import type { VideoFilter } from '#contract/video.ts';
import type { Db } from '../db/db.ts';
import { dayBegins } from '../day-begins.ts';
import type { Tables } from '../db/tables.ts';
import { timeZone } from '../time-text.ts';
import { countedFacet, faceted, hasFacet, hasFacets, type Faceted } from './facets.ts';
import { countBetween, monthAt } from './months.ts';
import { tallyOf, watchTallyOf } from './tally.ts';

// Which videos are on a page: their ids alone, found in indexes (migrations 0006 and 0017), however deep the page and large the
// library. What is shown of them is fetched afterwards, for those few.

const sortColumn = {
  published: 'video.publishedAt',
  downloaded: 'video.downloadedAt',
  views: 'video.viewCount',
  likes: 'video.likeCount',
  duration: 'video.durationSeconds',
  mediasize: 'video.sizeBytes',
  width: 'video.width',
  height: 'video.height',
} as const satisfies Record<VideoFilter['sort'], string>;

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
/** Whether this person has watched it. */
export const isWatchedBy = (accountId: number) => watchOf(accountId, isWatched);
/** Whether this person is in the middle of it. */
export const isBegunBy = (accountId: number) => watchOf(accountId, isBegun);

type Column = keyof Pick<Tables['video'], 'publishedAt' | 'durationSeconds' | 'downloadedAt' | 'sizeBytes'>;
type Start = Column | 'awkward' | 'height' | 'facet';

/**
 * What a filter says of the video itself. An engine begins with what is bounded only where `startsAt` names it: elsewhere
 * "+ 0" keeps both from doing so, as they would then sort most of a library. The index of the order has nearly all in it.
 */
export const fitting = (filter: Faceted, startsAt: readonly Start[] = []) => {
  const { channel, type, height, from, to, min_duration, max_duration, awkward } = filter;
  const { downloaded_from: since, downloaded_to: until } = filter;
  return (w: OnVideo) => {
    const bounded = (column: Column, operator: '>=' | '<=' | '<', value: number | undefined) => {
      if (value === undefined) return [];
      const name = `video.${column}` as const;
      return [w(startsAt.includes(column) ? w.ref(name) : sql<number>`${w.ref(name)} + 0`, operator, value)];
    };
    const some = w
      .selectFrom('awkward')
      .select('awkward.videoId')
      .where('awkward.mend', '=', awkward ?? 'pack');
    const isAmongThem = () =>
      startsAt.includes('awkward') ? w('video.id', 'in', some) : w.exists(some.whereRef('awkward.videoId', '=', 'video.id'));
    return w.and([
      ...(channel ? [w('video.channelId', '=', channel)] : []),
      ...(type ? [w('video.kind', '=', type)] : []),
      // Most of a library has one of three heights. PostgreSQL knows how many that are, and takes this for what it is; with "+ 0" it
      // believed in one of 200, and sorted a quarter of a library. SQLite does not begin with it.
      ...(height !== undefined
        ? [startsAt.includes('height') ? w('video.height', '=', height) : w.not(w('video.height', '!=', height))]
        : []),
      ...bounded('publishedAt', '>=', from),
      ...bounded('publishedAt', '<=', to),
      ...bounded('durationSeconds', '>=', min_duration),
      ...bounded('durationSeconds', '<=', max_duration),
      ...bounded('downloadedAt', '>=', since === undefined ? since : dayBegins(since, timeZone())),
      ...bounded('downloadedAt', '<', until === undefined ? until : dayBegins(until, timeZone(), 1)),
      ...bounded('sizeBytes', '>=', filter.min_size),
      ...bounded('sizeBytes', '<=', filter.max_size),
      ...(awkward ? [isAmongThem()] : []),
      ...hasFacets(w, filter, startsAt.includes('facet')),
    ]);
  };
};

/** What a filter bounds. */
const boundedIn = (filter: VideoFilter): Start[] => {
  const is = (...values: unknown[]) => values.some((value) => value !== undefined);
  return [
    ...(is(filter.height) ? (['height'] as const) : []),
    ...(is(filter.from, filter.to) ? (['publishedAt'] as const) : []),
    ...(is(filter.min_duration, filter.max_duration) ? (['durationSeconds'] as const) : []),
    ...(is(filter.downloaded_from, filter.downloaded_to) ? (['downloadedAt'] as const) : []),
    ...(is(filter.min_size, filter.max_size) ? (['sizeBytes'] as const) : []),
    ...(is(filter.awkward) ? (['awkward'] as const) : []),
    ...(hasFacet(filter) ? (['facet'] as const) : []),
  ];
};

/** What a filter says of what this person has watched; what they are in the middle of is found elsewhere. */
export const watchFits = (accountId: number, { watch }: VideoFilter) => {
  const isSeen = isWatchedBy(accountId);
  return (w: OnVideo) => {
    if (watch === 'watched') return isSeen(w);
    if (watch === 'unwatched') return w.not(isSeen(w));
    return w.and([]);
  };
};

/** The places of a playlist at which it shows something. */
const shownIn = (db: Db, playlist: string) => db.selectFrom('playlistShown').where('playlistShown.playlistId', '=', playlist);

const isUnfiltered = ({ type, channel, watch }: VideoFilter) => !type && !channel && !watch;
const isWhole = (filter: Faceted) => isUnfiltered(filter) && boundedIn(filter).length === 0;

const ofPlaylist = (db: Db, accountId: number, filter: Faceted) =>
  shownIn(db, filter.playlist!)
    .innerJoin('video', 'video.id', 'playlistShown.videoId')
    .where(fitting(filter))
    .where(watchFits(accountId, filter))
    .$if(filter.watch === 'continue', (q) =>
      q
        .innerJoin('watch', (on) => on.onRef('watch.videoId', '=', 'video.id').on('watch.accountId', '=', accountId))
        .where(isBegun),
    );

const begunBy = (db: Db, accountId: number, filter: Faceted) =>
  db
    .selectFrom('watch')
    .innerJoin('video', 'video.id', 'watch.videoId')
    .where('watch.accountId', '=', accountId)
    .where(isBegun)
    .where(fitting(filter));

type Matching = SelectQueryBuilder<Tables, 'video', object>;

/** Everything that matches, to count it or to add it up. */
function matching(db: Db, accountId: number, filter: Faceted): Matching {
  if (filter.playlist) return ofPlaylist(db, accountId, filter) as Matching;
  if (filter.watch === 'continue') return begunBy(db, accountId, filter) as Matching;
  const starts = filter.channel ? [] : boundedIn(filter);
  return db.selectFrom('video').where(fitting(filter, starts)).where(watchFits(accountId, filter));
}

/** How many videos match, and how many would if it did not matter what the person has watched. */
export interface Hits {
  total: number;
  ofAll: number;
}

/** Counts what matches; in most cases by adding up what the database keeps counted. */
export async function countVideos(db: Db, accountId: number, asked: VideoFilter): Promise<Hits> {
  const filter = await faceted(db, asked);
  const exactly = ({ total }: { total: number }): Hits => ({ total, ofAll: total });
  if (filter.playlist && isWhole(filter)) {
    const shown = shownIn(db, filter.playlist).select((e) => e.fn.countAll<number>().as('total'));
    return exactly(await shown.executeTakeFirstOrThrow());
  }
  const counted = () => matching(db, accountId, filter).select((e) => e.fn.countAll<number>().as('total'));
  if (filter.playlist || filter.watch === 'continue') return exactly(await counted().executeTakeFirstOrThrow());
  const bounded = boundedIn(filter);
  if (bounded.length > 0) {
    const { awkward } = filter;
    const isAlone = isUnfiltered({ ...filter, type: undefined }) && bounded.length === 1;
    const isOfAll = isAlone && filter.type === undefined;
    const total = async () => {
      if (isAlone && bounded[0] === 'publishedAt') return countBetween(db, filter);
      if (isOfAll && awkward) {
        const kept = await db.selectFrom('awkwardTally').select('videos').where('mend', '=', awkward).executeTakeFirst();
        return kept?.videos ?? 0;
      }
      const ofFacet = isOfAll ? await countedFacet(db, filter) : undefined;
      return ofFacet ?? (await counted().executeTakeFirstOrThrow()).total;
    };
    const [found, { videos }] = await Promise.all([total(), tallyOf(db, filter)]);
    return { total: found, ofAll: videos };
  }
  const [all, watched] = await Promise.all([
    tallyOf(db, filter),
    filter.watch ? watchTallyOf(db, accountId, filter) : { videos: 0 },
  ]);
  return { total: filter.watch === 'watched' ? watched.videos : all.videos - watched.videos, ofAll: all.videos };
}

/** How large all videos are together that match. */
export async function sizeOfVideos(db: Db, accountId: number, asked: VideoFilter): Promise<number> {
  const filter = await faceted(db, asked);
  if (!filter.playlist && !filter.watch && boundedIn(filter).length === 0) return (await tallyOf(db, filter)).sizeBytes;
  const { size } = await matching(db, accountId, filter)
    .select((e) => e.fn.coalesce(e.fn.sum<number>('video.sizeBytes'), e.lit(0)).as('size'))
    .executeTakeFirstOrThrow();
  return size;
}

const sortedBy = ({ sort }: VideoFilter) => sortColumn[sort].slice('video.'.length);
/** Whether an index that begins with what is bounded is in this order: its own one, and videos of a height also lie by their dates. */
const isInOrderOf = (ordered: string, one: Start) => one === ordered || (one === 'height' && ordered === 'publishedAt');

/** From which cost on it is better to begin with what matches than to walk through all videos in order. */
const isQuickerFromMatches = ({ total, ofAll }: Hits, { size, from }: Page) => 3 * total * total < (from + size) * ofAll;

/** Whether a page is found in order from its beginning: how to find it does then not depend on how many there are. */
export const isFoundUncounted = (filter: VideoFilter, { from }: Pick<Page, 'from'>): boolean => {
  const isListOfItsOwn = Boolean(filter.playlist) || filter.watch === 'continue';
  const hasItsIndex = (one: Start) => one === 'height' && isInOrderOf(sortedBy(filter), one);
  const isInOrder = filter.watch !== 'watched' && (filter.channel !== undefined || boundedIn(filter).every(hasItsIndex));
  return from === 0 && (isListOfItsOwn || isInOrder);
};

/**
 * The ids of one page, in order: within a playlist its own, of "continue" the newest position first. Videos of equal dates
 * keep their places, so that none is on two pages. A page of the second half is found from the end, and one that lies far in
 * (`worthSkipping` videos or more) by its month. Without `counted` only what `isFoundUncounted` may be asked for.
 */
export async function findPage(
  db: Db,
  accountId: number,
  asked: VideoFilter,
  { size, from }: Page,
  counted: Hits | null,
  worthSkipping = 300,
): Promise<string[]> {
  const filter = await faceted(db, asked);
  const idsOf = (rows: { id: string }[]) => rows.map((row) => row.id);
  const bounded = filter.channel ? [] : boundedIn(filter);
  const hits = counted ?? { total: size, ofAll: size };
  if (from >= hits.total) return [];

  if (filter.playlist)
    return idsOf(
      await (isWhole(filter) ? shownIn(db, filter.playlist) : ofPlaylist(db, accountId, filter))
        .select('playlistShown.videoId as id')
        .orderBy('playlistShown.position')
        .limit(size)
        .offset(from)
        .execute(),
    );
  if (filter.watch === 'continue')
    return idsOf(
      await begunBy(db, accountId, filter)
        .select('video.id')
        .orderBy('watch.updatedAt', 'desc')
        .orderBy('watch.videoId', 'desc')
        .limit(size)
        .offset(from)
        .execute(),
    );

  const isFromEnd = from > hits.total / 2;
  const limit = Math.min(size, hits.total - from);
  const offset = isFromEnd ? hits.total - from - limit : from;
  const order = isFromEnd === (filter.order === 'asc') ? 'desc' : 'asc';
  const column = sortColumn[filter.sort];
  const ordered = sortedBy(filter);
  const isQuicker = isQuickerFromMatches(hits, { size: limit, from: offset });
  const fromWatched = filter.watch === 'watched' && isQuicker;
  const others = bounded.filter((one) => !isInOrderOf(ordered, one));
  const fromBounds = isQuicker && others.length > 0;
  const byMonths = ordered === 'publishedAt' && !filter.channel && bounded.length === 0;
  const skips = byMonths && !fromWatched && offset >= worthSkipping;
  const { begin, pass } = skips ? await monthAt(db, accountId, { ...filter, order }, offset) : { begin: undefined, pass: offset };
  const rows = fromWatched
    ? await db
        .selectFrom('watch')
        .crossJoin('video') // SQLite then begins with the left side, as is meant here
        .whereRef('video.id', '=', 'watch.videoId')
        .where('watch.accountId', '=', accountId)
        .where('watch.watchedAt', 'is not', null)
        .where(fitting(filter))
        .select('video.id')
        .orderBy(column, order)
        .orderBy('video.id', order)
        .limit(limit)
        .offset(offset)
        .execute()
    : await db
        .selectFrom('video')
        .select('video.id')
        .where(fitting(filter, fromBounds ? others : bounded.filter((one) => isInOrderOf(ordered, one))))
        .where(watchFits(accountId, filter))
        .$if(begin !== undefined, (q) => q.where('video.publishedAt', order === 'desc' ? '<=' : '>=', begin!))
        .orderBy(fromBounds ? sql`${sql.ref(column)} + 0` : column, order)
        .orderBy('video.id', order)
        .limit(limit)
        .offset(pass)
        .execute();
  return isFromEnd ? idsOf(rows).toReversed() : idsOf(rows);
}
