import { parentPort, workerData, Worker } from 'node:worker_threads';
import { openHere, type Connection, type Rows } from './sqlite-connection.ts';

// This file is both sides of a database thread: started as a worker it owns one connection; imported it starts one.

type Ask = { id: number; sql: string; parameters: readonly unknown[] } | { id: number; close: true };
type Told = { id: number; rows?: Rows; error?: string; errcode?: number };

interface Opening {
  reelkeepDatabase: string;
  readOnly: boolean;
}

const isOpening = (value: unknown): value is Opening =>
  typeof value === 'object' && value !== null && 'reelkeepDatabase' in value;

if (parentPort && isOpening(workerData)) {
  const port = parentPort;
  const connection = openHere(workerData.reelkeepDatabase, { readOnly: workerData.readOnly });
  port.on('message', async (ask: Ask) => {
    try {
      if ('close' in ask) {
        await connection.close();
        port.postMessage({ id: ask.id } satisfies Told);
        port.close();
      } else port.postMessage({ id: ask.id, rows: await connection.run(ask.sql, ask.parameters) } satisfies Told);
    } catch (error) {
      const { errcode } = error as { errcode?: number };
      const words = error instanceof Error ? error.message : String(error);
      port.postMessage({ id: ask.id, error: words, ...(errcode !== undefined && { errcode }) } satisfies Told);
    }
  });
}

/** Opens the database file in a thread of its own, so that a slow query never holds up a stream. */
export function openInThread(path: string, { readOnly = false } = {}): Connection {
  const workerData: Opening = { reelkeepDatabase: path, readOnly };
  const thread = new Worker(new URL(import.meta.url), { workerData });
  const waiting = new Map<number, { resolve(rows: Rows): void; reject(error: Error): void }>();
  let next = 0;
  let broken: Error | undefined;

  thread.on('message', ({ id, rows, error, errcode }: Told) => {
    const asker = waiting.get(id);
    waiting.delete(id);
    if (error !== undefined) asker?.reject(Object.assign(new Error(error), { errcode }));
    else asker?.resolve(rows ?? { rows: [], changed: 0, lastId: 0 });
  });
  const fail = (error: Error) => {
    broken = error;
    for (const asker of waiting.values()) asker.reject(error);
    waiting.clear();
  };
  thread.on('error', (error) => fail(error as Error));
  thread.on('exit', () => fail(new Error('The database is closed.')));

  const ask = (question: { sql: string; parameters: readonly unknown[] } | { close: true }) =>
    new Promise<Rows>((resolve, reject) => {
      if (broken) return reject(broken);
      const id = next++;
      waiting.set(id, { resolve, reject });
      thread.postMessage({ id, ...question });
    });

  return {
    run: (sql, parameters) => ask({ sql, parameters }),
    close: async () => {
      if (!broken) await ask({ close: true });
    },
    // A statement under way is not interrupted by that: the thread ends behind it.
    end: async () => {
      fail(new Error('The database is closed.'));
      await thread.terminate();
    },
  };
}
