import { sql, type ExpressionBuilder } from 'kysely';
import type { DownloadFilter, FailureKind } from '#contract/download.ts';
import type { Db } from '../../platform/db/db.ts';
import { isIndexed, hasSearchWords, titleMatches } from '../../platform/db/queue-search.ts';
import type { Tables } from '../../platform/db/schema/tables.ts';
import { normalizeText } from '../../platform/lib/normalize-text.ts';

// Queries for listing and changing the queue. Claims of downloads are in claims.ts.

type Filter = Partial<Omit<DownloadFilter, 'page'>> & { id?: string };

const wordsOf = (text = '') => normalizeText(text).split(/\s+/).filter(Boolean);

/** Returns whether a search text has any effect. */
export const hasSearchFilter = (q: string): boolean => hasSearchWords(wordsOf(q));

// A stream that is not over waits; nothing is wrong with it.
const waits: FailureKind = 'not-yet';

const hasFailed = (w: ExpressionBuilder<Tables, 'download'>, error: boolean) =>
  error
    ? w.and([w('download.failure', 'is not', null), w('download.failure', '!=', waits)])
    : w.or([w('download.failure', 'is', null), w('download.failure', '=', waits)]);

/** WHERE condition for listing, counting, changing and deleting. */
const matchesFilter =
  ({ engine }: Pick<Db, 'engine'>, { id, filter, channel, vid_type, error, live, q }: Filter) =>
  (w: ExpressionBuilder<Tables, 'download'>) =>
    w.and([
      ...(id === undefined ? [] : [w('download.id', '=', id)]),
      ...(filter ? [w('download.status', '=', filter)] : []),
      ...(channel ? [w('download.channelId', '=', channel)] : []),
      ...(vid_type ? [w('download.kind', '=', vid_type)] : []),
      ...(error === undefined ? [] : [hasFailed(w, error)]),
      ...(live ? [w.or([w('download.failure', '=', waits), w('download.isRecording', '=', 1)])] : []),
      titleMatches(engine, wordsOf(q))(w),
    ]);

interface Page {
  size: number;
  from: number;
}

/** Returns the page as counted from the end of a list with this many items. */
const pageFromEnd = ({ size, from }: Page, total: number): Page => {
  const rest = Math.max(0, total - from);
  return { size: Math.min(size, rest), from: Math.max(0, rest - size) };
};

/** Numbers of the items of a page, found in a single index and in its order, from the end if `isFromEnd`. */
const pageInOrder = (db: Db, filter: Filter, { size, from }: Page, isFromEnd = false) =>
  db
    .selectFrom('download')
    .select(['number', sql<number | null>`null`.as('totalHits')])
    .where(matchesFilter(db, filter))
    .orderBy('autoStart', isFromEnd ? 'asc' : 'desc')
    .orderBy('queuedAt', isFromEnd ? 'desc' : 'asc')
    .orderBy('number', isFromEnd ? 'desc' : 'asc')
    .limit(size)
    .offset(from);

/** Numbers of the items of a page; a deep one is read from the nearer end. */
async function nearerPage(db: Db, filter: Filter, page: Page, deepFrom: number) {
  if (page.from < deepFrom || !isCounted(filter)) return pageInOrder(db, filter, page);
  const total = await countItems(db, filter);
  return page.from > total / 2 ? pageInOrder(db, filter, pageFromEnd(page, total), true) : pageInOrder(db, filter, page);
}

/**
 * Numbers of the items of a page for indexed search words, with the total. The CTE is materialized, because PostgreSQL would
 * otherwise scan the whole queue in its order, expecting to stop after a page.
 */
const searchPage = (db: Db, filter: Filter, page: Page) =>
  db
    .with(
      (cte) => cte('found').materialized(),
      (e) => e.selectFrom('download').select(['number', 'autoStart', 'queuedAt']).where(matchesFilter(db, filter)),
    )
    .selectFrom('found')
    .select((e) => ['number', e.fn.countAll<number>().over().$castTo<number | null>().as('totalHits')])
    .orderBy('autoStart', 'desc')
    .orderBy('queuedAt')
    .orderBy('number')
    .limit(page.size)
    .offset(page.from);

