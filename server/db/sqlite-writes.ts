import type { Connection, Rows } from './sqlite-connection.ts';

/** Takes turns at writing: waits until nobody writes, and answers what ends this turn. */
export type TakeTurn = () => Promise<() => void>;

export function turns(): TakeTurn {
  let turn: Promise<void> = Promise.resolve();
  return async () => {
    const before = turn;
    let end = () => {};
    turn = new Promise((resolve) => (end = resolve));
    await before;
    return end;
  };
}

/** A full disk makes SQLite roll back by itself. What went wrong first is to be heard, not that. */
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

// Whoever was first waits for all of them.
const mostTogether = 50;

/**
 * Runs statements that write, each for itself as whoever asks is told: done and on the disk, or not done. Those that wait while
 * somebody else writes are committed together, since each commit waits for the disk. When one of them fails nothing of it was done, and
 * each is run alone.
 */
export function writesTogether(writer: Connection, takeTurn: TakeTurn): Connection['run'] {
  let waiting: Write[] = [];

  /** False where nothing was done. */
  const runTogether = async (writes: Write[]): Promise<boolean> => {
    const answers: Rows[] = [];
    await writer.run('begin immediate', []); // where that fails, as while another program writes for long, all are told
    try {
      // One after the other: what came behind one that made SQLite roll back would be committed by itself.
      for (const { sql, parameters } of writes) answers.push(await writer.run(sql, parameters));
      await writer.run('commit', []);
    } catch {
      await rollBack(writer); // which of them it was they are told when they are run alone
      return false;
    }
    for (const [at, { resolve }] of writes.entries()) resolve(answers[at]!);
    return true;
  };

  const runWaiting = async () => {
    const done = await takeTurn();
    const writes = waiting;
    waiting = writes.splice(mostTogether);
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
