import type { Archive } from '../archive.ts';
import type { Work } from '../task/task.ts';

/** How things are added: what the person asked for, and whether to the queue or to the ignore list. */
export interface Manner {
  autostart: boolean;
  flat: boolean;
  force: boolean;
  status: 'pending' | 'ignore';
}

/** What one round of adding has to work with. */
export interface Adding {
  archive: Archive;
  work: Work<unknown>;
  manner: Manner;
  /** Adds to the count that the result tells (one unless said); with the first, downloading begins if it is to by itself. */
  added(count?: number): Promise<void>;
}
