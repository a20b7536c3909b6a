import { expressionBuilder, sql, type ExpressionBuilder, type SqlBool } from 'kysely';
import type { SearchQuery } from '#contract/search.ts';
import type { Db, Tx } from '../db/db.ts';
import { writtenOnce } from '../db/written-once.ts';
import type { Tables } from '../db/tables.ts';
import { fts5Of, partsOf, tsqueryOf, type Expression } from './expression.ts';

/** What narrows a search to some videos, and whose eyes it is seen with. */
export interface Narrowing extends Pick<SearchQuery, 'from' | 'to' | 'min_duration' | 'max_duration' | 'type' | 'watched'> {
  accountId: number;
}

export const narrows = ({ from, to, min_duration, max_duration, type, watched }: Narrowing) =>
  [from, to, min_duration, max_duration, type, watched].some((one) => one !== undefined);

const saidFor = (db: Db, expression: Expression) => (db.engine === 'postgres' ? tsqueryOf(expression) : fts5Of(expression));
const holdsWhat = (db: Db | Tx, index: 'searchThing' | 'searchLine', said: string) =>
  db.engine === 'postgres'
    ? sql<SqlBool>`${sql.ref(`${index}.words`)} @@ ${said}::tsquery`
    : sql<SqlBool>`${sql.table(index)} match ${said}`;

/**
 * An index holds what is looked for. PostgreSQL is told of each part that must hold as a condition of its own: it then goes through the list
 * of each and passes over what the others do not have, and takes about half as long as for all of them said as one.
 */
export function holds(db: Db, index: 'searchThing' | 'searchLine', expression: Expression) {
  const parts = db.engine === 'postgres' ? partsOf(expression) : [expression];
  return expressionBuilder<Tables, never>().and(parts.map((part) => holdsWhat(db, index, saidFor(db, part))));
}

/** The video of a row fits. */
export const fits = (wish: Narrowing) => (w: ExpressionBuilder<Tables, 'video'>) => {
  const conditions = [
    ...(wish.from === undefined ? [] : [w('video.publishedAt', '>=', wish.from)]),
    ...(wish.to === undefined ? [] : [w('video.publishedAt', '<=', wish.to)]),
    ...(wish.min_duration === undefined ? [] : [w('video.durationSeconds', '>=', wish.min_duration)]),
    ...(wish.max_duration === undefined ? [] : [w('video.durationSeconds', '<=', wish.max_duration)]),
    ...(wish.type === undefined ? [] : [w('video.kind', '=', wish.type)]),
  ];
  if (wish.watched !== undefined) {
    const watched = w
      .selectFrom('watch')
      .select('watch.videoId')
      .where('watch.accountId', '=', wish.accountId)
      .where('watch.watchedAt', 'is not', null);
    conditions.push(w('video.id', wish.watched ? 'in' : 'not in', watched));
  }
  return w.and(conditions);
};

/** Flags that a query may ask for. */
export interface Flags {
  active: boolean | null;
  subscribed: boolean | null;
}
const bit = (is: boolean): 0 | 1 => (is ? 1 : 0);

/** The channel or playlist of a row has the flags that are asked for. */
function isFlagged(table: 'channel' | 'playlist', { active, subscribed }: Flags) {
  const w = expressionBuilder<Tables, 'channel' | 'playlist'>();
  return w.and([
    ...(active === null ? [] : [w(`${table}.isActive`, '=', bit(active))]),
    ...(subscribed === null ? [] : [w(`${table}.isSubscribed`, '=', bit(subscribed))]),
  ]);
}

interface ThingQuery {
  /** Null: everything. */
  expression: Expression | null;
  flags: Flags;
  narrowing: Narrowing;
  limit: number;
}

/** What a hit is judged by. `c` is a JSON list, `b` of a video too. */
export interface ThingRow {
  id: string;
  at: number;
  a: string;
  b: string | null;
  c: string | null;
}

// In SQLite a cross join keeps the order of its tables: the index first, and rows only of what it found. Joined rows are
// looked up one by one until there are enough.
const indexed = (db: Db, expression: Expression, limit: number) =>
  db
    .selectFrom('searchThing')
    .crossJoin('searchDocument')
    .whereRef('searchDocument.number', '=', 'searchThing.rowid')
    .where(holds(db, 'searchThing', expression))
    // The newest come first; PostgreSQL would gather and sort everything for that.
    .$if(db.engine === 'sqlite', (q) => q.orderBy('searchThing.rowid', 'desc'))
    .limit(limit);

const numbersThatHold = writtenOnce((db, [said, limit]) =>
  db
    .selectFrom('searchThing')
    .select('rowid')
    .where(holdsWhat(db, 'searchThing', said!))
    .$if(db.engine === 'sqlite', (q) => q.orderBy('rowid', 'desc')) // as above
    .limit(limit!),
);

/** Numbers of documents (`searchDocument`) whose words fit; of very many the newest on SQLite, and some of them on PostgreSQL. */
export const findNumbers = async (db: Db, expression: Expression, limit: number): Promise<number[]> =>
  (await numbersThatHold(db, [saidFor(db, expression), limit])).map(({ rowid }) => rowid);

/** The videos among some documents, with what they are compared by. */
export const videosNumbered = writtenOnce((db, numbers) =>
  db
    .selectFrom('searchDocument')
    .crossJoin('video')
    .whereRef('video.id', '=', 'searchDocument.id')
    .select(['number', 'video.id', 'publishedAt', 'title', 'video.tags'])
    .where('number', 'in', numbers)
    // Said with "=", SQLite would begin with all videos.
    .where((w) => w.not(w('searchDocument.kind', '!=', 'video'))),
);

/** Videos whose words fit, some of them where there are very many. */
export function findVideoRows(db: Db, { expression, flags, narrowing, limit }: ThingQuery): Promise<ThingRow[]> {
  const columns = [
    'video.id',
    'video.publishedAt as at',
    'video.title as a',
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
    .where(fits(narrowing))
    .$if(isActive !== null, (q) => q.where('video.isActive', '=', isActive!))
    .execute();
}

/** Channels whose words fit. */
export function findChannelRows(db: Db, { expression, flags, limit }: ThingQuery): Promise<ThingRow[]> {
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

/** Playlists whose words fit. */
export function findPlaylistRows(db: Db, { expression, flags, limit }: ThingQuery): Promise<ThingRow[]> {
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
