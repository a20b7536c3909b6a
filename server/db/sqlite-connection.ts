import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';

/** What came back from one statement: each row as a list in the order of the columns, which is less to carry between threads. */
export interface Rows {
  columns: string[];
  values: unknown[][];
  /** The lists are of the columns, each in the order of the rows: a few long lists cross in a third of the time of many short ones. */
  isByColumn?: true;
  changed: number;
  lastId: number;
}

/** One connection, wherever it lives: in this thread or in another. */
export interface Connection {
  run(sql: string, parameters: readonly unknown[]): Promise<Rows>;
  /** Does a reading (reading.ts) in its thread; absent where that knows none. */
  read?(label: string, asked: unknown): Promise<unknown>;
  close(): Promise<void>;
  /** Without waiting for what it does, where that is possible; resolved when it is over. */
  end(): Promise<void>;
}

/** One that lives in this thread. */
export interface ConnectionHere {
  run(sql: string, parameters: readonly unknown[]): Rows;
  close(): void;
}

// The floor is the release that fixed the WAL-reset race, in which two connections could lose pages
// (sqlite.org/wal.html, "WAL-reset"): 3.51.3.
const floor = [3, 51, 3];

function isTooOld(version: string): boolean {
  const parts = version.split('.').map(Number);
  for (const [place, least] of floor.entries()) {
    const part = parts[place] ?? 0;
    if (part !== least) return part < least;
  }
  return false;
}

// Each takes about 19 kB, in each connection.
const mostPrepared = 100;
// Newer than its types, and than the first releases of Node 26: nodejs/node#64232.
type Closable = StatementSync & { close?(): void };

/**
 * Opens the database file, or `:memory:`, with what keeps it safe: every commit synced, foreign keys, no attaching of
 * other files, no writing to the schema by hand. Throws when the engine is too old to be trusted.
 */
export function openHere(path: string, { readOnly = false } = {}): ConnectionHere {
  const database = new DatabaseSync(path, {
    readOnly,
    enableForeignKeyConstraints: true,
    timeout: 15_000,
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
  if (!readOnly) {
    database.exec('pragma journal_mode=wal; pragma synchronous=full; pragma journal_size_limit=67108864;');
  }
  database.exec('pragma trusted_schema=off; pragma cell_size_check=on; pragma temp_store=memory;');
  // In KiB. Whoever reads finds what is not in here in the system's memory: with 1 MB it takes a fortieth more of the processor, with
  // 6 or 12 no less. Whoever writes much needs the room.
  database.exec(`pragma cache_size=-${readOnly ? 3000 : 8000}`);

  // The one not used for longest is the first.
  const prepared = new Map<string, { statement: Closable; columns: string[] }>();
  const prepare = (text: string) => {
    const known = prepared.get(text);
    if (known) {
      prepared.delete(text);
      prepared.set(text, known);
      return known;
    }
    const [longestUnused] = prepared.size < mostPrepared ? [] : prepared;
    if (longestUnused) {
      // At once: what is only dropped is freed when V8 collects it, and V8 does not see how much memory SQLite took for it.
      longestUnused[1].statement.close?.();
      prepared.delete(longestUnused[0]);
    }
    const statement = database.prepare(text);
    statement.setReturnArrays(true);
    const columns = statement.columns().map(({ name }) => name);
    // Of a write, the number of the last row is told, and that of a row within an index for searching can be beyond 2^53.
    if (columns.length === 0) statement.setReadBigInts(true);
    const made = { statement, columns };
    prepared.set(text, made);
    return made;
  };

  return {
    run(text, parameters) {
      const { statement, columns } = prepare(text);
      const given = parameters as SQLInputValue[];
      // A statement with columns answers rows: selects, and writes with `returning`.
      if (columns.length > 0)
        return { columns, values: statement.all(...given) as unknown as unknown[][], changed: 0, lastId: 0 };
      const { changes, lastInsertRowid } = statement.run(...given);
      return { columns, values: [], changed: Number(changes), lastId: Number(lastInsertRowid) };
    },
    close() {
      prepared.clear();
      database.close();
    },
  };
}
