import { Kysely, sql, type KyselyConfig, type Transaction } from 'kysely';
import type { SlowQueryConnection } from './slow-query-connection.ts';
import type { Tables } from './schema/tables.ts';

export type Engine = 'sqlite' | 'postgres';

interface DatabaseMembers {
  readonly engine: Engine;
  /** Connection for reads that may take long. It sees committed data. */
  readonly slowQueries: SlowQueryConnection;
  /**
   * Reads a few rows by an index, in this thread if the engine can: a message to the database thread takes longer than such a
   * query. It sees committed data and is never blocked by a writer; in a transaction it is the transaction. Nothing that scans.
   */
  readonly lookups: Db;
  /** Runs a worker query (worker-query.ts) in the database thread; undefined if this is that thread. */
  readonly runInWorker?: ((label: string, argument: unknown) => Promise<unknown>) | undefined;
  /** Closes all connections to the server, so that queries fail that wait for a silent one. New ones are opened on demand. */
  readonly dropConnections?: (() => void) | undefined;
  /** Runs `work` after all earlier calls for this database. */
  enqueue<T>(work: () => Promise<T>): Promise<T>;
}

/** An open database of either engine, or a transaction on it. */
export type Db = Kysely<Tables> & DatabaseMembers;
/** A transaction. Functions that take a Db also take a Tx. */
export type Tx = Transaction<Tables> & DatabaseMembers;

/** Members of a database besides Kysely's. */
export interface DatabaseOptions {
  engine: Engine;
  slowQueries: (db: Db) => SlowQueryConnection;
  /** Without it the database itself. */
  lookups?: Db | undefined;
  runInWorker?: DatabaseMembers['runInWorker'];
  dropConnections?: DatabaseMembers['dropConnections'];
}

export class Database extends Kysely<Tables> implements DatabaseMembers {
  readonly engine: Engine;
  readonly slowQueries: SlowQueryConnection;
  readonly lookups: Db;
  readonly runInWorker: DatabaseMembers['runInWorker'];
  readonly dropConnections: DatabaseMembers['dropConnections'];
  #lastCall: Promise<unknown> = Promise.resolve();

  constructor(config: KyselyConfig, { engine, slowQueries, lookups, runInWorker, dropConnections }: DatabaseOptions) {
    super(config);
    this.engine = engine;
    this.slowQueries = slowQueries(this);
    this.lookups = lookups ?? this;
    this.runInWorker = runInWorker;
    this.dropConnections = dropConnections;
  }

  enqueue<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#lastCall.then(work);
    this.#lastCall = result.catch(() => {});
    return result;
  }

  override async destroy(): Promise<void> {
    await Promise.all([super.destroy(), this.slowQueries.close()]);
  }
}

/** Adds the members of the database to a transaction of Kysely. Worker queries run in it, not in the database thread. */
export function asTx(transaction: Transaction<Tables>, { engine, slowQueries }: Db): Tx {
  const tx = Object.assign(transaction, { engine, slowQueries, enqueue: <T>(work: () => Promise<T>) => work() });
  return Object.assign(tx, { lookups: tx as Tx });
}

/**
 * Runs `work` in one transaction, never concurrently with another one, so that what it reads stays valid until it writes. SQLite
 * has a single writer anyway; for PostgreSQL calls are queued here, without holding a connection, and an advisory lock excludes
 * other processes. See docs/decisions/serialized-transactions.md.
 */
export function inTransaction<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  if (db.engine === 'sqlite') return db.transaction().execute((tx) => work(asTx(tx, db)));
  return db.enqueue(() =>
    db.transaction().execute(async (tx) => {
      await sql`select pg_advisory_xact_lock(hashtext(current_schema()))`.execute(tx);
      return work(asTx(tx, db));
    }),
  );
}

/**
 * Prevents writes of others to these tables until the end of the transaction. If there is a concurrent writer, it throws a
 * temporary error (`locked`) instead of waiting, to avoid deadlocks. SQLite has a single writer anyway.
 */
export async function lockTables(tx: Tx, tables: readonly (keyof Tables)[]): Promise<void> {
  if (tx.engine === 'postgres')
    await sql`lock table ${sql.join(tables.map((one) => sql.table(one)))} in share mode nowait`.execute(tx);
}

/** The connection to the database was lost or cannot be opened; `cause` is the original error. */
export class DatabaseUnavailableError extends Error {
  constructor(cause: Error) {
    super(cause.message, { cause });
  }
}

type PassingTrouble = 'locked' | 'full' | 'away';

/**
 * Returns the class of a temporary database error: another process holds a lock (`locked`), the disk is `full`, or the server is
 * not reachable (`away`). Null for other errors.
 */
export function temporaryFailure(error: unknown): PassingTrouble | null {
  if (error instanceof DatabaseUnavailableError) return 'away';
  const { errcode, code } = (error ?? {}) as { errcode?: unknown; code?: unknown };
  // SQLite result codes BUSY, LOCKED and FULL are the last byte of extended codes. PostgreSQL SQLSTATE 40P01 is a deadlock.
  const sqlite = typeof errcode === 'number' ? errcode & 0xff : 0;
  if (sqlite === 5 || sqlite === 6 || code === '55P03' || code === '40P01') return 'locked';
  return sqlite === 13 || code === '53100' ? 'full' : null;
}

/** Returns whether an error means that the database is damaged or the file is no database. */
export function isDamage(error: unknown): boolean {
  const { errcode, code } = (error ?? {}) as { errcode?: unknown; code?: unknown };
  // SQLite CORRUPT and NOTADB; PostgreSQL data_corrupted and index_corrupted.
  const sqlite = typeof errcode === 'number' ? errcode & 0xff : 0;
  return sqlite === 11 || sqlite === 26 || code === 'XX001' || code === 'XX002';
}

/** Returns whether an error is a foreign key violation. */
export function isForeignKeyViolation(error: unknown): boolean {
  const { errcode, code } = (error ?? {}) as { errcode?: unknown; code?: unknown };
  return errcode === 787 || code === '23503'; // SQLite CONSTRAINT_FOREIGNKEY; PostgreSQL foreign_key_violation
}

/** Returns the result of a query, or `instead` if the database is damaged. */
export const orIfDamaged = <T>(reading: Promise<T>, instead: T): Promise<T> =>
  reading.catch((error: unknown) => {
    if (isDamage(error)) return instead;
    throw error;
  });

/** Splits a list into chunks that fit into an `in (…)` on every engine. */
export function* chunks<T>(list: readonly T[], size = 1000): Generator<T[]> {
  for (let from = 0; from < list.length; from += size) yield list.slice(from, from + size);
}

/** Yields rows page by page with keyset pagination, so that only one page is in memory. */
export async function* pagesById<Row extends { id: string }>(next: (after: string) => Promise<Row[]>): AsyncGenerator<Row[]> {
  for (let after = ''; ;) {
    const page = await next(after);
    if (page.length === 0) return;
    yield page;
    after = page.at(-1)!.id;
  }
}