/** Returns one page of items in queue order. `totalHits` is the number of all matches where the search returns it, else null. */
export async function listItems(db: Db, filter: Filter, page: Page, deepFrom = 1_000) {
  const numbers = isIndexed(wordsOf(filter.q)) ? searchPage(db, filter, page) : await nearerPage(db, filter, page, deepFrom);
  return db
    .selectFrom(numbers.as('page'))
    .crossJoin('download') // makes SQLite start with the page
    .whereRef('download.number', '=', 'page.number')
    .leftJoin('channel', 'channel.id', 'download.channelId')
    .selectAll('download')
    .select(['channel.id as indexedChannelId', 'page.totalHits'])
    .orderBy('autoStart', 'desc')
    .orderBy('queuedAt')
    .orderBy('download.number')
    .execute();
}
export type ItemRow = Awaited<ReturnType<typeof listItems>>[number];

/** Returns whether the counters of the database have the number of matching items. */
const isCounted = ({ id, channel, live, q }: Filter) => id === undefined && !channel && !live && !q;

/** Counts matching items, from the counters of the database where possible. */
export async function countItems(db: Db, filter: Filter): Promise<number> {
  const { filter: status, vid_type: kind, error } = filter;
  const { total } = !isCounted(filter)
    ? await db
        .selectFrom('download')
        .select((e) => e.fn.countAll<number>().as('total'))
        .where(matchesFilter(db, filter))
        .executeTakeFirstOrThrow()
    : await db
        .selectFrom('queueStatusCount')
        .select((e) => e.fn.coalesce(e.fn.sum<number>('items'), e.lit(0)).as('total'))
        .$if(status !== undefined, (q) => q.where('status', '=', status!))
        .$if(kind !== undefined, (q) => q.where('kind', '=', kind!))
        .$if(error !== undefined, (q) => q.where('failure', error ? 'not in' : 'in', ['', waits]))
        .executeTakeFirstOrThrow();
  return total;
}

/** Counts pending items without a failure that were only listed and wait for a request. */
export async function countListedOnly(db: Db): Promise<number> {
  const { items } = await db
    .selectFrom('queueStatusCount')
    .select((e) => e.fn.coalesce(e.fn.sum<number>('items'), e.lit(0)).as('items'))
    .where('status', '=', 'pending')
    .where('isOnRequest', '=', 1)
    .where('failure', '=', '')
    .executeTakeFirstOrThrow();
  return items;
}

const changes = {
  pending: { status: 'pending' },
  ignore: { status: 'ignore', autoStart: 0 },
  priority: { status: 'pending', autoStart: 1, isOnRequest: 0, failure: null, message: null, failures: 0, retryAt: null },
  later: { autoStart: 0 },
  clear_error: { failure: null, message: null, failures: 0, retryAt: null },
} as const;
export type ItemChange = keyof typeof changes;

export const changeItems = (db: Db, filter: Filter, change: ItemChange) =>
  db.updateTable('download').set(changes[change]).where(matchesFilter(db, filter)).returning('number').execute();

export const changeItem = (db: Db, id: string, change: ItemChange) =>
  db.updateTable('download').set(changes[change]).where('id', '=', id).returning(['number', 'site']).executeTakeFirst();

export const deleteItems = (db: Db, filter: Filter) =>
  db.deleteFrom('download').where(matchesFilter(db, filter)).returning('number').execute();

export const deleteItem = (db: Db, id: string) =>
  db.deleteFrom('download').where('id', '=', id).returning('number').executeTakeFirst();

/** Returns the channels with most items of a status, and with each row the items of all channels. */
export function channelsInQueue(db: Db, status: 'pending' | 'ignore', limit: number) {
  const counts = db
    .selectFrom('queueChannelCount')
    .where('status', '=', status)
    .where('channelId', '!=', '') // others are not looked up yet
    .where('items', '>', 0);
  // A window function would take five times as long.
  const total = counts.select((e) => e.fn.sum<number>('items').as('items'));
  return counts
    .select(['channelId', 'channelName', 'items as count', total.as('ofAll')])
    .orderBy('count', 'desc')
    .orderBy('channelName')
    .limit(limit)
    .execute();
}
