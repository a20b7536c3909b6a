import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';

/** Result of a statement. Rows are arrays in the order of the columns, which are smaller to transfer than objects. */
export interface Rows {
  columns: string[];
  values: unknown[][];
  /** `values` has an array per column: a few long arrays are transferred in a third of the time of many short ones. */
  isByColumn?: true;
  changed: number;
  lastId: number;
}

/** A connection in this or another thread. */
export interface Connection {
  run(sql: string, parameters: readonly unknown[]): Promise<Rows>;
  /** Runs a worker query (worker-query.ts) in its thread; undefined if that has none. */
  read?(label: string, argument: unknown): Promise<unknown>;
  close(): Promise<void>;
  /** Closes it without waiting for its statement, if possible; resolves when it is closed. */
  end(): Promise<void>;
}

/** A connection in this thread. */
export interface LocalConnection {
  run(sql: string, parameters: readonly unknown[]): Rows;
  close(): void;
}

// The first release without the WAL-reset race, in which two connections could lose pages (sqlite.org/wal.html, "WAL-reset"):
// 3.51.3.
const floor = [3, 51, 3];

function isTooOld(version: string): boolean {
  const parts = version.split('.').map(Number);
  for (const [place, minimum] of floor.entries()) {
    const part = parts[place] ?? 0;
    if (part !== minimum) return part < minimum;
  }
  return false;
}

// Each takes about 19 kB in each connection.
const maxPrepared = 100;
// Not yet in the types, nor in the first releases of Node 26: nodejs/node#64232.
type Closable = StatementSync & { close?(): void };

/**
 * Opens a database file or `:memory:` with safe settings: synced commits, foreign keys, no attached files, no direct changes of
 * the schema. `content` is the initial content of a database in memory. `isForLookups` is for the main thread: little memory, and
 * no long wait for a lock.
 * @throws if the SQLite version is too old
 */
export function openLocal(
  path: string,
  { readOnly = false, isForLookups = false, content }: { readOnly?: boolean; isForLookups?: boolean; content?: Uint8Array } = {},
): LocalConnection {
  const database = new DatabaseSync(path, {
    readOnly,
    enableForeignKeyConstraints: true,
    timeout: isForLookups ? 100 : 15_000,
    limits: { attach: 0 },
    defensive: true,
  });
  const version = String(database.prepare('select sqlite_version() as v').get()?.['v']);
  if (isTooOld(version)) {
    database.close();
    throw new Error(
      `SQLite ${version} can lose data when a database is written from two connections; 3.51.3 or newer is needed.`,
    );
  }
  if (content) database.deserialize(content);
  if (!readOnly) {
    database.exec('pragma journal_mode=wal; pragma synchronous=full; pragma journal_size_limit=67108864;');
  }
  database.exec('pragma trusted_schema=off; pragma cell_size_check=on; pragma temp_store=memory;');
  // In KiB. Readers find other pages in the page cache of the OS: 1 MB takes 2.5 % more CPU than 3 MB, 6 or 12 MB no less. Large
  // writes need more, lookups less.
  database.exec(`pragma cache_size=-${isForLookups ? 1000 : readOnly ? 3000 : 8000}`);

  // The first is the least recently used.
  const statements = new Map<string, { statement: Closable; columns: string[] }>();
  const prepare = (text: string) => {
    const known = statements.get(text);
    if (known) {
      statements.delete(text);
      statements.set(text, known);
      return known;
    }
    const [leastRecentlyUsed] = statements.size < maxPrepared ? [] : statements;
    if (leastRecentlyUsed) {
      // Closed explicitly: the garbage collector does not see the memory of SQLite.
      leastRecentlyUsed[1].statement.close?.();
      statements.delete(leastRecentlyUsed[0]);
    }
    const statement = database.prepare(text);
    statement.setReturnArrays(true);
    const columns = statement.columns().map(({ name }) => name);
    // The last row id of a write to the search index can exceed 2^53.
    if (columns.length === 0) statement.setReadBigInts(true);
    const entry = { statement, columns };
    statements.set(text, entry);
    return entry;
  };

  return {
    run(text, parameters) {
      const { statement, columns } = prepare(text);
      const bindings = parameters as SQLInputValue[];
      // Statements with columns return rows: selects, and writes with `returning`.
      if (columns.length > 0)
        return { columns, values: statement.all(...bindings) as unknown as unknown[][], changed: 0, lastId: 0 };
      const { changes, lastInsertRowid } = statement.run(...bindings);
      return { columns, values: [], changed: Number(changes), lastId: Number(lastInsertRowid) };
    },
    close() {
      statements.clear();
      database.close();
    },
  };
}
