import { expressionBuilder, sql, type ExpressionBuilder, type SqlBool } from 'kysely';
import { videosWithTags } from '../../tag/store.ts';
import type { SearchQuery } from '#contract/search.ts';
import type { Db, Tx } from '../../../platform/db/db.ts';
import type { Tables } from '../../../platform/db/schema/tables.ts';
import type { SearchIndexName } from './index-write.ts';
import { fts5Of, partsOf, tsqueryOf, type Expression } from '../text/fts-expression.ts';

/** A tag, and the number of the caller's private tag of that name. */
export interface SoughtTag {
  name: string;
  own: number | null;
}

/** Filters that narrow a search to some videos, and the account whose watch state applies. */
export interface SearchFilter extends Pick<SearchQuery, 'from' | 'to' | 'min_duration' | 'max_duration' | 'type' | 'watched'> {
  accountId: number;
  video?: string | undefined;
  channel?: string | undefined;
  playlist?: string | undefined;
  tags?: readonly SoughtTag[] | undefined;
}

const filterKeys = ['from', 'to', 'min_duration', 'max_duration', 'type', 'watched', 'video', 'channel', 'playlist'] as const;
/** Returns whether a filter narrows the search. */
export const hasFilter = (filter: SearchFilter) =>
  (filter.tags ?? []).length > 0 || filterKeys.some((key) => filter[key] !== undefined);

/** Returns a tag as it is stored for filters (server/platform/db/triggers/facets.ts). */
const facetOfTag = (tag: string) => tag.slice(0, 200).replace(/[A-Z]/g, (letter) => letter.toLowerCase());

const saidFor = (db: Db, expression: Expression) => (db.engine === 'postgres' ? tsqueryOf(expression) : fts5Of(expression));
const holdsWhat = (db: Db | Tx, index: SearchIndexName, text: string) =>
  db.engine === 'postgres'
    ? sql<SqlBool>`${sql.ref(`${index}.words`)} @@ ${text}::tsquery`
    : sql<SqlBool>`${sql.table(index)} match ${text}`;

/**
 * Matches an expression in an index. On PostgreSQL each required part is a separate condition: intersecting their posting lists
 * takes about half as long as one combined condition.
 */
export function matchesFilter(db: Db, index: SearchIndexName, expression: Expression) {
  const parts = db.engine === 'postgres' ? partsOf(expression) : [expression];
  return expressionBuilder<Tables, never>().and(parts.map((part) => holdsWhat(db, index, saidFor(db, part))));
}

/** Conditions on the video of a row. */
export const conditionsOf = (filter: SearchFilter) => (w: ExpressionBuilder<Tables, 'video'>) => {
  const conditions = [
    ...(filter.from === undefined ? [] : [w('video.publishedAt', '>=', filter.from)]),
    ...(filter.to === undefined ? [] : [w('video.publishedAt', '<=', filter.to)]),
    ...(filter.min_duration === undefined ? [] : [w('video.durationSeconds', '>=', filter.min_duration)]),
    ...(filter.max_duration === undefined ? [] : [w('video.durationSeconds', '<=', filter.max_duration)]),
    ...(filter.type === undefined ? [] : [w('video.kind', '=', filter.type)]),
    ...(filter.video === undefined ? [] : [w('video.id', '=', filter.video)]),
    ...(filter.channel === undefined ? [] : [w('video.channelId', '=', filter.channel)]),
    ...(filter.playlist === undefined
      ? []
      : [w('video.id', 'in', w.selectFrom('playlistVideo').select('videoId').where('playlistId', '=', filter.playlist))]),
    ...(filter.tags ?? []).map(({ name, own }) => {
      const facets = w
        .selectFrom('facet')
        .select('videoId as id')
        .where('kind', '=', 'tag')
        .where('value', '=', facetOfTag(name));
      return w('video.id', 'in', own === null ? facets : facets.unionAll(videosWithTags([own])));
    }),
  ];
  if (filter.watched !== undefined) {
    const watched = w
      .selectFrom('watch')
      .select('watch.videoId')
      .where('watch.accountId', '=', filter.accountId)
      .where('watch.watchedAt', 'is not', null);
    // "not in" would read the whole list for each search.
    const isUnwatched = () => w.not(w.exists(watched.whereRef('watch.videoId', '=', 'video.id')));
    conditions.push(filter.watched ? w('video.id', 'in', watched) : isUnwatched());
  }
  return w.and(conditions);
};

/** Flags that a query can filter by. */
export interface Flags {
  active: boolean | null;
  subscribed: boolean | null;
}
const bit = (is: boolean): 0 | 1 => (is ? 1 : 0);

/** Conditions on the flags of a channel or playlist. */
function isFlagged(table: 'channel' | 'playlist', { active, subscribed }: Flags) {
  const w = expressionBuilder<Tables, 'channel' | 'playlist'>();
  return w.and([
    ...(active === null ? [] : [w(`${table}.isActive`, '=', bit(active))]),
    ...(subscribed === null ? [] : [w(`${table}.isSubscribed`, '=', bit(subscribed))]),
  ]);
}

