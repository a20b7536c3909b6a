import type { Archive } from '../archive.ts';
import { readSettings } from './store.ts';

/** The settings of the application as they stand now; what other rooms ask for. */
export const currentSettings = ({ db }: Archive) => readSettings(db);
