import type { Connection, Rows } from './sqlite-connection.ts';

interface Asked {
  sql: string;
  parameters: readonly unknown[];
  resolve(rows: Rows): void;
  reject(error: unknown): void;
  /** It was given to another reader too, because the first was at something long. */
  isMoved: boolean;
}

interface Reader {
  connection: Connection;
  /** What it was given and has not answered, in this order. */
  underWay: Asked[];
  /** When it last answered, or was given something after a rest; milliseconds. */
  movedAt: number;
  idle?: NodeJS.Timeout | undefined;
}

// So many may lie before one reader: what is asked in one turn crosses to its thread together.
const mostUnderWay = 8;

/**
 * Several connections that read, as one. There is one of them from the start; another is opened (each takes about 7 MiB) only
 * when the others have been at one statement for `patienceMs`, or have as many before them as they may: a list must get through while
 * a long statement runs, also one that was asked just after it. It is closed again when it was not needed for `idleMs`.
 */
export function readersOver(
  open: () => Connection,
  { most = 2, patienceMs = 20, idleMs = 60_000 } = {},
): Pick<Connection, 'run' | 'close'> & { count(): number } {
  let waiting: Asked[] = [];
  const readers: Reader[] = [];
  let patience: NodeJS.Timeout | undefined;

  const add = (): Reader => {
    const reader = { connection: open(), underWay: [], movedAt: 0 };
    readers.push(reader);
    return reader;
  };
  /** The first stays; those after it go when they have had nothing to do. */
  const restLater = (reader: Reader) => {
    if (reader === readers[0]) return;
    reader.idle = setTimeout(() => {
      readers.splice(readers.indexOf(reader), 1);
      void reader.connection.close();
    }, idleMs);
    reader.idle.unref();
  };
  const isStuck = (reader: Reader) => reader.underWay.length > 0 && performance.now() - reader.movedAt >= patienceMs;

  function give(reader: Reader, asked: Asked) {
    clearTimeout(reader.idle);
    if (reader.underWay.length === 0) reader.movedAt = performance.now();
    reader.underWay.push(asked);
    const answered = () => {
      reader.movedAt = performance.now();
      reader.underWay.splice(reader.underWay.indexOf(asked), 1);
      if (reader.underWay.length === 0) restLater(reader);
      next();
    };
    reader.connection.run(asked.sql, asked.parameters).then(asked.resolve, asked.reject).finally(answered);
  }

  function next() {
    while (waiting.length > 0) {
      const free = readers.filter((reader) => reader.underWay.length < mostUnderWay && !isStuck(reader));
      const [least] = free.toSorted((a, b) => a.underWay.length - b.underWay.length);
      const reader = least ?? (readers.length < most ? add() : undefined);
      if (!reader) break;
      give(reader, waiting.shift()!);
    }
    if (waiting.length > 0 || readers.some(({ underWay }) => underWay.length > 1)) patience ??= setTimeout(look, patienceMs);
  }

  /** What lies behind something long is asked again elsewhere: reading twice does no harm, and the first answer counts. */
  function look() {
    patience = undefined;
    const behind = readers.filter(isStuck).flatMap(({ underWay }) => underWay.slice(1).filter(({ isMoved }) => !isMoved));
    for (const asked of behind) asked.isMoved = true;
    waiting = [...behind, ...waiting];
    next();
  }

  add();
  return {
    run: (sql, parameters) =>
      new Promise((resolve, reject) => {
        waiting.push({ sql, parameters, resolve, reject, isMoved: false });
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
