import type { Tx } from '../../platform/db/db.ts';
import { findDuration } from './store.ts';

/** Returns the files of a video relative to the media folder; empty for an unknown video. */
export async function filesOf(tx: Tx, id: string): Promise<string[]> {
  const video = await findDuration(tx, id);
  if (!video) return [];
  const subtitles = await tx.selectFrom('subtitle').select('path').where('videoId', '=', id).execute();
  const copies = await tx.selectFrom('smallCopy').select('path').where('videoId', '=', id).execute();
  const chats = await tx.selectFrom('chat').select('path').where('videoId', '=', id).where('path', 'is not', null).execute();
  const others = [...subtitles, ...copies, ...chats].map(({ path }) => path!);
  return [video.mediaPath, video.mediaPath.replace(/\.[^.]+$/, '.info.json'), ...others];
}
