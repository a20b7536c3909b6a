import type { Kysely, Transaction } from 'kysely';
import type { Tables } from './tables.ts';

export type Engine = 'sqlite' | 'postgres';

/** An open database, of either engine. */
export type Db = Kysely<Tables> & { readonly engine: Engine };
/** Inside a transaction. What takes a Db takes a Tx as well. */
export type Tx = Transaction<Tables> & { readonly engine: Engine };

/** Runs `work` in one transaction: all of it happens, or nothing. */
export function inTransaction<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  return db.transaction().execute((tx) => work(Object.assign(tx, { engine: db.engine })));
}

/** Cuts a list into pieces that fit an `in (…)` on every engine. */
export function* chunks<T>(list: readonly T[], size = 1000): Generator<T[]> {
  for (let from = 0; from < list.length; from += size) yield list.slice(from, from + size);
}
