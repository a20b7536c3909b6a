import type { Message } from '#contract/messages.ts';
import { storeMessages } from '../../platform/messages/stored.ts';
import type { ExpressionBuilder, Insertable, Selectable } from 'kysely';
import type { FailureKind } from '#contract/download.ts';
import { chunks, inTransaction, type Db, type Tx } from '../../platform/db/db.ts';
import type { DownloadTable, Tables } from '../../platform/db/schema/tables.ts';
import { normalizeText } from '../../platform/lib/normalize-text.ts';
import { sitesInAnyCooldown, sitesInCooldown } from '../sites/site-cooldowns.ts';

/** Duration of the lease of a queue item, in seconds. A running download renews it. */
export const leaseSeconds = 120;

/** A claim of an item. Each claim increases the epoch, and writes with an earlier epoch change nothing. */
export type Lease = Pick<Selectable<DownloadTable>, 'number' | 'leasedBy' | 'epoch'>;

/** Condition for writes of the holder. Without a matching row the lease is lost. */
const isHeldBy = (lease: Lease) => (w: ExpressionBuilder<Tables, 'download'>) =>
  w.and([w('number', '=', lease.number), w('leasedBy', '=', lease.leasedBy), w('epoch', '=', lease.epoch)]);

interface Claimer {
  runId: string;
  now: number;
  /** Network address of the server (Nodes.egress). */
  egress?: string;
}

/** Columns of an item that `runId` claims. */
const claimedBy =
  ({ runId, now, egress = '' }: Claimer) =>
  (e: ExpressionBuilder<Tables, 'download'>) => ({
    leasedBy: runId,
    leaseUntil: now + leaseSeconds,
    egress,
    isRecording: 0 as const,
    epoch: e('epoch', '+', 1),
  });

export type NewItem = Omit<
  Insertable<DownloadTable>,
  'number' | 'normalizedTitle' | 'attempts' | 'egress' | 'needsLogin' | 'isRecording' | keyof Lease | 'leaseUntil'
>;

// All rows have the same columns, because several are inserted in one statement.
const rowOf = (item: NewItem) => ({
  durationSeconds: null,
  publishedAt: null,
  thumbnailUrl: null,
  isForced: 0 as const,
  isOnRequest: 0 as const,
  failure: null,
  message: null,
  failures: 0,
  retryAt: null,
  startsAt: null,
  ...item,
  normalizedTitle: normalizeText(item.title),
});

/** Adds an item. Returns false without a change if its id is queued or ignored. */
export async function enqueue(db: Db, item: NewItem): Promise<boolean> {
  const added = await db
    .insertInto('download')
    .values(rowOf(item))
    .onConflict((c) => c.column('id').doNothing())
    .returning('number')
    .executeTakeFirst();
  return added !== undefined;
}

/** Adds the items that are neither queued nor ignored. Returns their ids. */
export async function enqueueAll(db: Db | Tx, items: NewItem[]): Promise<string[]> {
  const ids: string[] = [];
  for (const part of chunks(items, 100)) {
    const added = await db
      .insertInto('download')
      .values(part.map(rowOf))
      .onConflict((c) => c.column('id').doNothing())
      .returning('id')
      .execute();
    ids.push(...added.map(({ id }) => id));
  }
  return ids;
}

/** Adds items, or resets existing ones. */
export async function enqueueAgain(db: Db | Tx, items: NewItem[]): Promise<void> {
  for (const part of chunks(items, 100)) {
    const rows = part.map(rowOf);
    const names = Object.keys(rows[0]!) as (keyof (typeof rows)[number])[];
    await db
      .insertInto('download')
      .values(rows)
      .onConflict((c) =>
        c.column('id').doUpdateSet((e) => Object.fromEntries(names.map((name) => [name, e.ref(`excluded.${name}`)]))),
      )
      .execute();
  }
}

/** Returns the status of those ids that are in the queue. */
export async function queuedIds(db: Db, ids: string[]): Promise<Map<string, 'pending' | 'ignore'>> {
  if (ids.length === 0) return new Map();
  const rows = await db.selectFrom('download').select(['id', 'status']).where('id', 'in', ids).execute();
  return new Map(rows.map((row) => [row.id, row.status]));
}

// No retry or lease is this far in the future. Such a time was written while the clock was wrong, so it is ignored.
const implausibleSeconds = 8 * 86_400;

/** Which pending items: all; all except items that are only listed; those with priority; or those due for a retry. */
type Choice = 'all' | 'scheduled' | 'priority' | 'retry';
// Queried separately, because each has its own index (a retry implies a failure). A combined condition would scan all pending
// items.
const automaticChoices: Choice[] = ['priority', 'retry'];

/** From where a server sends requests, and when. */
interface Place {
  now: number;
  /** Network address (Nodes.egress). */
  egress?: string;
  /** Whether it uses the cookies; default: yes. */
  usesLogin?: boolean;
}

