import type { Insertable } from 'kysely';
import type { DownloadFilter, FailureKind } from '#contract/download.ts';
import type { Db, Tx } from '../db/db.ts';
import type { DownloadTable } from '../db/tables.ts';
import { foldText } from '../fold-text.ts';

/** A download holds its queue item for this long and renews it while it goes on. */
export const leaseSeconds = 120;

export type NewItem = Omit<Insertable<DownloadTable>, 'number' | 'foldedTitle' | 'attempts' | 'leasedBy' | 'leaseUntil'>;

const rowOf = (item: NewItem) => ({ ...item, foldedTitle: foldText(item.title) });

/** Adds an item; does nothing, and answers false, when its id is in the queue or on the ignore list. */
export async function enqueue(db: Db, item: NewItem): Promise<boolean> {
  const added = await db
    .insertInto('download')
    .values(rowOf(item))
    .onConflict((c) => c.column('id').doNothing())
    .returning('number')
    .executeTakeFirst();
  return added !== undefined;
}

/** Adds an item, or puts the one that is there back to the beginning. */
export const enqueueAgain = (db: Db, item: NewItem) =>
  db
    .insertInto('download')
    .values(rowOf(item))
    .onConflict((c) =>
      c.column('id').doUpdateSet({ ...rowOf(item), failure: item.failure ?? null, message: item.message ?? null }),
    )
    .execute();

/** Which of these ids are in the queue already, and how. */
export async function queuedIds(db: Db, ids: string[]): Promise<Map<string, 'pending' | 'ignore'>> {
  if (ids.length === 0) return new Map();
  const rows = await db.selectFrom('download').select(['id', 'status']).where('id', 'in', ids).execute();
  return new Map(rows.map((row) => [row.id, row.status]));
}

/**
 * Takes the next pending item for this run, or nothing. Items asked for come before the rest, then oldest first; failed
 * ones wait until somebody clears them. An item whose lease ran out is taken again, by whoever comes.
 */
export function claimNext(
  db: Db,
  { runId, now, autoOnly, exceptSites }: { runId: string; now: number; autoOnly: boolean; exceptSites: string[] },
) {
  const next = db
    .selectFrom('download')
    .select('number')
    .where('status', '=', 'pending')
    .where('failure', 'is', null)
    .where((w) => w.or([w('leaseUntil', 'is', null), w('leaseUntil', '<', now)]))
    .$if(autoOnly, (q) => q.where('autoStart', '=', 1))
    .$if(exceptSites.length > 0, (q) => q.where('site', 'not in', exceptSites))
    .orderBy('autoStart', 'desc')
    .orderBy('queuedAt')
    .orderBy('number')
    .limit(1)
    .$if(db.engine === 'postgres', (q) => q.forUpdate().skipLocked());

  return db
    .updateTable('download')
    .set((q) => ({ leasedBy: runId, leaseUntil: now + leaseSeconds, attempts: q('attempts', '+', 1) }))
    .where('number', '=', next)
    .returningAll()
    .executeTakeFirst();
}
export type QueueItem = NonNullable<Awaited<ReturnType<typeof claimNext>>>;

export const renewLease = (db: Db, number: number, now: number) =>
  db
    .updateTable('download')
    .set({ leaseUntil: now + leaseSeconds })
    .where('number', '=', number)
    .execute();

/** Lets go of an item, so that it can be taken again at once. */
export const releaseLease = (db: Db, number: number) =>
  db.updateTable('download').set({ leasedBy: null, leaseUntil: null }).where('number', '=', number).execute();

/** What an earlier run of this program held is free at once. */
export const freeAll = (db: Db) =>
  db.updateTable('download').set({ leasedBy: null, leaseUntil: null }).where('leasedBy', 'is not', null).execute();

/** Keeps why an item failed on the item; it is left alone until somebody clears that. */
export const noteFailure = (db: Db, number: number, failure: { kind: FailureKind; message: string }) =>
  db
    .updateTable('download')
    .set({ failure: failure.kind, message: failure.message, leasedBy: null, leaseUntil: null })
    .where('number', '=', number)
    .execute();

export const removeItem = (db: Db | Tx, number: number) => db.deleteFrom('download').where('number', '=', number).execute();

export const clearAutoStart = (db: Db) => db.updateTable('download').set({ autoStart: 0 }).where('autoStart', '=', 1).execute();

export const findByNumber = (db: Db, number: number) =>
  db.selectFrom('download').selectAll().where('number', '=', number).executeTakeFirst();

type Filter = Partial<Omit<DownloadFilter, 'page'>> & { id?: string };

/** The ids that match a filter, as a query to list, count, change or delete by. */
function matching(db: Db, { id, filter, channel, vid_type, error, q }: Filter) {
  let found = db.selectFrom('download').select('number');
  if (id !== undefined) found = found.where('id', '=', id);
  if (filter) found = found.where('status', '=', filter);
  if (channel) found = found.where('channelId', '=', channel);
  if (vid_type) found = found.where('kind', '=', vid_type);
  if (error !== undefined) found = found.where('failure', error ? 'is not' : 'is', null);
  // Both sides are folded, so that `like` means the same on every engine.
  for (const word of foldText(q ?? '')
    .split(/\s+/)
    .filter(Boolean))
    found = found.where('foldedTitle', 'like', `%${word.replace(/[%_\\]/g, '')}%`);
  return found;
}

export const listItems = (db: Db, filter: Filter, page: { size: number; from: number }) =>
  db
    .selectFrom('download')
    .leftJoin('channel', 'channel.id', 'download.channelId')
    .selectAll('download')
    .select('channel.id as indexedChannelId')
    .where('number', 'in', matching(db, filter))
    .orderBy('autoStart', 'desc')
    .orderBy('queuedAt')
    .orderBy('number')
    .limit(page.size)
    .offset(page.from)
    .execute();
export type ItemRow = Awaited<ReturnType<typeof listItems>>[number];

export async function countItems(db: Db, filter: Filter): Promise<number> {
  const row = await db
    .selectFrom('download')
    .select((e) => e.fn.countAll<number>().as('total'))
    .where('number', 'in', matching(db, filter))
    .executeTakeFirstOrThrow();
  return row.total;
}

const changes = {
  pending: { status: 'pending' },
  ignore: { status: 'ignore', autoStart: 0 },
  priority: { status: 'pending', autoStart: 1, failure: null, message: null },
  clear_error: { failure: null, message: null },
} as const;
export type Change = keyof typeof changes;

export const changeItems = (db: Db, filter: Filter, change: Change) =>
  db.updateTable('download').set(changes[change]).where('number', 'in', matching(db, filter)).execute();

export const changeItem = (db: Db, id: string, change: Change) =>
  db.updateTable('download').set(changes[change]).where('id', '=', id).returning('number').executeTakeFirst();

export const forgetItems = (db: Db, filter: Filter) =>
  db.deleteFrom('download').where('number', 'in', matching(db, filter)).returning('number').execute();

export const forgetItem = (db: Db, id: string) =>
  db.deleteFrom('download').where('id', '=', id).returning('number').executeTakeFirst();

/** Channels with the most items of a status, the most first. */
export const channelsInQueue = (db: Db, status: 'pending' | 'ignore') =>
  db
    .selectFrom('download')
    .select(['channelId', 'channelName'])
    .select((e) => e.fn.countAll<number>().as('count'))
    .where('status', '=', status)
    .groupBy(['channelId', 'channelName'])
    .orderBy('count', 'desc')
    .orderBy('channelName')
    .execute();
