import { chmod } from 'node:fs/promises';
import { backup, DatabaseSync } from 'node:sqlite';
import {
  CompiledQuery,
  Kysely,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
} from 'kysely';
import { asideOn, asideOver, type Aside } from './aside.ts';
import type { Db } from './db.ts';
import { names } from './names.ts';
import { openRecall, recallNothing, telling, type Recall } from './recall.ts';
import { readersOver } from './sqlite-readers.ts';
import { openHere, type Connection, type ConnectionHere, type Rows } from './sqlite-connection.ts';
import { openInThread } from './sqlite-thread.ts';
import { rollBack, turns, writesTogether, type TakeTurn } from './sqlite-writes.ts';
import type { Tables } from './tables.ts';

// One writer, and readers beside it: in WAL mode they do not wait for each other. Selects outside a transaction go to a
// reader, everything else to the writer, one at a time.

class Compiler extends SqliteQueryCompiler {
  protected override sanitizeIdentifier(name: string): string {
    return super.sanitizeIdentifier(names.inDatabase(name));
  }
}

function resultOf<R>({ columns, values, isByColumn, changed, lastId }: Rows): QueryResult<R> {
  const keys = columns.map((column) => names.here(column));
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
  // SQLite rolls back changes of tables like any other; Kysely's own adapter is more careful than it need be.
  override get supportsTransactionalDdl() {
    return true;
  }
  // Or else it would let only one statement through at a time, and every read would wait for whoever writes. Who waits for
  // whom is the driver's business below.
  override get supportsMultipleConnections() {
    return true;
  }
}

type ReadSide = Pick<Connection, 'run' | 'close' | 'read'>;

// A statement that may be committed with others. What else there is, such as a pragma or a vacuum, is run by itself.
const changesRows = new Set(['InsertQueryNode', 'UpdateQueryNode', 'DeleteQueryNode']);

