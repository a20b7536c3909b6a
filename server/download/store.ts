import type { ExpressionBuilder, Insertable } from 'kysely';
import type { FailureKind } from '#contract/download.ts';
import { chunks, type Db, type Tx } from '../db/db.ts';
import type { DownloadTable, Tables } from '../db/tables.ts';
import { foldText } from '../fold-text.ts';
import { pausesNow } from './site-pause.ts';

/** A download holds its queue item for this long and renews it while it goes on. */
export const leaseSeconds = 120;

export type NewItem = Omit<Insertable<DownloadTable>, 'number' | 'foldedTitle' | 'attempts' | 'leasedBy' | 'leaseUntil'>;

// Every row names the same columns: several go into one statement.
const rowOf = (item: NewItem) => ({
  durationSeconds: null,
  publishedAt: null,
  thumbnailUrl: null,
  isForced: 0 as const,
  failure: null,
  message: null,
  failures: 0,
  retryAt: null,
  ...item,
  foldedTitle: foldText(item.title),
});

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

/** Adds those that are neither in the queue nor on the ignore list; answers how many. */
export async function enqueueAll(db: Db, items: NewItem[]): Promise<number> {
  let count = 0;
  for (const part of chunks(items, 100)) {
    const added = await db
      .insertInto('download')
      .values(part.map(rowOf))
      .onConflict((c) => c.column('id').doNothing())
      .returning('number')
      .execute();
    count += added.length;
  }
  return count;
}

/** Adds items, or puts those that are there back to the beginning. */
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

/** Which of these ids are in the queue already, and how. */
export async function queuedIds(db: Db, ids: string[]): Promise<Map<string, 'pending' | 'ignore'>> {
  if (ids.length === 0) return new Map();
  const rows = await db.selectFrom('download').select(['id', 'status']).where('id', 'in', ids).execute();
  return new Map(rows.map((row) => [row.id, row.status]));
}

// Nothing is put off, and no lease holds, for so long: what says so was written when the clock was ahead.
const implausibleSeconds = 8 * 86_400;

/** Which of those that wait: all, or what somebody wants at once, or what was to be tried again by now. */
type Which = 'all' | 'wanted' | 'again';
// Each by an index of its own (what is tried again has failed): for both together an engine looks at all that wait for somebody.
const goByThemselves: Which[] = ['wanted', 'again'];

/** Items that may be taken now: not failed, or to be tried again by now, and their site is not left alone. */
function takeable(db: Db, now: number, which: Which) {
  const hasCome = (w: ExpressionBuilder<Tables, 'download'>, at: 'retryAt' | 'leaseUntil') =>
    w.or([w(at, '<', now + (at === 'retryAt' ? 1 : 0)), w(at, '>', now + implausibleSeconds)]);
  return db
    .selectFrom('download')
    .where('status', '=', 'pending')
    .where((w) => w.or([w('failure', 'is', null), hasCome(w, 'retryAt')]))
    .where((w) => w.or([w('leaseUntil', 'is', null), hasCome(w, 'leaseUntil')]))
    .where('site', 'not in', pausesNow(db, now).select('site'))
    .$if(which === 'wanted', (q) => q.where('autoStart', '=', 1))
    .$if(which === 'again', (q) => q.where('failure', 'is not', null).where((w) => hasCome(w, 'retryAt')));
}

/** Whether something should be downloaded now without anybody asking. */
export async function isAnyDue(db: Db, now: number): Promise<boolean> {
  for (const which of goByThemselves)
    if (await takeable(db, now, which).select('number').limit(1).executeTakeFirst()) return true;
  return false;
}

/**
 * Takes the next pending item for this run, or nothing. Items asked for come before the rest, then oldest first; failed
 * ones wait for their time, or until somebody clears them. Of a site as many are under way as `perSite` allows. An item
 * whose lease ran out is taken again, by whoever comes; but none that is under way here: after a jump of the clock its
 * lease only looks lost.
 */
export async function claimNext(db: Db, { autoOnly, ...wish }: Wish & { autoOnly: boolean }) {
  for (const which of autoOnly ? goByThemselves : ['all' as const]) {
    const item = await claim(db, which, wish);
    if (item) return item;
  }
  return undefined;
}

export type QueueItem = NonNullable<Awaited<ReturnType<typeof claimNext>>>;

interface Wish {
  runId: string;
  now: number;
  perSite?: number;
  underWay?: number[];
}

function claim(db: Db, which: Which, { runId, now, perSite = 1000, underWay = [] }: Wish) {
  const busy = db
    .selectFrom('download as other')
    .select('other.site')
    .where('other.leaseUntil', '>=', now)
    .groupBy('other.site')
    .having((h) => h(h.fn.countAll<number>(), '>=', perSite));
  const next = takeable(db, now, which)
    .select('number')
    .where('site', 'not in', busy)
    .$if(underWay.length > 0, (q) => q.where('number', 'not in', underWay))
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

/** Takes this very item for a run, whatever state it is in; nothing while somebody works on it. */
export const claimItem = (db: Db, id: string, { runId, now }: { runId: string; now: number }) =>
  db
    .updateTable('download')
    .set({ leasedBy: runId, leaseUntil: now + leaseSeconds })
    .where('id', '=', id)
    .where((w) => w.or([w('leaseUntil', 'is', null), w('leaseUntil', '<', now)]))
    .returningAll()
    .executeTakeFirst();

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

/** Keeps why an item failed on the item, and when it is tried again by itself (null: when somebody asks). */
export const noteFailure = (
  db: Db,
  number: number,
  { kind, message, retryAt = null }: { kind: FailureKind; message: string; retryAt?: number | null },
) =>
  db
    .updateTable('download')
    .set((q) => ({
      failure: kind,
      message,
      retryAt,
      failures: q('failures', '+', 1),
      leasedBy: null,
      leaseUntil: null,
    }))
    .where('number', '=', number)
    .execute();

export const removeItem = (db: Db | Tx, number: number) => db.deleteFrom('download').where('number', '=', number).execute();

const waitsForItsSite = (db: Db, now: number) => pausesNow(db, now).select('site');

/** A run came to its end: nothing is pushed forward any more, but for what waits for its site. */
export const clearAutoStart = (db: Db, now: number) =>
  db
    .updateTable('download')
    .set({ autoStart: 0 })
    .where('autoStart', '=', 1)
    .where('site', 'not in', waitsForItsSite(db, now))
    .execute();

/** The whole queue was asked for, but these sites are left alone for now: theirs is fetched when they may be asked again. */
export const keepForLater = (db: Db, now: number) =>
  db
    .updateTable('download')
    .set({ autoStart: 1 })
    .where('status', '=', 'pending')
    .where('failure', 'is', null)
    .where('site', 'in', waitsForItsSite(db, now))
    .execute();

/** Somebody stopped everything: nothing begins by itself for this long. */
export async function standDown(db: Db, now: number, seconds = 3600) {
  await db.updateTable('download').set({ autoStart: 0 }).where('autoStart', '=', 1).execute();
  await db
    .updateTable('download')
    .set({ retryAt: now + seconds })
    .where('retryAt', '<', now + seconds)
    .execute();
}

/** What failed for one of these reasons may be tried at once: what was missing has come. */
export const retryNow = (db: Db, kinds: FailureKind[], now: number) =>
  db
    .updateTable('download')
    .set({ retryAt: now, failures: 0 })
    .where('failure', 'in', kinds)
    .where('status', '=', 'pending')
    .execute();

export const findByNumber = (db: Db, number: number) =>
  db.selectFrom('download').selectAll().where('number', '=', number).executeTakeFirst();
