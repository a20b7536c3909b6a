import type { Archive } from '../archive.ts';
import { knownIds } from './store.ts';

/** Which of these ids are videos of the archive. */
export const knownVideoIds = ({ db }: Pick<Archive, 'db'>, ids: string[]) => knownIds(db, ids);
