import { ColumnNode, TableNode, type CompiledQuery, type DatabaseConnection, type Driver, type UpdateQueryNode } from 'kysely';
import { names } from './names.ts';
import { openRing } from './ring.ts';
import type { Tables } from './tables.ts';

// What is asked again and again and seldom changes is kept for a while, until somebody writes to what it was read from. Decision 22.

export type Table = keyof Tables;
/** A column of a table. */
type Column = { [T in Table]: `${T}.${keyof Tables[T] & string}` }[Table];
/** A table, or of one that is often written the one column that was looked at: an update of others leaves that as it is. */
export type Source = Table | Column;

/** What the database itself writes when rows of a table come or change: recall.test.ts reads all its triggers. */
export const writtenWith: Partial<Record<Table, readonly Table[]>> = {
  video: ['tally', 'watchTally', 'monthTally', 'watchMonthTally', 'watchTimeTally', 'dayTally', 'formatTally', 'awkward', 'facet', 'playlistShown', 'searchPending', 'storyboardWanted', 'writtenVideo', 'writingWanted'], // prettier-ignore
  watch: ['watchTally', 'watchMonthTally', 'watchTimeTally'],
  storyboard: ['storyboardWanted', 'writtenVideo', 'writingWanted'],
  stream: ['formatTally', 'awkward', 'facet', 'writtenVideo', 'writingWanted'],
  subtitle: ['facet', 'searchPending', 'writtenVideo', 'writingWanted'],
  line: ['facet', 'searchPending'],
  channel: ['searchPending', 'writtenChannel', 'writingWanted'],
  playlist: ['searchPending', 'writingWanted'],
  playlistEntry: ['playlistShown', 'writtenVideo', 'writtenPlaylist', 'writingWanted'],
  playlistShown: ['writtenPlaylist', 'writingWanted'],
  writtenVideo: ['writingWanted'],
  writtenChannel: ['writingWanted'],
  writtenPlaylist: ['writingWanted'],
  download: ['queueTally', 'downloadPiece'],
  awkward: ['awkwardTally'],
  facet: ['facetTally'],
};
/** A table, and all that is written with it. */
const allWrittenWith = (table: Table): Table[] => [table, ...(writtenWith[table] ?? []).flatMap(allWrittenWith)];

const tableOf = (source: string) => source.split('.')[0]!;
/** Under this name it is counted how often a table was written in any of its columns, for all that anybody knows. */
const anyColumn = (source: string) => `${tableOf(source)}.`;

interface Wish {
  /** What is read; as soon as one of them is written it is read anew. */
  from: readonly Source[];
  /** What it takes of memory, about; 10 kB unless told. */
  bytes?: number;
  /** What is older is read anew too. A minute unless told: of PostgreSQL nobody says that a command of the console wrote beside this. */
  forMs?: number;
  /** `Recall.version` of before it was read, where that was not in the call that is given this. */
  version?: number | undefined;
}

export interface Recall {
  /** What `read` answered the last time under this key. It may be somebody else's too: not to be changed. */
  one<T>(key: string, wish: Wish, read: () => Promise<T>): Promise<T>;
  /** The same for several ids of a kind; `read` is asked for those that are missing. What does not exist is left out. */
  each<T>(kind: string, ids: readonly string[], wish: Wish, read: (ids: string[]) => Promise<Map<string, T>>): Promise<T[]>;
  /** The same for what is small and comes in great numbers, as bytes, which are not changed. */
  bytes(kind: string, ids: readonly string[], wish: Wish, read: (ids: string[]) => Promise<Bytes>): Promise<Bytes>;
  /** Changes as soon as something of these is written. */
  version(from: readonly Source[]): number;
  /** Something wrote to these tables, or to these columns of rows that were there, or to nobody knows what. */
  wrote(tables: Iterable<string> | 'any'): void;
}

type Bytes = Map<string, Uint8Array>;

interface Kept {
  value: Promise<unknown>;
  bytes: number;
  version: number;
  until: number;
}

