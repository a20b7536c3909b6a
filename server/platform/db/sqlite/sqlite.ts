import { chmod } from 'node:fs/promises';
import { backup, DatabaseSync } from 'node:sqlite';
import {
  CompiledQuery,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
} from 'kysely';
import { slowQueriesOn, slowQueriesOver } from '../slow-query-connection.ts';
import { Database, type DatabaseOptions, type Db } from '../db.ts';
import { snakeCaseNames } from '../schema/snake-case.ts';
import { createReaderPool } from './reader-pool.ts';
import { openLocal, type Connection, type LocalConnection, type Rows } from './connection.ts';
import { openInWorker } from './worker.ts';
import { rollBack, createWriteQueue, batchWrites, type AcquireWriter } from './write-batching.ts';

// One writer and several readers, which do not block each other in WAL mode. Selects outside transactions go to a reader,
// everything else to the writer, one at a time.

class Compiler extends SqliteQueryCompiler {
  protected override sanitizeIdentifier(name: string): string {
    return super.sanitizeIdentifier(snakeCaseNames.toSnakeCase(name));
  }
}

function resultOf<R>({ columns, values, isByColumn, changed, lastId }: Rows): QueryResult<R> {
  const keys = columns.map((column) => snakeCaseNames.toCamelCase(column));
  const rowOf = (value: (place: number) => unknown) => {
    const row: Record<string, unknown> = {};
    for (let place = 0; place < keys.length; place++) row[keys[place]!] = value(place);
    return row as R;
  };
  const rows = isByColumn
    ? Array.from(values[0]!, (_, at) => rowOf((place) => values[place]![at]))
    : values.map((list) => rowOf((place) => list[place]));
  return { rows, numAffectedRows: BigInt(changed), insertId: BigInt(lastId) };
}

class Adapter extends SqliteAdapter {
  // SQLite supports DDL in transactions; Kysely's adapter disables it.
  override get supportsTransactionalDdl() {
    return true;
  }
  // Otherwise Kysely would run one statement at a time, and reads would wait for writers. The driver below serializes what is
  // necessary.
  override get supportsMultipleConnections() {
    return true;
  }
}

type ReadSide = Pick<Connection, 'run' | 'close' | 'read'>;

// Statements that may be committed with others. Pragmas and vacuum run alone.
const changesRows = new Set(['InsertQueryNode', 'UpdateQueryNode', 'DeleteQueryNode']);

function driverOver(writer: Connection, readers: ReadSide | null): { driver: Driver; takeTurn: AcquireWriter } {
  const takeTurn = createWriteQueue();
  const write = batchWrites(writer, takeTurn);
  const transactions = new WeakMap<DatabaseConnection, () => void>();

  const begin = async (connection: DatabaseConnection) => {
    const done = await takeTurn();
    try {
      // Immediate, because a transaction that reads first could be rejected at its first write.
      await writer.run('begin immediate', []);
      transactions.set(connection, done);
    } catch (error) {
      done();
      throw error;
    }
  };
  const end = (connection: DatabaseConnection) => {
    transactions.get(connection)?.();
    transactions.delete(connection);
  };
  const rollback = async (connection: DatabaseConnection) => {
    if (!transactions.has(connection)) return; // already rolled back by a failed commit
    try {
      await rollBack(writer);
    } finally {
      end(connection);
    }
  };
  const commit = async (connection: DatabaseConnection) => {
    try {
      await writer.run('commit', []);
      end(connection);
    } catch (error) {
      // The transaction is still open. It is rolled back, so that the next write does not become part of it.
      await rollback(connection);
      throw error;
    }
  };

  const driver: Driver = {
    init: async () => {},
    acquireConnection: async () => {
      const connection: DatabaseConnection = {
        async executeQuery<R>({ sql, parameters, query }: CompiledQuery): Promise<QueryResult<R>> {
          if (transactions.has(connection)) return resultOf(await writer.run(sql, parameters));
          if (readers && query.kind === 'SelectQueryNode') return resultOf(await readers.run(sql, parameters));
          if (changesRows.has(query.kind)) return resultOf(await write(sql, parameters));
          const done = await takeTurn();
          try {
            return resultOf(await writer.run(sql, parameters));
          } finally {
            done();
          }
        },
        // oxlint-disable-next-line require-yield -- the interface wants a generator; lists here are paged instead
        async *streamQuery() {
          throw new Error('Streaming of rows is not offered; page through them.');
        },
      };
      return connection;
    },
    beginTransaction: begin,
    commitTransaction: commit,
    rollbackTransaction: rollback,
    releaseConnection: async () => {},
    destroy: async () => {
      await readers?.close();
      await writer.close();
    },
  };
  return { driver, takeTurn };
}

interface SqliteOptions extends Pick<DatabaseOptions, 'slowQueries'> {
  /** Connection of this thread for `lookups`. */
  local?: LocalConnection;
  path?: string | undefined;
}

class SqliteDatabase extends Database {
  /** Path of the file; `:memory:` without one. */
  readonly path: string;
  readonly writer: Connection;
  readonly takeTurn: AcquireWriter;
  readonly #local: LocalConnection | undefined;

