import type { Tx } from '../../platform/db/db.ts';
import { communityThumbnailPath } from '../storage/community-thumbnail-path.ts';

// Title and picture that viewers submitted to DeArrow, instead of those of the channel. Stored as JSON with the video; parsed without
// zod, which the threads that read the database do not load.

export interface Branding {
  /** At most 300 characters of plain text; null if viewers prefer that of the channel, or none is trusted. */
  title: string | null;
  /** Time in the file of the frame that was drawn (community-thumbnail-path.ts); null if there is none. */
  thumbSeconds: number | null;
}

export const noBranding: Branding = { title: null, thumbSeconds: null };

/** Parses the stored JSON. Values that are not valid, as from an edited backup, are null. */
export function parseBranding(json: string | null): Branding {
  if (json === null) return noBranding;
  try {
    const { title, thumbSeconds } = (JSON.parse(json) ?? {}) as Record<keyof Branding, unknown>;
    return {
      title: typeof title === 'string' && title !== '' ? title : null,
      thumbSeconds: typeof thumbSeconds === 'number' && thumbSeconds >= 0 ? thumbSeconds : null,
    };
  } catch {
    return noBranding;
  }
}

/** Returns the JSON to store; null if there is nothing. */
export const storedBranding = (branding: Branding): string | null =>
  branding.title === null && branding.thumbSeconds === null ? null : JSON.stringify(branding);

/** Returns the path of the frame of a video if there is one, relative to the cache folder. */
export async function communityThumbnailsOf(tx: Tx, videoId: string): Promise<string[]> {
  const row = await tx.selectFrom('video').select('branding').where('id', '=', videoId).executeTakeFirst();
  return row && parseBranding(row.branding).thumbSeconds !== null ? [communityThumbnailPath(videoId)] : [];
}
