import type { Archive } from '../archive.ts';
import { findDuration } from './store.ts';

/** Where a video's file stands below the media folder; null when it is not in the archive. */
export const mediaPathOf = async ({ db }: Archive, id: string): Promise<string | null> =>
  (await findDuration(db, id))?.mediaPath ?? null;
