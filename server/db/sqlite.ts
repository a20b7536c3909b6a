import { chmod } from 'node:fs/promises';
import {
  CamelCasePlugin,
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
import { readersOver } from './sqlite-readers.ts';
import { openHere, type Connection, type Rows } from './sqlite-connection.ts';
import { openInThread } from './sqlite-thread.ts';
import type { Tables } from './tables.ts';

// One writer, and readers beside it: in WAL mode they do not wait for each other. Selects outside a transaction go to a
// reader, everything else to the writer, one at a time.

const resultOf = <R>({ rows, changed, lastId }: Rows): QueryResult<R> => ({
  rows: rows as R[],
  numAffectedRows: BigInt(changed),
  insertId: BigInt(lastId),
});

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

type Readers = Pick<Connection, 'run' | 'close'>;

function driverOver(writer: Connection, readers: Readers | null): Driver {
  let turn: Promise<void> = Promise.resolve();
  const holding = new WeakMap<DatabaseConnection, () => void>();

  /** Waits until nobody writes; answers what ends this turn. */
  const takeTurn = async () => {
    const before = turn;
    let end = () => {};
    turn = new Promise((resolve) => (end = resolve));
    await before;
    return end;
  };

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
      await writer.run('rollback', []);
    } catch (error) {
      // A full disk makes SQLite roll back by itself. What went wrong first is to be heard, not this.
      if (!/no transaction is active/.test(String(error))) throw error;
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

  return {
    init: async () => {},
    acquireConnection: async () => {
      const connection: DatabaseConnection = {
        async executeQuery<R>({ sql, parameters, query }: CompiledQuery): Promise<QueryResult<R>> {
          if (holding.has(connection)) return resultOf(await writer.run(sql, parameters));
          if (readers && query.kind === 'SelectQueryNode') return resultOf(await readers.run(sql, parameters));
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
}

function over(writer: Connection, readers: Readers | null, aside: Aside): Db {
  const dialect: Dialect = {
    createAdapter: () => new Adapter(),
    createDriver: () => {
      const driver = driverOver(writer, readers);
      return { ...driver, destroy: async () => void (await Promise.all([driver.destroy(), aside.close()])) };
    },
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
  const db = new Kysely<Tables>({ dialect, plugins: [new CamelCasePlugin()] });
  return Object.assign(db, { engine: 'sqlite' as const, aside });
}

/** Opens a database file: its writer and what reads it each in a thread. The folder must exist, on a local disk. */
export async function openSqlite(path: string): Promise<Db> {
  const writer = openInThread(path);
  await writer.run('select 1', []); // the file exists, in WAL mode, before a reader opens it
  await chmod(path, 0o600); // it holds sessions and hashed passwords
  const openReader = () => openInThread(path, { readOnly: true });
  const aside = asideOver(() => {
    const reader = openReader();
    const db = over(
      reader,
      null,
      asideOn(() => db),
    );
    return { db, close: () => db.destroy(), end: () => reader.end() };
  });
  return over(writer, readersOver(openReader), aside);
}

/** An empty database in this thread's memory, for tests. */
export function openSqliteInMemory(): Db {
  const db = over(
    openHere(':memory:'),
    null,
    asideOn(() => db),
  );
  return db;
}
