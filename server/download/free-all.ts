import type { Archive } from '../archive.ts';
import * as store from './store.ts';

/** Frees what an earlier run of this program held. On PostgreSQL another program may be at work; there leases run out. */
export async function freeAll({ db }: Archive) {
  if (db.engine === 'sqlite') await store.freeAll(db);
}