/** Items that can be claimed: not failed or due for a retry, not leased, and their site does not refuse the address. */
function claimable(db: Db, { now, egress = '', usesLogin = true }: Place, choice: Choice) {
  const isDue = (w: ExpressionBuilder<Tables, 'download'>, at: 'retryAt' | 'leaseUntil') =>
    w.or([w(at, '<', now + (at === 'retryAt' ? 1 : 0)), w(at, '>', now + implausibleSeconds)]);
  return db
    .selectFrom('download')
    .where('status', '=', 'pending')
    .where((w) => w.or([w('failure', 'is', null), isDue(w, 'retryAt')]))
    .where((w) => w.or([w('leaseUntil', 'is', null), isDue(w, 'leaseUntil')]))
    .where('site', 'not in', sitesInCooldown(db, { egress, now }))
    .$if(!usesLogin, (q) => q.where('needsLogin', '=', 0))
    .$if(choice === 'scheduled', (q) => q.where((w) => w.or([w('isOnRequest', '=', 0), w('autoStart', '=', 1)])))
    .$if(choice === 'priority', (q) => q.where('autoStart', '=', 1))
    .$if(choice === 'retry', (q) => q.where('failure', 'is not', null).where((w) => isDue(w, 'retryAt')));
}

/** Which items a run downloads. */
export interface Selection {
  /** Only items with priority, and items whose retry is due. */
  autoOnly: boolean;
  /** Excludes items that are only listed. */
  scheduled?: boolean | undefined;
}

const choicesOf = ({ autoOnly, scheduled = false }: Selection): Choice[] =>
  autoOnly ? automaticChoices : [scheduled ? 'scheduled' : 'all'];

/** Returns whether a server at one of these places can claim an item. */
export async function isAnyClaimable(db: Db, selection: Selection, places: Place[]) {
  for (const place of places)
    for (const choice of choicesOf(selection))
      if (await claimable(db, place, choice).select('number').limit(1).executeTakeFirst()) return true;
  return false;
}

/**
 * Claims the next pending item for a run. Items with priority come first, then the oldest. Failed items wait for their retry
 * time. At most `perSite` items of a site run at once from a network address. Items with an expired lease can be claimed by any run, except those in
 * `activeItems`: their lease may only look expired after a jump of the clock.
 */
export async function claimNext(db: Db, { autoOnly, scheduled, ...options }: ClaimOptions & Selection) {
  for (const choice of choicesOf({ autoOnly, scheduled })) {
    // Transactions exclude each other on all nodes: with two claims at once, both would find the site below its limit.
    const item = await inTransaction(db, async (tx) => {
      const claimed = await claim(tx, choice, options);
      return claimed && { ...claimed, lastVisitAt: await recordVisit(tx, claimed, options.now) };
    });
    if (item) return item;
  }
  return undefined;
}

/** Records that a download from a site starts. Returns when the last one from the same network address started, or null. */
async function recordVisit(db: Tx, { site, egress }: { site: string; egress: string }, now: number) {
  const before = await db
    .selectFrom('siteVisit')
    .select('startedAt')
    .where('site', '=', site)
    .where('egress', '=', egress)
    .executeTakeFirst();
  await db
    .insertInto('siteVisit')
    .values({ site, egress, startedAt: now })
    .onConflict((c) => c.columns(['site', 'egress']).doUpdateSet({ startedAt: now }))
    .execute();
  return before?.startedAt ?? null;
}

export type QueueItem = Selectable<DownloadTable>;

interface ClaimOptions extends Claimer, Place {
  perSite?: number;
  activeItems?: number[];
}

function claim(db: Tx, choice: Choice, { runId, perSite = 1000, activeItems = [], ...place }: ClaimOptions) {
  const { now, egress = '' } = place;
  const busy = db
    .selectFrom('download as other')
    .select('other.site')
    .where('other.leaseUntil', '>=', now)
    .where('other.egress', '=', egress)
    .where('other.isRecording', '=', 0) // a stream of hours does not hold up others
    .groupBy('other.site')
    .having((h) => h(h.fn.countAll<number>(), '>=', perSite));
  const next = claimable(db, place, choice)
    .select('number')
    .where('site', 'not in', busy)
    .$if(activeItems.length > 0, (q) => q.where('number', 'not in', activeItems))
    .orderBy('autoStart', 'desc')
    .orderBy('queuedAt')
    .orderBy('number')
    .limit(1)
    .$if(db.engine === 'postgres', (q) => q.forUpdate().skipLocked());

  return db
    .updateTable('download')
    .set((e) => ({ ...claimedBy({ runId, now, egress })(e), attempts: e('attempts', '+', 1) }))
    .where('number', '=', next)
    .returningAll()
    .executeTakeFirst();
}

/** Claims an item by id whatever its status. Returns undefined while it is leased. */
export const claimItem = (db: Db, id: string, claimer: Claimer) =>
  db
    .updateTable('download')
    .set(claimedBy(claimer))
    .where('id', '=', id)
    .where((w) => w.or([w('leaseUntil', 'is', null), w('leaseUntil', '<', claimer.now)]))
    .returningAll()
    .executeTakeFirst();

/**
 * Claims a pending item to record its stream. Returns undefined while it is leased. If the task is not started again after crashes, the
 * queue goes on with the item.
 */
