import { parentPort, workerData, Worker } from 'node:worker_threads';
import { DatabaseSync } from 'node:sqlite';

// A copy of a database file that is in use, written by `vacuum into` in a thread of its own: it holds one read transaction, so
// it is of one instant and no writer waits. (docs/decisions/0015 has the figures, and what else was tried.)

interface Wish {
  reelkeepSnapshot: 'copy' | 'check';
  from: string;
  to: string;
}
const isWish = (value: unknown): value is Wish => typeof value === 'object' && value !== null && 'reelkeepSnapshot' in value;

function copy({ from, to }: Wish) {
  // `vacuum into` attaches what it writes, so this one connection may attach one file.
  const database = new DatabaseSync(from, { readOnly: true, timeout: 15_000, limits: { attach: 1 } });
  try {
    database.prepare('vacuum into ?').run(to);
  } finally {
    database.close();
  }
}

function check({ from }: Wish): string {
  const database = new DatabaseSync(from, { readOnly: true });
  try {
    return String(Object.values(database.prepare('pragma quick_check').get() ?? {})[0]);
  } finally {
    database.close();
  }
}

if (parentPort && isWish(workerData)) {
  if (workerData.reelkeepSnapshot === 'copy') copy(workerData);
  parentPort.postMessage(workerData.reelkeepSnapshot === 'check' ? check(workerData) : 'ok');
}

const inThread = (workerData: Wish) =>
  new Promise<string>((resolve, reject) => {
    const thread = new Worker(new URL(import.meta.url), { workerData });
    thread.once('message', resolve);
    thread.once('error', reject);
    thread.once('exit', () => reject(new Error('The thread ended without an answer.')));
  });

/** Writes a consistent copy of a database file that may be in use. The new file must not be there yet; it is not synced. */
export const snapshotFile = (from: string, to: string) => inThread({ reelkeepSnapshot: 'copy', from, to });

/** Reads a database file that nobody uses to its end; "ok", or the first thing that is wrong with it. */
export const checkFile = (path: string) =>
  inThread({ reelkeepSnapshot: 'check', from: path, to: '' }).catch((error: Error) => error.message);
