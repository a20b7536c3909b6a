import type { Tx } from '../db/db.ts';
import { findDuration } from './store.ts';

/** The files that belong to a video, below the media folder; none when it is not in the archive. */
export async function filesOf(tx: Tx, id: string): Promise<string[]> {
  const video = await findDuration(tx, id);
  if (!video) return [];
  const subtitles = await tx.selectFrom('subtitle').select('path').where('videoId', '=', id).execute();
  return [video.mediaPath, video.mediaPath.replace(/\.[^.]+$/, '.info.json'), ...subtitles.map(({ path }) => path)];
}
