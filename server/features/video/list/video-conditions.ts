import { sql, type ExpressionBuilder } from 'kysely';
import type { VideoFilter } from '#contract/video.ts';
import type { Db } from '../../../platform/db/db.ts';
import type { Tables } from '../../../platform/db/schema/tables.ts';
import { timeZone } from '../../../platform/lib/format-time.ts';
import { startOfDay } from '../../../platform/lib/start-of-day.ts';
import { hasTag, videosWithTags } from '../../tag/store.ts';
import { hasFacet, hasFacets, type FacetFilter } from './facets.ts';

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
export type Start = Column | 'incompatible' | 'height' | 'facet' | 'ownTag' | 'cleanup';

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
      ...(filter.ownTag === undefined
        ? []
        : [startsAt.includes('ownTag') ? w('video.id', 'in', videosWithTags([filter.ownTag])) : hasTag(filter.ownTag)]),
      ...(filter.cleanup ? mayBeCleanedUp(w, filter.cleanup) : []),
    ]);
  };
};

/** Returns the range and facet conditions of a filter. */
export const boundedIn = (filter: VideoFilter): Start[] => {
  const is = (...values: unknown[]) => values.some((value) => value !== undefined);
  return [
    ...(is(filter.height) ? (['height'] as const) : []),
    ...(is(filter.from, filter.to) ? (['publishedAt'] as const) : []),
    ...(is(filter.min_duration, filter.max_duration) ? (['durationSeconds'] as const) : []),
    ...(is(filter.downloaded_from, filter.downloaded_to) ? (['downloadedAt'] as const) : []),
    ...(is(filter.min_size, filter.max_size) ? (['sizeBytes'] as const) : []),
    ...(is(filter.incompatible) ? (['incompatible'] as const) : []),
    ...(hasFacet(filter) ? (['facet'] as const) : []),
    ...(is(filter.own_tag) ? (['ownTag'] as const) : []),
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

/** All conditions of a filter, for videos that are looked at one by one. */
export const matchesFilter = (accountId: number, filter: FacetFilter) => (w: OnVideo) =>
  w.and([
    filterVideos(filter)(w),
    matchesWatchFilter(accountId, filter)(w),
    ...(filter.playlist ? [isInPlaylist(filter.playlist)(w)] : []),
    ...(filter.watch === 'continue' ? [isStartedBy(accountId)(w)] : []),
  ]);

/** Returns the visible positions of a playlist. */
export const shownIn = (db: Db, playlist: string) =>
  db.selectFrom('playlistVideo').where('playlistVideo.playlistId', '=', playlist);

export const isUnfiltered = ({ type, channel, watch }: VideoFilter) => !type && !channel && !watch;
export const isWhole = (filter: FacetFilter) => isUnfiltered(filter) && boundedIn(filter).length === 0;

export const ofPlaylist = (db: Db, accountId: number, filter: FacetFilter) =>
  shownIn(db, filter.playlist!)
    .innerJoin('video', 'video.id', 'playlistVideo.videoId')
    .where(filterVideos(filter))
    .where(matchesWatchFilter(accountId, filter))
    .$if(filter.watch === 'continue', (q) =>
      q
        .innerJoin('watch', (on) => on.onRef('watch.videoId', '=', 'video.id').on('watch.accountId', '=', accountId))
        .where(isBegun),
    );

export const begunBy = (db: Db, accountId: number, filter: FacetFilter) =>
  db
    .selectFrom('watch')
    .innerJoin('video', 'video.id', 'watch.videoId')
    .where('watch.accountId', '=', accountId)
    .where(isBegun)
    .where(filterVideos(filter));
