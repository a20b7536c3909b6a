import type { Db } from './db.ts';

/** A query exceeded its time limit and was aborted. */
export class QueryTimeoutError extends Error {
  constructor() {
    super('The database took too long.');
  }
}

/** A separate connection for slow reads, which does not block other queries. */
export interface SlowQueryConnection {
  /**
   * Runs `work`, which must only read. Only one call at a time; the caller has to queue others. When the limit is exceeded, the
   * connection is ended with its query, and the next call opens another one.
   * @throws QueryTimeoutError after `longestMs`
   */
  read<T>(work: (db: Db) => Promise<T>, timeoutMs: number): Promise<T>;
  close(): Promise<void>;
}

/** An open connection. */
interface OpenConnection {
  db: Db;
  /** Closes the connection after its current query. */
  close(): Promise<unknown>;
  /** Closes the connection immediately if possible; resolves when it is closed. */
  end(): Promise<unknown>;
}

// A query that cannot be interrupted keeps an aborted connection busy.
const maxClosing = 2;

/**
 * Awaits `work`.
 * @throws QueryTimeoutError after the limit, after calling `giveUp`
 */
export async function withTimeout<T>(timeoutMs: number, work: Promise<T>, giveUp: () => void): Promise<T> {
  const timeout = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    // Before the work fails with the connection.
    timeout.reject(new QueryTimeoutError());
    giveUp();
  }, timeoutMs);
  try {
    return await Promise.race([work, timeout.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** Creates a SlowQueryConnection over connections opened on demand, one at a time; each is closed after `idleMs` without use. */
export function slowQueriesOver(open: () => OpenConnection, idleMs = 60_000): SlowQueryConnection {
  let current: OpenConnection | undefined;
  let idle: NodeJS.Timeout | undefined;
  let closing = 0;
  const drop = () => {
    const connection = current;
    current = undefined;
    return connection;
  };
  return {
    async read(work, timeoutMs) {
      if (closing >= maxClosing) throw new QueryTimeoutError();
      clearTimeout(idle);
      const activeConnection = (current ??= open());
      try {
        return await withTimeout(timeoutMs, work(activeConnection.db), () => {
          if (current === activeConnection) drop();
          closing++;
          void activeConnection.end().finally(() => closing--);
        });
      } finally {
        idle = setTimeout(() => void drop()?.close(), idleMs).unref();
      }
    },
    async close() {
      clearTimeout(idle);
      await drop()?.close();
    },
  };
}

/** For a database with a single connection. */
export const slowQueriesOn = (db: Db): SlowQueryConnection => ({
  read: (work, timeoutMs) => withTimeout(timeoutMs, work(db), () => {}),
  close: async () => {},
});