export const claimRecording = (db: Db, id: string, claimer: Claimer) =>
  db
    .updateTable('download')
    .set((e) => ({
      ...claimedBy(claimer)(e),
      isRecording: 1 as const,
      autoStart: 1 as const,
      failure: null,
      message: null,
      retryAt: null,
    }))
    .where('id', '=', id)
    .where('status', '=', 'pending')
    .where((w) => w.or([w('leaseUntil', 'is', null), w('leaseUntil', '<', claimer.now)]))
    .returningAll()
    .executeTakeFirst();

/**
 * Renews a lease. Returns false if it is lost. With several nodes an expired lease is lost in any case, because another item may
 * have taken its place in the limit of its site; a single process only has a clock that jumps.
 */
export async function renewLease(db: Db | Tx, lease: Lease, now: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('download')
    .set({ leaseUntil: now + leaseSeconds })
    .where(isHeldBy(lease))
    .$if(db.engine === 'postgres', (q) => q.where('leaseUntil', '>=', now))
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
}

/** Releases an item, so that it can be claimed again immediately. Does nothing if the lease is lost. */
export const releaseLease = (db: Db, lease: Lease) =>
  db.updateTable('download').set({ leasedBy: null, leaseUntil: null }).where(isHeldBy(lease)).execute();

/** Leaves an item to the servers that use the cookies. Does nothing if the lease is lost. */
export const leaveToLogin = (db: Db, lease: Lease) =>
  db.updateTable('download').set({ leasedBy: null, leaseUntil: null, needsLogin: 1 }).where(isHeldBy(lease)).execute();

/** Releases all leases but those of these processes. */
export const releaseLeasesExcept = (db: Db, runIds: string[]) =>
  db
    .updateTable('download')
    .set({ leasedBy: null, leaseUntil: null })
    .where('leasedBy', 'is not', null)
    .$if(runIds.length > 0, (q) => q.where('leasedBy', 'not in', runIds))
    .execute();

/** Records the failure of an item and its retry time (null: only on request). Returns false if the lease is lost. */
export async function recordFailure(
  db: Db | Tx,
  lease: Lease,
  {
    kind,
    message,
    retryAt = null,
    startsAt,
  }: { kind: FailureKind; message: Message; retryAt?: number | null; startsAt?: number | null },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('download')
    .set((q) => ({
      failure: kind,
      message: storeMessages(message),
      retryAt,
      ...(startsAt !== undefined && { startsAt }),
      failures: q('failures', '+', 1),
      leasedBy: null,
      leaseUntil: null,
    }))
    .where(isHeldBy(lease))
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
}

/** Whether another process downloads an item. */
export const isAnyLeasedByOthers = async (db: Db, runId: string, now: number) =>
  (await db
    .selectFrom('download')
    .select('number')
    .where('leaseUntil', '>=', now)
    .where('leasedBy', '!=', runId)
    .limit(1)
    .executeTakeFirst()) !== undefined;

/** Removes an item. Does nothing if the lease is lost. */
export const removeItem = (db: Db, lease: Lease) => db.deleteFrom('download').where(isHeldBy(lease)).execute();

/**
 * Clears the priority of failed items at the end of a run, except of those whose site is in a cooldown. Others keep it: they were
 * added after the run had last looked for one, and `startQueueIfDue` starts another run for them.
 */
export const clearAutoStartOfFailed = (db: Db, now: number) =>
  db
    .updateTable('download')
    .set({ autoStart: 0 })
    .where('autoStart', '=', 1)
    .where('failure', 'is not', null)
    .where('site', 'not in', sitesInAnyCooldown(db, now))
    .execute();

/** Gives priority to the pending items of sites in a cooldown, so that they are downloaded when it ends. */
export const prioritizeItemsInCooldown = (db: Db, now: number, { scheduled = false } = {}) =>
  db
    .updateTable('download')
    .set({ autoStart: 1 })
    .where('status', '=', 'pending')
    .where('failure', 'is', null)
    .$if(scheduled, (q) => q.where('isOnRequest', '=', 0))
    .where('site', 'in', sitesInAnyCooldown(db, now))
    .execute();

/** After a stop by a user: clears all priorities and delays retries by this many seconds. */
export async function delayAutomaticStarts(db: Db, now: number, seconds = 3600) {
  await db.updateTable('download').set({ autoStart: 0 }).where('autoStart', '=', 1).execute();
  await db
    .updateTable('download')
    .set({ retryAt: now + seconds })
    .where('retryAt', '<', now + seconds)
    .execute();
}

/** Makes items with these failures due for a retry, because their cause was removed. */
export const retryNow = (db: Db, kinds: FailureKind[], now: number) =>
  db
    .updateTable('download')
    .set({ retryAt: now, failures: 0 })
    .where('failure', 'in', kinds)
    .where('status', '=', 'pending')
    .execute();

export const findItemByNumber = (db: Db, number: number) =>
  db.selectFrom('download').selectAll().where('number', '=', number).executeTakeFirst();
