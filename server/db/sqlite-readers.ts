import type { Connection, Rows } from './sqlite-connection.ts';

interface Asked {
  sql: string;
  parameters: readonly unknown[];
  resolve(rows: Rows | Promise<Rows>): void;
}

/**
 * Several connections that read, as one. There is one of them from the start; another is opened (each takes about 7 MiB) only
 * when something has waited for `patienceMs` because all are busy: a list must get through while a long statement runs. It is
 * closed again when it was not needed for `idleMs`.
 */
export function readersOver(
  open: () => Connection,
  { most = 2, patienceMs = 20, idleMs = 60_000 } = {},
): Pick<Connection, 'run' | 'close'> & { count(): number } {
  const waiting: Asked[] = [];
  const readers: { connection: Connection; isBusy: boolean; idle?: NodeJS.Timeout | undefined }[] = [];
  let patience: NodeJS.Timeout | undefined;

  const add = () => {
    readers.push({ connection: open(), isBusy: false });
  };
  /** The first stays; those after it go when they have had nothing to do. */
  const restLater = (reader: (typeof readers)[number]) => {
    if (reader === readers[0]) return;
    reader.idle = setTimeout(() => {
      readers.splice(readers.indexOf(reader), 1);
      void reader.connection.close();
    }, idleMs);
    reader.idle.unref();
  };

  function next() {
    const reader = readers.find(({ isBusy }) => !isBusy);
    if (!reader) {
      if (waiting.length > 0 && readers.length < most) patience ??= setTimeout(more, patienceMs);
      return;
    }
    const asked = waiting.shift();
    if (!asked) return;
    clearTimeout(reader.idle);
    reader.isBusy = true;
    const answer = reader.connection.run(asked.sql, asked.parameters);
    asked.resolve(answer);
    const free = () => {
      reader.isBusy = false;
      restLater(reader);
      next();
    };
    answer.then(free, free);
    if (waiting.length > 0) next();
  }
  function more() {
    patience = undefined;
    if (waiting.length === 0) return;
    if (readers.length < most) add();
    next();
  }

  add();
  return {
    run: (sql, parameters) =>
      new Promise((resolve) => {
        waiting.push({ sql, parameters, resolve });
        next();
      }),
    async close() {
      clearTimeout(patience);
      for (const { idle } of readers) clearTimeout(idle);
      await Promise.all(readers.map(({ connection }) => connection.close()));
    },
    count: () => readers.length,
  };
}
