import type { Tx } from '../../platform/db/db.ts';
import { parseBranding } from '../video/branding.ts';

/** Path of the frame that viewers have chosen as the picture of a video, relative to the cache folder. */
export const communityThumbnailPath = (videoId: string) => `community/${videoId[0]!.toLowerCase()}/${videoId}.jpg`;

export const communityThumbnailUrl = (videoId: string) => `/cache/${communityThumbnailPath(videoId)}`;

/** Returns the path of the frame of a video if there is one, relative to the cache folder. */
export async function communityThumbnailsOf(tx: Tx, videoId: string): Promise<string[]> {
  const row = await tx.selectFrom('video').select('branding').where('id', '=', videoId).executeTakeFirst();
  return row && parseBranding(row.branding).thumbSeconds !== null ? [communityThumbnailPath(videoId)] : [];
}
