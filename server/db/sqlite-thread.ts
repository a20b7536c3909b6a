import { setFlagsFromString } from 'node:v8';
import { parentPort, workerData, Worker } from 'node:worker_threads';
import { openHere, type Connection, type ConnectionHere, type Rows } from './sqlite-connection.ts';

// This file is both sides of a database thread: started as a worker it owns one connection; imported it starts one. A thread that knows
// readings is begun with a file that imports them (server/reader.ts).

// Crossing between threads costs more than most statements do, so what is asked in one turn crosses together, and so do
// the answers, unless somebody would have to wait for a slow one.
type Statement = { sql: string; parameters: readonly unknown[] };
type Ask = { id: number } & (Statement | { label: string; asked: unknown } | { close: true });
type Told = { id: number; answer?: unknown; error?: string; errcode?: number };
const longestWaitMs = 1;
// What a statement leaves behind is soon dead; there are several of these threads.
const maxYoungGenerationSizeMb = 6;

const manyRows = 50;
function forCrossing(rows: Rows): Rows {
  const { columns, values } = rows;
  if (values.length < manyRows) return rows;
  return { ...rows, values: columns.map((_, place) => values.map((row) => row[place])), isByColumn: true };
}

interface Opening {
  reelkeepDatabase: string;
  readOnly: boolean;
  knowsReadings: boolean;
}

const isOpening = (value: unknown): value is Opening =>
  typeof value === 'object' && value !== null && 'reelkeepDatabase' in value;

const failed = (id: number, error: unknown): Told => {
  const { errcode } = error as { errcode?: number };
  return { id, error: error instanceof Error ? error.message : String(error), ...(errcode !== undefined && { errcode }) };
};

type Read = (label: string, asked: unknown) => Promise<unknown>;

/** Answers in this thread what it is asked; `reads` makes what does readings over its connection. */
export function serve(reads: (connection: ConnectionHere) => Read): void {
  if (!parentPort || !isOpening(workerData)) throw new Error('This is no thread of a database.');
  const port = parentPort;
  const connection = openHere(workerData.reelkeepDatabase, { readOnly: workerData.readOnly });
  const read = reads(connection);
  const answer = ({ id, sql, parameters }: { id: number } & Statement): Told => {
    try {
      return { id, answer: forCrossing(connection.run(sql, parameters)) };
    } catch (error) {
      return failed(id, error);
    }
  };
  port.on('message', (asks: Ask[]) => {
    let told: Told[] = [];
    let since = performance.now();
    for (const ask of asks) {
      if ('label' in ask) {
        const { id, label, asked } = ask;
        read(label, asked)
          .then((answer) => port.postMessage([{ id, answer }]))
          .catch((error: unknown) => port.postMessage([failed(id, error)])); // also where an answer cannot cross
        continue;
      }
      if ('close' in ask) connection.close();
      told.push('close' in ask ? { id: ask.id } : answer(ask));
      if (performance.now() - since > longestWaitMs) {
        port.postMessage(told);
        told = [];
        since = performance.now();
      }
    }
    if (told.length > 0) port.postMessage(told);
  });
}

const knowsNone: Read = async (label) => {
  throw new Error(`This thread knows no readings, such as "${label}".`);
};
if (parentPort && isOpening(workerData) && !workerData.knowsReadings) serve(() => knowsNone);

/** Opens the database file in a thread of its own, so that a slow query never holds up a stream; `file` is one that knows readings. */
export function openInThread(
  path: string,
  { readOnly = false, file }: { readOnly?: boolean; file?: URL | undefined } = {},
): Connection {
  const workerData: Opening = { reelkeepDatabase: path, readOnly, knowsReadings: file !== undefined };
  // What Node was started with is meant for the main thread, and would go before the limits of this one.
  setFlagsFromString('--max-semi-space-size=0');
  const thread = new Worker(file ?? new URL(import.meta.url), { workerData, resourceLimits: { maxYoungGenerationSizeMb } });
  const waiting = new Map<number, { resolve(answer: unknown): void; reject(error: Error): void }>();
  let next = 0;
  let broken: Error | undefined;

  thread.on('message', (told: Told[]) => {
    for (const { id, answer, error, errcode } of told) {
      const asker = waiting.get(id);
      waiting.delete(id);
      if (error !== undefined) asker?.reject(Object.assign(new Error(error), { errcode }));
      else asker?.resolve(answer);
    }
  });
  const fail = (error: Error) => {
    broken = error;
    for (const asker of waiting.values()) asker.reject(error);
    waiting.clear();
  };
  thread.on('error', (error) => fail(error as Error));
  thread.on('exit', () => fail(new Error('The database is closed.')));

  let toSend: Ask[] = [];
  const send = () => {
    thread.postMessage(toSend);
    toSend = [];
  };
  const ask = (question: Statement | { label: string; asked: unknown } | { close: true }) =>
    new Promise<unknown>((resolve, reject) => {
      if (broken) return reject(broken);
      const id = next++;
      waiting.set(id, { resolve, reject });
      // After all that is ready to run now has said what it wants to know.
      if (toSend.length === 0) setImmediate(send);
      toSend.push({ id, ...question });
    });
  return {
    run: (sql, parameters) => ask({ sql, parameters }) as Promise<Rows>,
    ...(file && { read: (label, asked) => ask({ label, asked }) }),
    close: async () => {
      if (broken) return;
      await ask({ close: true });
      await thread.terminate(); // its port closes by itself, but not always: Node 26.10
    },
    // A statement under way is not interrupted by that: the thread ends behind it.
    end: async () => {
      fail(new Error('The database is closed.'));
      await thread.terminate();
    },
  };
}
