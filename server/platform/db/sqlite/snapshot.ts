import { parentPort, workerData, Worker } from 'node:worker_threads';
import { DatabaseSync } from 'node:sqlite';

// Copies a database file in use with `vacuum into` in a worker thread: one read transaction, so the copy is consistent and
// writers are not blocked. (docs/decisions/atomic-restore.md has measurements and alternatives.)

interface SnapshotOptions {
  reelkeepSnapshot: 'copy' | 'check';
  from: string;
  to: string;
}
const isWish = (value: unknown): value is SnapshotOptions =>
  typeof value === 'object' && value !== null && 'reelkeepSnapshot' in value;

function copy({ from, to }: SnapshotOptions) {
  // `vacuum into` attaches its target, so this connection may attach one file.
  const database = new DatabaseSync(from, { readOnly: true, timeout: 15_000, limits: { attach: 1 } });
  try {
    database.prepare('vacuum into ?').run(to);
  } finally {
    database.close();
  }
}

function check({ from }: SnapshotOptions): string {
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

const inThread = (workerData: SnapshotOptions) =>
  new Promise<string>((resolve, reject) => {
    const thread = new Worker(new URL(import.meta.url), { workerData });
    thread.once('message', resolve);
    thread.once('error', reject);
    thread.once('exit', () => reject(new Error('The thread ended without an answer.')));
  });

/** Writes a consistent copy of a database file in use. The target must not exist; it is not synced. */
export const snapshotFile = (from: string, to: string) => inThread({ reelkeepSnapshot: 'copy', from, to });

/** Checks a database file that is not in use. Returns "ok" or the first error. */
export const checkFile = (path: string) =>
  inThread({ reelkeepSnapshot: 'check', from: path, to: '' }).catch((error: Error) => error.message);