  constructor(writer: Connection, readers: ReadSide | null, { slowQueries, local, path = ':memory:' }: SqliteOptions) {
    const { driver, takeTurn } = driverOver(writer, readers);
    const dialect: Dialect = {
      createAdapter: () => new Adapter(),
      createDriver: () => driver,
      createIntrospector: (db) => new SqliteIntrospector(db),
      createQueryCompiler: () => new Compiler(),
    };
    const lookups = local && createSingleConnectionDatabase(inThisThread(local), path);
    super({ dialect }, { engine: 'sqlite', slowQueries, lookups, runInWorker: (readers ?? writer).read });
    this.path = path;
    this.writer = writer;
    this.takeTurn = takeTurn;
    this.#local = local;
  }

  override async destroy(): Promise<void> {
    this.#local?.close(); // before the writer, which removes the log when it closes last
    await super.destroy();
  }
}

/** Creates a database over a single connection. */
const createSingleConnectionDatabase = (only: Connection, path?: string): Db =>
  new SqliteDatabase(only, null, { slowQueries: slowQueriesOn, path });

const inThisThread = (localConnection: LocalConnection): Connection => {
  const close = async () => localConnection.close();
  return { run: async (sql, parameters) => localConnection.run(sql, parameters), close, end: close };
};

function asSqlite(db: Db): SqliteDatabase {
  if (db instanceof SqliteDatabase) return db;
  throw new Error('This is no SQLite database.');
}

/**
 * Opens a database file with writer and readers in worker threads, and a connection of this thread for `lookups`. The folder must
 * exist on a local disk. `workerFile` is the entry of reader threads with worker queries; without it these run in this thread.
 */
export async function openSqlite(path: string, { workerFile }: { workerFile?: URL } = {}): Promise<Db> {
  const writer = openInWorker(path);
  await writer.run('select 1', []); // the file must exist in WAL mode before a reader opens it
  await chmod(path, 0o600); // it contains sessions and password hashes
  const openReader = () => openInWorker(path, { readOnly: true, file: workerFile });
  const { read, take, ...readers } = createReaderPool(openReader);
  const slowQueries = slowQueriesOver(() => {
    const { connection, giveBack, end } = take();
    return { db: createSingleConnectionDatabase(connection, path), close: async () => giveBack(), end };
  }, 0);
  const local = openLocal(path, { readOnly: true, isForLookups: true });
  const readSide = { ...readers, ...(workerFile && { read }) };
  return new SqliteDatabase(writer, readSide, { slowQueries: () => slowQueries, local, path });
}

/** Opens a database file that is not in use elsewhere, with one connection in a worker thread. */
export async function openSqliteAlone(path: string): Promise<Db> {
  const only = openInWorker(path);
  await only.run('select 1', []);
  await chmod(path, 0o600);
  return createSingleConnectionDatabase(only, path);
}

/** Opens a database file, which may be in use, read-only. */
export const openSqliteReadOnly = (path: string): Db =>
  createSingleConnectionDatabase(openInWorker(path, { readOnly: true }), path);

/** Opens a read-only snapshot of the current state; `end` closes it. Writers are not blocked, and their changes are not visible. */
export async function viewSqlite(db: Db): Promise<{ view: Db; end(): Promise<void> }> {
  const { path } = asSqlite(db);
  const reader = openInWorker(path, { readOnly: true });
  await reader.run('begin', []);
  await reader.run('select count(*) from sqlite_schema', []); // the snapshot is taken at the first read, not at begin
  return { view: createSingleConnectionDatabase(reader, path), end: () => reader.close() };
}

// All pages in one step: the copy is consistent, and concurrent writes do not restart it.
const allPages = 2 ** 31 - 1;

/**
 * Replaces the content of a database file by that of another one. SQLite writes it in one transaction, so a kill leaves the old
 * or the new content; readers keep their snapshot.
 */
export async function copyInto(fromPath: string, toPath: string): Promise<void> {
  const from = new DatabaseSync(fromPath, { readOnly: true });
  try {
    await backup(from, toPath, { rate: allPages });
  } finally {
    from.close();
  }
}

/** Replaces the content of an open database; writers wait. */
export async function replaceContent(db: Db, fromPath: string): Promise<void> {
  const { path, writer, takeTurn } = asSqlite(db);
  const done = await takeTurn();
  try {
    await copyInto(fromPath, path);
    await writer.run('pragma wal_checkpoint(truncate)', []);
  } finally {
    done();
  }
}

/** A database in this thread's memory, for tests: empty, or with the content of a database file that is not in WAL mode. */
export const openSqliteInMemory = (content?: Uint8Array): Db =>
  createSingleConnectionDatabase(inThisThread(openLocal(':memory:', { ...(content && { content }) })));

/** Creates a database over a read-only connection of this thread. */
export function readWith(localConnection: LocalConnection): Db {
  const connection = inThisThread(localConnection);
  return new SqliteDatabase(connection, connection, { slowQueries: slowQueriesOn });
}
