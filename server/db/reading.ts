import type { Db } from './db.ts';

/** Something that is read of the database in one go, called like any other function. */
export interface Reading<Asked, Answer> {
  (db: Db, asked: Asked): Promise<Answer>;
  /** Names it between threads, which functions cannot cross. */
  readonly label: string;
  readonly read: (db: Db, asked: Asked) => Promise<Answer>;
}

/**
 * Makes a reading of what asks the database several times, or gets more from it than it answers. It runs in the thread in which the
 * database is read, where there is one (server/reader.ts lists them all), else here: a question crosses to that thread once and
 * what comes of it once, not each statement and all rows. What is asked and answered must be plain data, and `read` only reads.
 */
export const reading = <Asked, Answer>(label: string, read: (db: Db, asked: Asked) => Promise<Answer>): Reading<Asked, Answer> =>
  Object.assign((db: Db, asked: Asked) => (db.there ? (db.there(label, asked) as Promise<Answer>) : read(db, asked)), {
    label,
    read,
  });
