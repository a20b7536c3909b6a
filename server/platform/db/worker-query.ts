import type { Db } from './db.ts';

/** A query function that may run in the database thread. */
export interface WorkerQuery<Argument, Result> {
  (db: Db, argument: Argument): Promise<Result>;
  /** Identifies it between threads, because functions cannot be transferred. */
  readonly label: string;
  readonly read: (db: Db, argument: Argument) => Promise<Result>;
}

/**
 * Defines a function that runs several queries or reduces their results. It runs in the database thread, if there is one
 * (server/app/query-worker.ts lists them all), else here, so that only its argument and result cross threads. Both must be plain
 * data, and `read` must only read. See docs/decisions/queries-in-the-db-worker.md.
 */
export const workerQuery = <Argument, Result>(
  label: string,
  read: (db: Db, argument: Argument) => Promise<Result>,
): WorkerQuery<Argument, Result> =>
  Object.assign(
    (db: Db, argument: Argument) => (db.runInWorker ? (db.runInWorker(label, argument) as Promise<Result>) : read(db, argument)),
    {
      label,
      read,
    },
  );