const mostBytes = 1_500_000;
// A video takes two to five kB, written; in half a thousand are the pages that people have open.
const ringBytes = 1_500_000;
const usualBytes = 10_000;
/** For `Wish.bytes`: a number, a row of sums, the ids of a page. */
export const little = 1_000;
const minute = 60_000;

/** How much of memory it takes, where that is much: bytes, texts, and lists of them. */
function bytesOf(value: unknown): number {
  if (value instanceof Uint8Array) return value.byteLength;
  if (typeof value === 'string') return value.length;
  return Array.isArray(value) ? value.reduce((sum: number, one) => sum + bytesOf(one), 0) : 0;
}

export function openRecall(): Recall {
  const kept = new Map<string, Kept>();
  const ring = openRing(ringBytes);
  // What several ask for at once is read once.
  const underWay = new Map<string, Promise<Bytes>>();
  const writes = new Map<string, number>();
  let ofAny = 0;
  let bytes = 0;
  const writesOf = (name: string) => writes.get(name) ?? 0;
  const versionOf = ({ from }: Pick<Wish, 'from'>) =>
    from.reduce((sum, source) => sum + writesOf(source) + (source.includes('.') ? writesOf(anyColumn(source)) : 0), ofAny);
  const note = (name: string) => void writes.set(name, writesOf(name) + 1);

  const drop = (key: string) => {
    bytes -= kept.get(key)?.bytes ?? 0;
    kept.delete(key);
  };
  const add = (key: string, one: Kept) => {
    drop(key);
    kept.set(key, one);
    bytes += one.bytes;
    while (bytes > mostBytes) drop(kept.keys().next().value!);
  };
  const find = (key: string, version: number) => {
    const found = kept.get(key);
    if (!found) return undefined;
    drop(key);
    if (found.version !== version || found.until < performance.now()) return undefined;
    add(key, found); // the last in the row: who was not asked for longest goes first
    return found.value;
  };
  const keep = (key: string, version: number, { bytes: about = usualBytes, forMs = minute }: Wish, value: Promise<unknown>) => {
    const one = { value, bytes: about, version, until: performance.now() + forMs };
    add(key, one);
    const isHere = () => kept.get(key) === one;
    const weighed = (read: unknown) => {
      const weight = isHere() ? bytesOf(read) : 0;
      if (weight > 0) add(key, { ...one, bytes: about + weight });
    };
    value.then(weighed, () => isHere() && drop(key));
  };

  return {
    one<T>(key: string, wish: Wish, read: () => Promise<T>) {
      const version = versionOf(wish);
      const found = find(key, version) as Promise<T> | undefined;
      if (found) return found;
      const value = read();
      keep(key, version, wish, value);
      return value;
    },
    async each<T>(kind: string, ids: readonly string[], wish: Wish, read: (ids: string[]) => Promise<Map<string, T>>) {
      const version = versionOf(wish);
      const found = new Map(ids.map((id) => [id, find(`${kind} ${id}`, version) as Promise<T | undefined> | undefined]));
      const missing = [...found].flatMap(([id, value]) => (value ? [] : [id]));
      if (missing.length > 0) {
        const reading = read(missing);
        for (const id of missing) {
          const value = reading.then((read) => read.get(id));
          keep(`${kind} ${id}`, version, wish, value);
          found.set(id, value);
        }
      }
      const values = await Promise.all(ids.map((id) => found.get(id)!));
      return values.filter((value) => value !== undefined);
    },
    async bytes(kind, ids, wish, read) {
      const version = versionOf(wish);
      const nameOf = (id: string) => `${kind} ${id}`;
      const found: Bytes = new Map();
      for (const [at, bytes] of ring.get(ids.map(nameOf), version).entries()) if (bytes) found.set(ids[at]!, bytes);
      const missing = [...new Set(ids)].filter((id) => !found.has(id));
      if (missing.length === 0) return found;
      const key = JSON.stringify([kind, version, missing]);
      const before = underWay.get(key);
      const reading = before ?? read(missing).finally(() => underWay.delete(key));
      underWay.set(key, reading);
      const until = performance.now() + (wish.forMs ?? minute);
      for (const [id, bytes] of await reading) {
        if (!before) ring.put(nameOf(id), bytes, { version: wish.version ?? version, until });
        found.set(id, bytes);
      }
      return found;
    },
    version: (from) => versionOf({ from }),
    wrote(tables) {
      if (tables === 'any') ofAny++;
      else
        for (const name of tables) {
          const [own, ...others] = allWrittenWith(tableOf(name) as Table);
          for (const table of others) {
            note(table);
            note(anyColumn(table));
          }
          note(own!);
          note(name === own ? anyColumn(own) : name);
        }
    },
  };
}

