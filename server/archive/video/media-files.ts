import type { Tx } from '../../platform/db/db.ts';
import { findDuration } from './store.ts';

/** Returns the files of a video relative to the media folder; empty for an unknown video. */
export async function filesOf(tx: Tx, id: string): Promise<string[]> {
  const video = await findDuration(tx, id);
  if (!video) return [];
  const subtitles = await tx.selectFrom('subtitle').select('path').where('videoId', '=', id).execute();
  const copies = await tx.selectFrom('smallCopy').select('path').where('videoId', '=', id).execute();
  const others = [...subtitles, ...copies].map(({ path }) => path);
  return [video.mediaPath, video.mediaPath.replace(/\.[^.]+$/, '.info.json'), ...others];
}
