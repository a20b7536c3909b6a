import { parentPort, workerData, Worker } from 'node:worker_threads';
import { openHere, type Connection, type Rows } from './sqlite-connection.ts';

// This file is both sides of a database thread: started as a worker it owns one connection; imported it starts one.

// Crossing between threads costs more than most statements do, so what is asked in one turn crosses together, and so do
// the answers, unless somebody would have to wait for a slow one.
type Ask = { id: number; sql: string; parameters: readonly unknown[] } | { id: number; close: true };
type Told = { id: number; rows?: Rows; error?: string; errcode?: number };
const longestWaitMs = 1;

const manyRows = 50;
function forCrossing(rows: Rows): Rows {
  const { columns, values } = rows;
  if (values.length < manyRows) return rows;
  return { ...rows, values: columns.map((_, place) => values.map((row) => row[place])), isByColumn: true };
}

interface Opening {
  reelkeepDatabase: string;
  readOnly: boolean;
}

const isOpening = (value: unknown): value is Opening =>
  typeof value === 'object' && value !== null && 'reelkeepDatabase' in value;

if (parentPort && isOpening(workerData)) {
  const port = parentPort;
  const connection = openHere(workerData.reelkeepDatabase, { readOnly: workerData.readOnly });
  const answer = (ask: Exclude<Ask, { close: true }>): Told => {
    try {
      return { id: ask.id, rows: forCrossing(connection.run(ask.sql, ask.parameters)) };
    } catch (error) {
      const { errcode } = error as { errcode?: number };
      const words = error instanceof Error ? error.message : String(error);
      return { id: ask.id, error: words, ...(errcode !== undefined && { errcode }) };
    }
  };
  port.on('message', (asks: Ask[]) => {
    let told: Told[] = [];
    let since = performance.now();
    for (const ask of asks) {
      if ('close' in ask) connection.close();
      told.push('close' in ask ? { id: ask.id } : answer(ask));
      if (performance.now() - since > longestWaitMs) {
        port.postMessage(told);
        told = [];
        since = performance.now();
      }
    }
    port.postMessage(told);
  });
}

/** Opens the database file in a thread of its own, so that a slow query never holds up a stream. */
export function openInThread(path: string, { readOnly = false } = {}): Connection {
  const workerData: Opening = { reelkeepDatabase: path, readOnly };
  const thread = new Worker(new URL(import.meta.url), { workerData });
  const waiting = new Map<number, { resolve(rows: Rows): void; reject(error: Error): void }>();
  let next = 0;
  let broken: Error | undefined;

  thread.on('message', (told: Told[]) => {
    for (const { id, rows, error, errcode } of told) {
      const asker = waiting.get(id);
      waiting.delete(id);
      if (error !== undefined) asker?.reject(Object.assign(new Error(error), { errcode }));
      else asker?.resolve(rows ?? { columns: [], values: [], changed: 0, lastId: 0 });
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
  const ask = (question: { sql: string; parameters: readonly unknown[] } | { close: true }) =>
    new Promise<Rows>((resolve, reject) => {
      if (broken) return reject(broken);
      const id = next++;
      waiting.set(id, { resolve, reject });
      // After all that is ready to run now has said what it wants to know.
      if (toSend.length === 0) setImmediate(send);
      toSend.push({ id, ...question });
    });
  return {
    run: (sql, parameters) => ask({ sql, parameters }),
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
