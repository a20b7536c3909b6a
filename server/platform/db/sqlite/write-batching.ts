import type { Connection, Rows } from './connection.ts';

/** Waits for the write lock of this process. Returns a function that releases it. */
export type AcquireWriter = () => Promise<() => void>;

export function createWriteQueue(): AcquireWriter {
  let turn: Promise<void> = Promise.resolve();
  return async () => {
    const before = turn;
    let end = () => {};
    turn = new Promise((resolve) => (end = resolve));
    await before;
    return end;
  };
}

/** Rolls back. A full disk makes SQLite roll back automatically; that error is ignored in favour of the original one. */
export const rollBack = (writer: Connection) =>
  writer.run('rollback', []).catch((error: unknown) => {
    if (!/no transaction is active/.test(String(error))) throw error;
  });

interface Write {
  sql: string;
  parameters: readonly unknown[];
  resolve(rows: Rows): void;
  reject(error: unknown): void;
}

// The first statement waits for all of them.
const maxTogether = 50;

/**
 * Runs write statements, each of which succeeds or fails separately. Statements that wait during another write are committed
 * together, because each commit waits for the disk. If one fails, the batch is rolled back and each is run alone.
 */
export function batchWrites(writer: Connection, takeTurn: AcquireWriter): Connection['run'] {
  let waiting: Write[] = [];

  /** Returns false if nothing was written. */
  const runTogether = async (writes: Write[]): Promise<boolean> => {
    const answers: Rows[] = [];
    await writer.run('begin immediate', []); // if it fails, for example during a long write of another process, all fail
    try {
      // Sequentially: after a rollback by SQLite, the remaining statements would be committed separately.
      for (const { sql, parameters } of writes) answers.push(await writer.run(sql, parameters));
      await writer.run('commit', []);
    } catch {
      await rollBack(writer); // the failing one is found when each is run alone
      return false;
    }
    for (const [at, { resolve }] of writes.entries()) resolve(answers[at]!);
    return true;
  };

  const runWaiting = async () => {
    const done = await takeTurn();
    const writes = waiting;
    waiting = writes.splice(maxTogether);
    if (waiting.length > 0) void runWaiting();
    try {
      if (writes.length > 1 && (await runTogether(writes))) return;
      for (const { sql, parameters, resolve, reject } of writes) await writer.run(sql, parameters).then(resolve, reject);
    } catch (error) {
      for (const { reject } of writes) reject(error);
    } finally {
      done();
    }
  };

  return (sql, parameters) =>
    new Promise((resolve, reject) => {
      waiting.push({ sql, parameters, resolve, reject });
      if (waiting.length === 1) void runWaiting();
    });
}
