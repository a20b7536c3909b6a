import { z } from 'zod';
import type { Contract } from './endpoint.ts';
import { PageQuery, pageOf } from './page.ts';

/** The archived tracks of an album. Videos of the same album name and first artist belong together. */
export const Album = z.object({
  album: z.string(),
  /** The first artist of its tracks; null if none is known. */
  artist: z.string().nullable(),
  videos: z.int(),
  /** First and last year of its tracks; null if unknown. */
  year_from: z.int().nullable(),
  year_to: z.int().nullable(),
  /** The first track. */
  youtube_id: z.string(),
  vid_thumb_url: z.string(),
  /** The playlist of a site that consists of these tracks, in their order; null if there is none. */
  playlist: z.string().nullable(),
});
export type Album = z.infer<typeof Album>;

export const albumCalls = {
  'GET /api/album/': {
    may: 'user',
    does: 'List the albums of archived music by name. Those of several artists with one name are on one page, which is longer then (Reelkeep)',
    query: z.object(PageQuery),
    reply: pageOf(Album),
  },
} satisfies Contract;
