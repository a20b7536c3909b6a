import { reading } from '../db/reading.ts';
import { shapeComments } from './shape.ts';
import { findDuration } from './store.ts';

/** The comments of a video as JSON; null where there is no such video. There may be thousands: a text is quicker to carry than they. */
export const writtenComments = reading('comments', async (db, videoId: string): Promise<string | null> => {
  if (!(await findDuration(db, videoId))) return null;
  const rows = await db.selectFrom('comment').selectAll().where('videoId', '=', videoId).orderBy('position').execute();
  return JSON.stringify(shapeComments(rows));
});
