import type { Connection, Rows } from './sqlite-connection.ts';

interface Asked {
  of(connection: Connection): Promise<unknown>;
  resolve(answer: unknown): void;
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
  /** When it was last given something while the first was busy; milliseconds. */
  neededAt: number;
  idle?: NodeJS.Timeout | undefined;
  /** Somebody has it alone. */
  isTaken: boolean;
}

/** A connection that somebody has alone for a while. */
interface Taken {
  connection: Connection;
  giveBack(): void;
  /** Without waiting for what it does. */
  end(): Promise<void>;
}

// So many may lie before one reader: what is asked in one turn crosses to its thread together.
const mostUnderWay = 8;
// With so many before the first, what another does is needed. With fewer, as of a page that asks for two things at once, it is only welcome.
const busyFrom = 3;
// So long may somebody have to wait for a statement before there is one reader more than usual: each takes 15 to 25 MiB.
const longPatienceMs = 200;

export interface Readers extends Required<Pick<Connection, 'run' | 'read' | 'close'>> {
  /** One of those beside the first, for what may take long: nothing else is asked of it until it is given back. */
  take(): Taken;
  count(): number;
}

/**
 * Several connections that read, as one. There is one of them from the start; another is opened (each takes 15 to 25 MiB) only
 * when the others have been at one statement for `patienceMs`, or have as many before them as they may, or when it is taken: a list
 * must get through while a long statement runs, also one that was asked just after it. There are at most `most`, and one more where
 * one is taken and all others are at something very long. It is closed again when it was not needed for `idleMs`.
 */
export function readersOver(open: () => Connection, { most = 2, patienceMs = 20, idleMs = 60_000 } = {}): Readers {
  let waiting: Asked[] = [];
  const readers: Reader[] = [];
  let patience: NodeJS.Timeout | undefined;

  const add = (): Reader => {
    const reader = { connection: open(), underWay: [], movedAt: 0, neededAt: performance.now(), isTaken: false };
    readers.push(reader);
    return reader;
  };
  /** The first stays; those after it go when they were not needed for long, however often they were of use. */
  const restLater = (reader: Reader) => {
    if (reader === readers[0] || reader.isTaken || !readers.includes(reader)) return;
    reader.idle = setTimeout(
      () => {
        readers.splice(readers.indexOf(reader), 1);
        void reader.connection.close();
      },
      Math.max(0, reader.neededAt + idleMs - performance.now()),
    );
    reader.idle.unref();
  };
  // A timer counts whole milliseconds, and may be over a part of one early.
  const isStuck = (reader: Reader, forMs = patienceMs) =>
    reader.underWay.length > 0 && performance.now() - reader.movedAt >= forMs - 1;

  function give(reader: Reader, asked: Asked) {
    clearTimeout(reader.idle);
    if (reader.underWay.length === 0) reader.movedAt = performance.now();
    if (readers[0]!.underWay.length >= busyFrom || isStuck(readers[0]!)) reader.neededAt = performance.now();
    reader.underWay.push(asked);
    const answered = () => {
      reader.movedAt = performance.now();
      reader.underWay.splice(reader.underWay.indexOf(asked), 1);
      if (reader.underWay.length === 0) restLater(reader);
      next();
    };
    asked.of(reader.connection).then(asked.resolve, asked.reject).finally(answered);
  }

  /** One that was opened beyond the usual ones is asked only while all of those are stuck: else it would never come to rest. */
  const freeOf = (ofAll: Reader[]) => {
    const usual = ofAll.slice(0, most);
    return (usual.every((reader) => isStuck(reader)) ? ofAll : usual)
      .filter((reader) => reader.underWay.length < mostUnderWay && !isStuck(reader))
      .toSorted((a, b) => a.underWay.length - b.underWay.length)[0];
  };

  function next() {
    while (waiting.length > 0) {
      const ofAll = readers.filter(({ isTaken }) => !isTaken);
      const mayAdd = readers.length < most || (ofAll.length < most && ofAll.every((reader) => isStuck(reader, longPatienceMs)));
      const reader = freeOf(ofAll) ?? (mayAdd ? add() : undefined);
      if (!reader) break;
      give(reader, waiting.shift()!);
    }
    if (waiting.length > 0 || readers.some(({ underWay }) => underWay.length > 1)) patience ??= setTimeout(look, patienceMs);
  }

  /** What lies behind something long is asked again elsewhere: reading twice does no harm, and the first answer counts. */
  function look() {
    patience = undefined;
    const behind = readers
      .filter((reader) => isStuck(reader))
      .flatMap(({ underWay }) => underWay.slice(1).filter(({ isMoved }) => !isMoved));
    for (const asked of behind) asked.isMoved = true;
    waiting = [...behind, ...waiting];
    next();
  }

  const ask = (of: Asked['of']) =>
    new Promise<unknown>((resolve, reject) => {
      waiting.push({ of, resolve, reject, isMoved: false });
      next();
    });

  add();
  return {
    run: (sql, parameters) => ask((connection) => connection.run(sql, parameters)) as Promise<Rows>,
    read: (label, asked) => ask((connection) => connection.read!(label, asked)),
    take() {
      const reader = readers.slice(1).find(({ isTaken }) => !isTaken) ?? add();
      reader.isTaken = true;
      clearTimeout(reader.idle);
      const { connection } = reader;
      return {
        connection,
        giveBack() {
          reader.isTaken = false;
          reader.neededAt = performance.now();
          if (reader.underWay.length === 0) restLater(reader);
          next();
        },
        async end() {
          if (readers.includes(reader)) readers.splice(readers.indexOf(reader), 1);
          await connection.end();
        },
      };
    },
    async close() {
      clearTimeout(patience);
      for (const { idle } of readers) clearTimeout(idle);
      await Promise.all(readers.map(({ connection }) => connection.close()));
    },
    count: () => readers.length,
  };
}
