import type { Connection, Rows } from './connection.ts';

interface PendingStatement {
  of(connection: Connection): Promise<unknown>;
  resolve(result: unknown): void;
  reject(error: unknown): void;
  /** It was also sent to another reader, because the first was busy with a long statement. */
  isResent: boolean;
}

interface Reader {
  connection: Connection;
  /** Statements sent and not answered yet, in order. */
  pending: PendingStatement[];
  /** Time of the last result, or of the first statement after a pause; milliseconds. */
  activeAt: number;
  /** Last time it received a statement while the first reader was busy; milliseconds. */
  neededAt: number;
  idle?: NodeJS.Timeout | undefined;
  /** Reserved by a caller. */
  isReserved: boolean;
}

/** A connection reserved by a caller. */
interface ReservedReader {
  connection: Connection;
  giveBack(): void;
  /** Closes it without waiting for its statement. */
  end(): Promise<void>;
}

// Maximum number of pending statements per reader: those of one turn are sent together.
const maxPending = 8;
// From this number of pending statements at the first reader, another one is needed. Fewer, such as the two of a page, do not
// require it.
const busyThreshold = 3;
// How long a statement may wait before an additional reader is opened: each takes 15 to 25 MiB.
const longPatienceMs = 200;

export interface ReaderPool extends Required<Pick<Connection, 'run' | 'read' | 'close'>> {
  /** Reserves a reader other than the first, for slow queries. */
  take(): ReservedReader;
  count(): number;
}

/**
 * Several read connections as one. It starts with one; another one is opened (each takes 15 to 25 MiB) only when the others have
 * been busy with one statement for `patienceMs`, have the maximum number of pending statements, or one is reserved, so that short
 * queries are not blocked by long ones, even those sent just after them. There are at most `most`, plus one if one is reserved
 * and all others are blocked for long. A reader is closed when it was not needed for `idleMs`.
 */
export function createReaderPool(
  open: () => Connection,
  { most: maxReaders = 2, patienceMs = 20, idleMs = 60_000 } = {},
): ReaderPool {
  let waiting: PendingStatement[] = [];
  const readers: Reader[] = [];
  let timer: NodeJS.Timeout | undefined;

  const add = (): Reader => {
    const reader = { connection: open(), pending: [], activeAt: 0, neededAt: performance.now(), isReserved: false };
    readers.push(reader);
    return reader;
  };
  /** The first reader stays; the others are closed when they were not needed for long. */
  const closeLater = (reader: Reader) => {
    if (reader === readers[0] || reader.isReserved || !readers.includes(reader)) return;
    reader.idle = setTimeout(
      () => {
        readers.splice(readers.indexOf(reader), 1);
        void reader.connection.close();
      },
      Math.max(0, reader.neededAt + idleMs - performance.now()),
    );
    reader.idle.unref();
  };
  // Timers count whole milliseconds and may fire up to one early.
  const isStuck = (reader: Reader, forMs = patienceMs) =>
    reader.pending.length > 0 && performance.now() - reader.activeAt >= forMs - 1;

  function assign(reader: Reader, statement: PendingStatement) {
    clearTimeout(reader.idle);
    if (reader.pending.length === 0) reader.activeAt = performance.now();
    if (readers[0]!.pending.length >= busyThreshold || isStuck(readers[0]!)) reader.neededAt = performance.now();
    reader.pending.push(statement);
    const answered = () => {
      reader.activeAt = performance.now();
      reader.pending.splice(reader.pending.indexOf(statement), 1);
      if (reader.pending.length === 0) closeLater(reader);
      next();
    };
    statement.of(reader.connection).then(statement.resolve, statement.reject).finally(answered);
  }

  /** An additional reader is used only while all others are blocked; otherwise it would never become idle. */
  const freeReader = (ofAll: Reader[]) => {
    const usual = ofAll.slice(0, maxReaders);
    return (usual.every((reader) => isStuck(reader)) ? ofAll : usual)
      .filter((reader) => reader.pending.length < maxPending && !isStuck(reader))
      .toSorted((a, b) => a.pending.length - b.pending.length)[0];
  };

  function next() {
    while (waiting.length > 0) {
      const ofAll = readers.filter(({ isReserved }) => !isReserved);
      const mayAdd =
        readers.length < maxReaders || (ofAll.length < maxReaders && ofAll.every((reader) => isStuck(reader, longPatienceMs)));
      const reader = freeReader(ofAll) ?? (mayAdd ? add() : undefined);
      if (!reader) break;
      assign(reader, waiting.shift()!);
    }
    if (waiting.length > 0 || readers.some(({ pending }) => pending.length > 1)) timer ??= setTimeout(resendBlocked, patienceMs);
  }

  /** Statements behind a long one are sent again to another reader: reading twice is harmless, and the first result counts. */
  function resendBlocked() {
    timer = undefined;
    const blocked = readers
      .filter((reader) => isStuck(reader))
      .flatMap(({ pending }) => pending.slice(1).filter(({ isResent }) => !isResent));
    for (const statement of blocked) statement.isResent = true;
    waiting = [...blocked, ...waiting];
    next();
  }

  const enqueueStatement = (of: PendingStatement['of']) =>
    new Promise<unknown>((resolve, reject) => {
      waiting.push({ of, resolve, reject, isResent: false });
      next();
    });

  add();
  return {
    run: (sql, parameters) => enqueueStatement((connection) => connection.run(sql, parameters)) as Promise<Rows>,
    read: (label, statement) => enqueueStatement((connection) => connection.read!(label, statement)),
    take() {
      const reader = readers.slice(1).find(({ isReserved }) => !isReserved) ?? add();
      reader.isReserved = true;
      clearTimeout(reader.idle);
      const { connection } = reader;
      return {
        connection,
        giveBack() {
          reader.isReserved = false;
          reader.neededAt = performance.now();
          if (reader.pending.length === 0) closeLater(reader);
          next();
        },
        async end() {
          if (readers.includes(reader)) readers.splice(readers.indexOf(reader), 1);
          await connection.end();
        },
      };
    },
    async close() {
      clearTimeout(timer);
      for (const { idle } of readers) clearTimeout(idle);
      await Promise.all(readers.map(({ connection }) => connection.close()));
    },
    count: () => readers.length,
  };
}
