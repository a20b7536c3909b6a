import { sql, type Kysely, type Transaction } from 'kysely';
import type { Aside } from './aside.ts';
import { recallNothing, type Recall } from './recall.ts';
import type { Tables } from './tables.ts';

export type Engine = 'sqlite' | 'postgres';

interface Beside {
  readonly engine: Engine;
  /** Where reads go that may take long. It sees what is committed. */
  readonly aside: Aside;
  /** What was read a moment ago and has not been written since. */
  readonly recall: Recall;
  /** Does a reading (reading.ts) where the database is read; absent where that is here. */
  readonly there?: ((label: string, asked: unknown) => Promise<unknown>) | undefined;
}

/** An open database, of either engine. */
export type Db = Kysely<Tables> & Beside;
/** Inside a transaction. What takes a Db takes a Tx as well. */
export type Tx = Transaction<Tables> & Beside;

/** A transaction with what stands beside its database; in it nothing is recalled. */
export const beside = (tx: Transaction<Tables>, { engine, aside }: Db): Tx =>
  Object.assign(tx, { engine, aside, recall: recallNothing });

const last = new WeakMap<Db, Promise<unknown>>();

/** Runs `work` when all that was asked for before it on this database is done. */
function inTurn<T>(db: Db, work: () => Promise<T>): Promise<T> {
  const result = (last.get(db) ?? Promise.resolve()).then(work);
  last.set(
    db,
    result.catch(() => {}),
  );
  return result;
}

/**
 * Runs `work` in one transaction: all of it happens, or nothing, and no other one in between, so that what it reads holds until it
 * writes. SQLite has one that writes at a time anyway; in PostgreSQL they wait here, where they hold no connection meanwhile, and
 * those of other processes by a lock.
 */
export function inTransaction<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  if (db.engine === 'sqlite') return db.transaction().execute((tx) => work(beside(tx, db)));
  return inTurn(db, () =>
    db.transaction().execute(async (tx) => {
      await sql`select pg_advisory_xact_lock(hashtext(current_schema()))`.execute(tx);
      return work(beside(tx, db));
    }),
  );
}

/**
 * Until the end of the transaction nobody else writes to these tables; SQLite has one that writes anyway. Where somebody does just now it
 * throws what passes (`locked`), so that it never waits for one who waits for it.
 */
export async function holdStill(tx: Tx, tables: readonly (keyof Tables)[]): Promise<void> {
  if (tx.engine === 'postgres')
    await sql`lock table ${sql.join(tables.map((one) => sql.table(one)))} in share mode nowait`.execute(tx);
}

/** The connection to the database was lost, or there is none to be had; its cause is what was said of that. */
export class DatabaseAway extends Error {
  constructor(cause: Error) {
    super(cause.message, { cause });
  }
}

type PassingTrouble = 'locked' | 'full' | 'away';

/**
 * Why the database cannot be used just now, where that passes: somebody else holds it (`locked`), its disk is `full`, or it is `away`.
 * Null when it is something else.
 */
export function passingTrouble(error: unknown): PassingTrouble | null {
  if (error instanceof DatabaseAway) return 'away';
  const { errcode, code } = (error ?? {}) as { errcode?: unknown; code?: unknown };
  // SQLite's result codes BUSY, LOCKED and FULL, the last byte of the extended ones; PostgreSQL's SQLSTATE, of which 40P01 is said to
  // one of two that wait for each other.
  const sqlite = typeof errcode === 'number' ? errcode & 0xff : 0;
  if (sqlite === 5 || sqlite === 6 || code === '55P03' || code === '40P01') return 'locked';
  return sqlite === 13 || code === '53100' ? 'full' : null;
}

/** Whether an error says that the database itself is damaged, or that its file is none. */
export function isDamage(error: unknown): boolean {
  const { errcode, code } = (error ?? {}) as { errcode?: unknown; code?: unknown };
  // SQLite's CORRUPT and NOTADB; PostgreSQL's data_corrupted and index_corrupted.
  const sqlite = typeof errcode === 'number' ? errcode & 0xff : 0;
  return sqlite === 11 || sqlite === 26 || code === 'XX001' || code === 'XX002';
}

/** Whether an error says that what a row speaks of is not there (any more). */
export function isDangling(error: unknown): boolean {
  const { errcode, code } = (error ?? {}) as { errcode?: unknown; code?: unknown };
  return errcode === 787 || code === '23503'; // SQLite's CONSTRAINT_FOREIGNKEY; PostgreSQL's foreign_key_violation
}

/** What is read of a database that may be damaged; `instead` where it cannot be read for that. */
export const unlessDamaged = <T>(reading: Promise<T>, instead: T): Promise<T> =>
  reading.catch((error: unknown) => {
    if (isDamage(error)) return instead;
    throw error;
  });

/** Cuts a list into pieces that fit an `in (…)` on every engine. */
export function* chunks<T>(list: readonly T[], size = 1000): Generator<T[]> {
  for (let from = 0; from < list.length; from += size) yield list.slice(from, from + size);
}

/** Goes through rows page by page, each page asked for by the id that the last one ended with; so it holds one, however many there are. */
export async function* pagesById<Row extends { id: string }>(next: (after: string) => Promise<Row[]>): AsyncGenerator<Row[]> {
  for (let after = ''; ;) {
    const page = await next(after);
    if (page.length === 0) return;
    yield page;
    after = page.at(-1)!.id;
  }
}