function driverOver(writer: Connection, readers: ReadSide | null): { driver: Driver; takeTurn: TakeTurn } {
  const takeTurn = turns();
  const write = writesTogether(writer, takeTurn);
  const holding = new WeakMap<DatabaseConnection, () => void>();

  const begin = async (connection: DatabaseConnection) => {
    const done = await takeTurn();
    try {
      // At once and not at the first write: a transaction that reads first could else be refused half-way.
      await writer.run('begin immediate', []);
      holding.set(connection, done);
    } catch (error) {
      done();
      throw error;
    }
  };
  const end = (connection: DatabaseConnection) => {
    holding.get(connection)?.();
    holding.delete(connection);
  };
  const rollback = async (connection: DatabaseConnection) => {
    if (!holding.has(connection)) return; // by a commit that failed
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
      // The transaction is still open. Whoever writes next must not come into it: it would be told that all is well, and
      // its write would go with the rest.
      await rollback(connection);
      throw error;
    }
  };

  const driver: Driver = {
    init: async () => {},
    acquireConnection: async () => {
      const connection: DatabaseConnection = {
        async executeQuery<R>({ sql, parameters, query }: CompiledQuery): Promise<QueryResult<R>> {
          if (holding.has(connection)) return resultOf(await writer.run(sql, parameters));
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

// What `replaceContent` must know of a database beside the object itself.
const inner = new WeakMap<object, { path: string; writer: Connection; takeTurn: TakeTurn }>();

interface Around {
  aside: Aside;
  /** Of what others write, or of a moment that is past, nothing is recalled. */
  recall?: Recall;
  path?: string | undefined;
}

function over(writer: Connection, readers: ReadSide | null, { aside, recall = recallNothing, path = ':memory:' }: Around): Db {
  const { driver: bare, takeTurn } = driverOver(writer, readers);
  const driver = telling(bare, recall);
  const dialect: Dialect = {
    createAdapter: () => new Adapter(),
    createDriver: () => ({ ...driver, destroy: async () => void (await Promise.all([driver.destroy(), aside.close()])) }),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new Compiler(),
  };
  const kysely = new Kysely<Tables>({ dialect });
  const there = (readers ?? writer).read;
  const db = Object.assign(kysely, { engine: 'sqlite' as const, aside, recall, ...(there && { there }) });
  inner.set(db, { path, writer, takeTurn });
  return db;
}

/** Through one connection alone. */
function overOnly(only: Connection, { path, recall }: { path?: string; recall?: Recall } = {}): Db {
  const db: Db = over(only, null, { aside: asideOn(() => db), path, ...(recall && { recall }) });
  return db;
}

const lookEveryMs = 1000;

/**
 * The writer, which looks each second whether another program wrote to the file, such as a command of the console: SQLite counts
 * what others commit, and not what this connection does (sqlite.org/pragma.html#pragma_data_version).
 */
function heedingOthers(writer: Connection, recall: Recall): Connection {
  let seen: unknown;
  const look = async () => {
    const { values } = await writer.run('pragma data_version', []);
    if (seen !== undefined && values[0]![0] !== seen) recall.wrote('any');
    seen = values[0]![0];
  };
  let isLooking = false; // behind a long transaction they do not pile up
  const soon = () => {
    if (isLooking) return;
    isLooking = true;
    look()
      .catch(() => clearInterval(timer)) // it is closed
      .finally(() => (isLooking = false));
  };
  const timer = setInterval(soon, lookEveryMs).unref();
  soon();
  const over = <T>(end: () => Promise<T>) => {
    clearInterval(timer);
    return end();
  };
  return { ...writer, close: () => over(writer.close), end: () => over(writer.end) };
}

/**
 * Opens a database file: its writer and what reads it each in a thread. The folder must exist, on a local disk. `readerFile` is what
 * threads that read are begun with, so that they know readings; without it readings run in this thread.
 */
export async function openSqlite(path: string, { readerFile }: { readerFile?: URL } = {}): Promise<Db> {
  const writer = openInThread(path);
  await writer.run('select 1', []); // the file exists, in WAL mode, before a reader opens it
  await chmod(path, 0o600); // it holds sessions and hashed passwords
  const openReader = () => openInThread(path, { readOnly: true, file: readerFile });
  const { read, take, ...readers } = readersOver(openReader);
  const aside = asideOver(() => {
    const { connection, giveBack, end } = take();
    return { db: overOnly(connection, { path }), close: async () => giveBack(), end };
  }, 0);
  const recall = openRecall();
  return over(heedingOthers(writer, recall), { ...readers, ...(readerFile && { read }) }, { aside, recall, path });
}

/** A database file that nobody else uses, through one connection in a thread. */
export async function openSqliteAlone(path: string): Promise<Db> {
  const only = openInThread(path);
  await only.run('select 1', []);
  await chmod(path, 0o600);
  return overOnly(only, { path });
}

/** A database file that may be in use, to read from alone: nothing in it is changed. */
export const openSqliteToRead = (path: string): Db => overOnly(openInThread(path, { readOnly: true }), { path });

/** The file as it is at this moment, to read from; `end` lets go of it. Writers are not held up, and are not seen. */
export async function viewSqlite(db: Db): Promise<{ view: Db; end(): Promise<void> }> {
  const { path } = inner.get(db)!;
  const reader = openInThread(path, { readOnly: true });
  await reader.run('begin', []);
  await reader.run('select count(*) from sqlite_schema', []); // the view is of the first read, not of the begin
  return { view: overOnly(reader, { path }), end: () => reader.close() };
}

// All pages in one step: what is copied is of one instant, and a write meanwhile does not make it begin again.
const allPages = 2 ** 31 - 1;

/**
 * Puts the content of one database file in place of all that is in another. SQLite writes it in one transaction, so a kill at
 * any instant leaves the old or the new; whoever reads the old goes on reading it until the end.
 */
export async function copyInto(fromPath: string, toPath: string): Promise<void> {
  const from = new DatabaseSync(fromPath, { readOnly: true });
  try {
    await backup(from, toPath, { rate: allPages });
  } finally {
    from.close();
  }
}

/** The same for an open database: who wants to write waits for its end. */
export async function replaceContent(db: Db, fromPath: string): Promise<void> {
  const { path, writer, takeTurn } = inner.get(db)!;
  const done = await takeTurn();
  try {
    await copyInto(fromPath, path);
    await writer.run('pragma wal_checkpoint(truncate)', []);
    db.recall.wrote('any');
  } finally {
    done();
  }
}

const inThisThread = (here: ConnectionHere): Connection => {
  const close = async () => here.close();
  return { run: async (sql, parameters) => here.run(sql, parameters), close, end: close };
};

/** An empty database in this thread's memory, for tests. */
export const openSqliteInMemory = (): Db => overOnly(inThisThread(openHere(':memory:')), { recall: openRecall() });

/** Through a connection of this thread that only reads. */
export function readOver(here: ConnectionHere): Db {
  const connection = inThisThread(here);
  const db: Db = over(connection, connection, { aside: asideOn(() => db) });
  return db;
}
