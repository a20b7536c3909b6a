import type { Archive } from '../archive.ts';
import * as store from './store.ts';

/** Frees what an earlier run of this program held: one program works on a database (hold.ts). */
export const freeAll = ({ db }: Archive) => store.freeAll(db);
