import { reading } from '../db/reading.ts';
import { shapeComments } from './shape.ts';
import { findDuration } from './store.ts';

const utf8 = new TextEncoder();

/** The comments of a video as JSON, in UTF-8; null where there is no such video. There may be thousands: bytes are quicker to carry. */
export const writtenComments = reading('comments', async (db, videoId: string): Promise<Uint8Array | null> => {
  if (!(await findDuration(db, videoId))) return null;
  const rows = await db.selectFrom('comment').selectAll().where('videoId', '=', videoId).orderBy('position').execute();
  return utf8.encode(JSON.stringify(shapeComments(rows)));
});