/** Within a transaction everything is read. */
export const recallNothing: Recall = {
  one: (_key, _wish, read) => read(),
  bytes: (_kind, ids, _wish, read) => read([...new Set(ids)]),
  async each(_kind, ids, _wish, read) {
    const found = await read([...new Set(ids)]);
    return ids.flatMap((id) => found.get(id) ?? []);
  },
  version: () => 0,
  wrote: () => {},
};

/** The columns that an update sets; nothing where that cannot be told. */
function columnsSet({ updates = [] }: UpdateQueryNode): string[] | undefined {
  const columns = updates.map(({ column }) => (ColumnNode.is(column) ? names.here(column.column.name) : undefined));
  return columns.length > 0 && columns.every((column) => column !== undefined) ? columns : undefined;
}

/** What a statement writes, as `Recall.wrote` takes it; "any" where that cannot be told, or where rows of others may go with it. */
function writtenBy({ query, sql }: CompiledQuery): string[] | 'any' {
  if (query.kind === 'SelectQueryNode' || /^\s*select\b/i.test(sql)) return [];
  const node = query.kind === 'InsertQueryNode' ? query.into : query.kind === 'UpdateQueryNode' ? query.table : undefined;
  if (!node || !TableNode.is(node) || ('with' in query && query.with)) return 'any';
  const table = names.here(node.table.identifier.name);
  const columns = query.kind === 'UpdateQueryNode' ? columnsSet(query) : undefined;
  return columns ? columns.map((column) => `${table}.${column}`) : [table];
}

/** Tells `recall` what goes through a driver, as soon as it is committed. */
export function telling(driver: Driver, recall: Recall): Driver {
  const told = new WeakSet<DatabaseConnection>();
  // Of those in a transaction, what they wrote.
  const within = new WeakMap<DatabaseConnection, Set<string>>();
  const ended = (connection: DatabaseConnection) => {
    const tables = within.get(connection);
    within.delete(connection);
    if (tables && tables.size > 0) recall.wrote(tables.has('any') ? 'any' : tables);
  };
  const listenTo = (connection: DatabaseConnection) => {
    if (told.has(connection)) return connection;
    told.add(connection);
    const execute = connection.executeQuery.bind(connection);
    connection.executeQuery = async (query) => {
      const written = writtenBy(query);
      try {
        return await execute(query);
      } finally {
        // Also when it failed: what of it was done nobody knows.
        const tables = within.get(connection);
        if (!tables) recall.wrote(written);
        else if (written === 'any') tables.add(written);
        else for (const one of written) tables.add(one);
      }
    };
    return connection;
  };
  const whole = (end: (connection: DatabaseConnection) => Promise<void>) => async (connection: DatabaseConnection) => {
    try {
      await end(connection);
    } finally {
      ended(connection);
    }
  };
  return {
    init: () => driver.init(),
    acquireConnection: async (options) => listenTo(await driver.acquireConnection(options)),
    async beginTransaction(connection, settings) {
      const tables = new Set<string>();
      within.set(connection, tables);
      try {
        await driver.beginTransaction(connection, settings);
        tables.clear(); // to begin is no write
      } catch (error) {
        within.delete(connection); // it may be used again, and is in no transaction
        throw error;
      }
    },
    commitTransaction: whole((connection) => driver.commitTransaction(connection)),
    rollbackTransaction: whole((connection) => driver.rollbackTransaction(connection)),
    releaseConnection: (connection) => driver.releaseConnection(connection),
    destroy: () => driver.destroy(),
  };
}