interface ThingQuery {
  /** Null matches everything. */
  expression: Expression | null;
  flags: Flags;
  narrowing: SearchFilter;
  limit: number;
}

/** The fields that a hit is scored by. `c` is a JSON array, and so is `b` of a video. */
export interface NamedRow {
  id: string;
  at: number;
  a: string;
  b: string | null;
  c: string | null;
  /** Of a video. */
  branding?: string | null;
  music?: string | null;
  musicEdit?: string | null;
}

// SQLite keeps the table order of a cross join: first the index, then only rows that match. Joined rows are looked up one by one
// until the limit is reached.
const indexed = (db: Db, expression: Expression, limit: number) =>
  db
    .selectFrom('searchName')
    .crossJoin('searchDocument')
    .whereRef('searchDocument.number', '=', 'searchName.rowid')
    .where(matchesFilter(db, 'searchName', expression))
    // Newest first; on PostgreSQL this would collect and sort all matches.
    .$if(db.engine === 'sqlite', (q) => q.orderBy('searchName.rowid', 'desc'))
    .limit(limit);

/** Finds the numbers of matching documents (`searchDocument`): of too many matches the newest on SQLite, any on PostgreSQL. */
export async function findNumbers(db: Db, expression: Expression, limit: number): Promise<number[]> {
  const rows = await db
    .selectFrom('searchName')
    .select('rowid')
    .where(holdsWhat(db, 'searchName', saidFor(db, expression)))
    .$if(db.engine === 'sqlite', (q) => q.orderBy('rowid', 'desc')) // see above
    .limit(limit)
    .execute();
  return rows.map(({ rowid }) => rowid);
}

/** Selects matching documents of the index of moments: of too many matches the newest on SQLite, any on PostgreSQL. */
export const matchingMoments = (db: Db, expression: Expression, limit: number) =>
  db
    .selectFrom('searchMoment')
    .select('searchMoment.rowid')
    .where(matchesFilter(db, 'searchMoment', expression))
    .$if(db.engine === 'sqlite', (q) => q.orderBy('searchMoment.rowid', 'desc')) // see above
    .limit(limit);

/** Loads the videos among some documents with the fields that similarity uses. */
export const videosNumbered = (db: Db, numbers: number[]) =>
  db
    .selectFrom('searchDocument')
    .crossJoin('video')
    .whereRef('video.id', '=', 'searchDocument.id')
    .select(['number', 'video.id', 'video.channelId', 'publishedAt', 'title', 'video.tags'])
    .where('number', 'in', numbers)
    // With "=", SQLite would start from all videos.
    .where((w) => w.not(w('searchDocument.kind', '!=', 'video')))
    .execute();

/** Finds matching videos; an arbitrary subset if there are too many. */
export function findVideoRows(db: Db, { expression, flags, narrowing, limit }: ThingQuery): Promise<NamedRow[]> {
  const columns = [
    'video.id',
    'video.publishedAt as at',
    'video.title as a',
    'video.branding',
    'video.music',
    'video.musicEdit',
    'video.tags as b',
    'video.categories as c',
  ] as const;
  const isActive = flags.active === null ? null : bit(flags.active);
  const query = expression
    ? indexed(db, expression, limit)
        .where('searchDocument.kind', '=', 'video')
        .crossJoin('video')
        .whereRef('video.id', '=', 'searchDocument.id')
    : db.selectFrom('video').orderBy('video.publishedAt', 'desc').orderBy('video.id', 'desc').limit(limit);
  return query
    .select(columns)
    .where(conditionsOf(narrowing))
    .$if(isActive !== null, (q) => q.where('video.isActive', '=', isActive!))
    .execute();
}

/** Finds matching channels. */
export function findChannelRows(db: Db, { expression, flags, limit }: ThingQuery): Promise<NamedRow[]> {
  const columns = [
    'channel.id',
    'channel.refreshedAt as at',
    'channel.name as a',
    'channel.description as b',
    'channel.tags as c',
  ] as const;
  const query = expression
    ? indexed(db, expression, limit).crossJoin('channel').whereRef('channel.id', '=', 'searchDocument.id')
    : db.selectFrom('channel').orderBy('sortName').orderBy('id').limit(limit);
  return query.select(columns).where(isFlagged('channel', flags)).execute();
}

/** Finds matching playlists. */
export function findPlaylistRows(db: Db, { expression, flags, limit }: ThingQuery): Promise<NamedRow[]> {
  const columns = [
    'playlist.id',
    'playlist.refreshedAt as at',
    'playlist.name as a',
    'playlist.description as b',
    sql<string | null>`null`.as('c'),
  ] as const;
  const query = expression
    ? indexed(db, expression, limit).crossJoin('playlist').whereRef('playlist.id', '=', 'searchDocument.id')
    : db.selectFrom('playlist').orderBy('sortName').orderBy('id').limit(limit);
  return query.select(columns).where(isFlagged('playlist', flags)).execute();
}
