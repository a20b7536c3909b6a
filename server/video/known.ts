import type { Archive } from '../archive.ts';
import { knownIds } from './store.ts';

/** Which of these ids are videos of the archive. */
export const knownVideoIds = ({ db }: Pick<Archive, 'db'>, ids: string[]) => knownIds(db, ids);

/** Whether a video was archived, or brought up to date, at this time or later. */
export const isSavedSince = async ({ db }: Pick<Archive, 'db'>, id: string, since: number): Promise<boolean> =>
  (await db.selectFrom('video').select('id').where('id', '=', id).where('refreshedAt', '>=', since).executeTakeFirst()) !==
  undefined;
