import { sql, type ExpressionBuilder } from 'kysely';
import type { DownloadFilter } from '#contract/download.ts';
import type { Db } from '../db/db.ts';
import { areIndexed, lookForSomething, titleHas } from '../db/queue-words.ts';
import { little } from '../db/recall.ts';
import type { Tables } from '../db/tables.ts';
import { foldText } from '../fold-text.ts';

// The queue as people see and change it; how downloads take from it is in store.ts.

type Filter = Partial<Omit<DownloadFilter, 'page'>> & { id?: string };

const wordsOf = (text = '') => foldText(text).split(/\s+/).filter(Boolean);

/** Whether a search of the queue leaves anything out. */
export const looksForSomething = (q: string): boolean => lookForSomething(wordsOf(q));

/** What matches a filter, to list, count, change or delete by. */
const matching =
  ({ engine }: Pick<Db, 'engine'>, { id, filter, channel, vid_type, error, q }: Filter) =>
  (w: ExpressionBuilder<Tables, 'download'>) =>
    w.and([
      ...(id === undefined ? [] : [w('download.id', '=', id)]),
      ...(filter ? [w('download.status', '=', filter)] : []),
      ...(channel ? [w('download.channelId', '=', channel)] : []),
      ...(vid_type ? [w('download.kind', '=', vid_type)] : []),
      ...(error === undefined ? [] : [w('download.failure', error ? 'is not' : 'is', null)]),
      titleHas(engine, wordsOf(q))(w),
    ]);

interface Page {
  size: number;
  from: number;
}

/** Which are on a page: found in an index alone, in their order. */
const inOrder = (db: Db, filter: Filter, page: Page) =>
  db
    .selectFrom('download')
    .select(['number', sql<number | null>`null`.as('ofAll')])
    .where(matching(db, filter))
    .orderBy('autoStart', 'desc')
    .orderBy('queuedAt')
    .orderBy('number')
    .limit(page.size)
    .offset(page.from);

/**
 * The same for words that an index knows, with how many there are in all. They are gathered first: PostgreSQL would else go through the whole
 * queue in its order, as if it could stop after a page.
 */
const byWords = (db: Db, filter: Filter, page: Page) =>
  db
    .with(
      (cte) => cte('found').materialized(),
      (e) => e.selectFrom('download').select(['number', 'autoStart', 'queuedAt']).where(matching(db, filter)),
    )
    .selectFrom('found')
    .select((e) => ['number', e.fn.countAll<number>().over().$castTo<number | null>().as('ofAll')])
    .orderBy('autoStart', 'desc')
    .orderBy('queuedAt')
    .orderBy('number')
    .limit(page.size)
    .offset(page.from);

/** One page of items in their order; each tells how many match in all, where that is found with them, else null. */
export const listItems = (db: Db, filter: Filter, page: Page) =>
  db
    .selectFrom((areIndexed(wordsOf(filter.q)) ? byWords : inOrder)(db, filter, page).as('page'))
    .crossJoin('download') // SQLite then begins with the page
    .whereRef('download.number', '=', 'page.number')
    .leftJoin('channel', 'channel.id', 'download.channelId')
    .selectAll('download')
    .select(['channel.id as indexedChannelId', 'page.ofAll'])
    .orderBy('autoStart', 'desc')
    .orderBy('queuedAt')
    .orderBy('download.number')
    .execute();
export type ItemRow = Awaited<ReturnType<typeof listItems>>[number];

/** How many items match: what the database keeps counted, unless words or failures are asked for. */
export async function countItems(db: Db, filter: Filter): Promise<number> {
  const { filter: status, channel, vid_type: kind, error, q: words } = filter;
  const list = JSON.stringify([status, channel, kind, error, words]);
  const { total } = await db.recall.one(`items ${list}`, { from: ['download'], bytes: little }, () =>
    words || error !== undefined
      ? db
          .selectFrom('download')
          .select((e) => e.fn.countAll<number>().as('total'))
          .where(matching(db, filter))
          .executeTakeFirstOrThrow()
      : db
          .selectFrom('queueTally')
          .select((e) => e.fn.coalesce(e.fn.sum<number>('items'), e.lit(0)).as('total'))
          .$if(status !== undefined, (q) => q.where('status', '=', status!))
          .$if(channel !== undefined, (q) => q.where('channelId', '=', channel!))
          .$if(kind !== undefined, (q) => q.where('kind', '=', kind!))
          .executeTakeFirstOrThrow(),
  );
  return total;
}

const changes = {
  pending: { status: 'pending' },
  ignore: { status: 'ignore', autoStart: 0 },
  priority: { status: 'pending', autoStart: 1, failure: null, message: null, failures: 0, retryAt: null },
  later: { autoStart: 0 },
  clear_error: { failure: null, message: null, failures: 0, retryAt: null },
} as const;
export type Change = keyof typeof changes;

export const changeItems = (db: Db, filter: Filter, change: Change) =>
  db.updateTable('download').set(changes[change]).where(matching(db, filter)).returning('number').execute();

export const changeItem = (db: Db, id: string, change: Change) =>
  db.updateTable('download').set(changes[change]).where('id', '=', id).returning(['number', 'site']).executeTakeFirst();

export const forgetItems = (db: Db, filter: Filter) =>
  db.deleteFrom('download').where(matching(db, filter)).returning('number').execute();

export const forgetItem = (db: Db, id: string) =>
  db.deleteFrom('download').where('id', '=', id).returning('number').executeTakeFirst();

/** Channels with items of a status, those with the most first. */
export const channelsInQueue = (db: Db, status: 'pending' | 'ignore') =>
  db.recall.one(`channels in queue ${status}`, { from: ['queueTally'], bytes: 100_000 }, () =>
    db
      .selectFrom('queueTally')
      .select(['channelId', 'channelName'])
      .select((e) => e.fn.sum<number>('items').as('count'))
      .where('status', '=', status)
      .groupBy(['channelId', 'channelName'])
      .having((h) => h(h.fn.sum<number>('items'), '>', 0))
      .orderBy('count', 'desc')
      .orderBy('channelName')
      .execute(),
  );
