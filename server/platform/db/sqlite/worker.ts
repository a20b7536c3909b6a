import { setFlagsFromString } from 'node:v8';
import { parentPort, workerData, Worker } from 'node:worker_threads';
import { openLocal, type Connection, type LocalConnection, type Rows } from './connection.ts';

// Both sides of a database thread: started as a worker it owns one connection; imported it starts one. A thread with worker
// queries is started with a file that imports them (server/app/query-worker.ts).

// A message between threads costs more than most statements, so statements of one turn are sent together, and so are the results,
// unless one of them is slow.
type Statement = { sql: string; parameters: readonly unknown[] };
type Request = { id: number } & (Statement | { label: string; argument: unknown } | { close: true });
type Result = { id: number; value?: unknown; error?: string; errcode?: number };
const maxWaitMs = 1;
// Garbage of statements is short-lived, and there are several threads.
const maxYoungGenerationSizeMb = 6;

const manyRows = 50;
function toTransferable(rows: Rows): Rows {
  const { columns, values } = rows;
  if (values.length < manyRows) return rows;
  return { ...rows, values: columns.map((_, place) => values.map((row) => row[place])), isByColumn: true };
}

interface Opening {
  reelkeepDatabase: string;
  readOnly: boolean;
  hasQueries: boolean;
}

const isOpening = (value: unknown): value is Opening =>
  typeof value === 'object' && value !== null && 'reelkeepDatabase' in value;

const failed = (id: number, error: unknown): Result => {
  const { errcode } = error as { errcode?: number };
  return { id, error: error instanceof Error ? error.message : String(error), ...(errcode !== undefined && { errcode }) };
};

type Read = (label: string, argument: unknown) => Promise<unknown>;

/** Runs the statements and worker queries of the main thread; `reads` creates the function that runs worker queries. */
export function serveQueries(reads: (connection: LocalConnection) => Read): void {
  if (!parentPort || !isOpening(workerData)) throw new Error('This is not a database thread.');
  const port = parentPort;
  const connection = openLocal(workerData.reelkeepDatabase, { readOnly: workerData.readOnly });
  const read = reads(connection);
  const runStatement = ({ id, sql, parameters }: { id: number } & Statement): Result => {
    try {
      return { id, value: toTransferable(connection.run(sql, parameters)) };
    } catch (error) {
      return failed(id, error);
    }
  };
  port.on('message', (requests: Request[]) => {
    let results: Result[] = [];
    let since = performance.now();
    for (const request of requests) {
      if ('label' in request) {
        const { id, label, argument } = request;
        read(label, argument)
          .then((value) => port.postMessage([{ id, value }]))
          .catch((error: unknown) => port.postMessage([failed(id, error)])); // also if the result cannot be transferred
        continue;
      }
      if ('close' in request) connection.close();
      results.push('close' in request ? { id: request.id } : runStatement(request));
      if (performance.now() - since > maxWaitMs) {
        port.postMessage(results);
        results = [];
        since = performance.now();
      }
    }
    if (results.length > 0) port.postMessage(results);
  });
}

const noQueries: Read = async (label) => {
  throw new Error(`This thread has no worker queries, such as "${label}".`);
};
if (parentPort && isOpening(workerData) && !workerData.hasQueries) serveQueries(() => noQueries);

/**
 * Opens the database file in a worker thread, so that a slow query does not block streams; `file` is an entry file with worker
 * queries.
 */
export function openInWorker(
  path: string,
  { readOnly = false, file }: { readOnly?: boolean; file?: URL | undefined } = {},
): Connection {
  const workerData: Opening = { reelkeepDatabase: path, readOnly, hasQueries: file !== undefined };
  // Node's options for the main thread would override the limits of the worker.
  setFlagsFromString('--max-semi-space-size=0');
  const thread = new Worker(file ?? new URL(import.meta.url), { workerData, resourceLimits: { maxYoungGenerationSizeMb } });
  const waiting = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>();
  let next = 0;
  let broken: Error | undefined;

  thread.on('message', (results: Result[]) => {
    for (const { id, value, error, errcode } of results) {
      const caller = waiting.get(id);
      waiting.delete(id);
      if (error !== undefined) caller?.reject(Object.assign(new Error(error), { errcode }));
      else caller?.resolve(value);
    }
  });
  const fail = (error: Error) => {
    broken = error;
    for (const caller of waiting.values()) caller.reject(error);
    waiting.clear();
  };
  thread.on('error', (error) => fail(error as Error));
  thread.on('exit', () => fail(new Error('The database is closed.')));

  let toSend: Request[] = [];
  const send = () => {
    thread.postMessage(toSend);
    toSend = [];
  };
  const sendRequest = (request: Statement | { label: string; argument: unknown } | { close: true }) =>
    new Promise<unknown>((resolve, reject) => {
      if (broken) return reject(broken);
      const id = next++;
      waiting.set(id, { resolve, reject });
      // After all code that is ready to run has queued its statements.
      if (toSend.length === 0) setImmediate(send);
      toSend.push({ id, ...request });
    });
  return {
    run: (sql, parameters) => sendRequest({ sql, parameters }) as Promise<Rows>,
    ...(file && { read: (label, argument) => sendRequest({ label, argument }) }),
    close: async () => {
      if (broken) return;
      await sendRequest({ close: true });
      await thread.terminate(); // its port is not always closed automatically: Node 26.10
    },
    // A running statement is not interrupted; the thread ends after it.
    end: async () => {
      fail(new Error('The database is closed.'));
      await thread.terminate();
    },
  };
}
