import type { Db } from './db.ts';

/** What was read took longer than it may, and was given up. */
export class TookTooLong extends Error {
  constructor() {
    super('The database took too long.');
  }
}

/** Reads that may take long, on a connection that nothing else waits for. */
export interface Aside {
  /**
   * Runs `work`, which only reads. Throws TookTooLong when it is not done within `longestMs`; what is still under way then
   * is ended with its connection, and the next one gets another. One at a time: who waits for whom is for the caller to say.
   */
  read<T>(work: (db: Db) => Promise<T>, longestMs: number): Promise<T>;
  close(): Promise<void>;
}

/** A connection with what speaks through it. */
interface Opened {
  db: Db;
  /** Lets it finish what it does. */
  close(): Promise<unknown>;
  /** At once, if it can be; resolved when it is really over. */
  end(): Promise<unknown>;
}

// One that was given up may still be busy with a statement that nothing can interrupt.
const mostEnding = 2;

/** Resolved as `work` is, or throws TookTooLong. */
export async function within<T>(longestMs: number, work: Promise<T>, giveUp: () => void): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    giveUp();
    late.reject(new TookTooLong());
  }, longestMs);
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** Over connections that `open` opens, one at a time; each is closed when it was not needed for `idleMs`. */
export function asideOver(open: () => Opened, idleMs = 60_000): Aside {
  let current: Opened | undefined;
  let idle: NodeJS.Timeout | undefined;
  let ending = 0;
  const drop = () => {
    const opened = current;
    current = undefined;
    return opened;
  };
  return {
    async read(work, longestMs) {
      if (ending >= mostEnding) throw new TookTooLong();
      clearTimeout(idle);
      const own = (current ??= open());
      try {
        return await within(longestMs, work(own.db), () => {
          if (current === own) drop();
          ending++;
          void own.end().finally(() => ending--);
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

/** For a database that has but one connection. */
export const asideOn = (db: () => Db): Aside => ({
  read: (work, longestMs) => within(longestMs, work(db()), () => {}),
  close: async () => {},
});
