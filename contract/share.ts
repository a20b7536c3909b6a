import { z } from 'zod';
import type { Contract } from './endpoint.ts';
import { flag, Id, integer } from './field-types.ts';
import { PageQuery, pageOf } from './page.ts';
import { Chapter } from './video.ts';

// Share links for people without an account, and playlists for players. Not in TubeArchivist.

const ShareType = z.enum(['video', 'playlist']);
const Numbered = integer({ min: 1, max: Number.MAX_SAFE_INTEGER });
const Password = z.string().min(1).max(1000);

export const ShareLink = z.object({
  id: z.int(),
  type: ShareType,
  target: z.string(),
  /** Title; null if the target was deleted or is no longer visible to the owner. */
  name: z.string().nullable(),
  /** Secret address; null for links of other users and for API tokens. */
  url: z.string().nullable(),
  /** User name of the owner. */
  owner: z.string(),
  is_own: z.boolean(),
  has_password: z.boolean(),
  download: z.boolean(),
  /** Epoch seconds; null: never. */
  expires: z.int().nullable(),
  /** `off`: its owner may not share at the moment. */
  state: z.enum(['active', 'expired', 'off']),
  views: z.int(),
  last_viewed: z.int().nullable(),
  created: z.int(),
});
export type ShareLink = z.infer<typeof ShareLink>;

const SharedVideo = z.object({
  id: z.string(),
  title: z.string(),
  channel: z.string(),
  description: z.string().nullable(),
  published: z.int(),
  duration: z.int(),
  is_audio: z.boolean(),
  media_url: z.string(),
  thumb_url: z.string(),
  subtitles: z.array(z.object({ lang: z.string(), name: z.string(), url: z.string() })),
  chapters: z.array(Chapter),
});
export type SharedVideo = z.infer<typeof SharedVideo>;

/** Content of a share link, for its page. */
export const SharedContent = z.object({
  type: ShareType,
  name: z.string(),
  expires: z.int().nullable(),
  download: z.boolean(),
  /** Number of all videos; `videos` is one page of them. */
  total: z.int(),
  videos: z.array(SharedVideo),
  /** Playlist for players such as VLC and mpv. */
  m3u_url: z.string(),
});
export type SharedContent = z.infer<typeof SharedContent>;

const Secret = { secret: z.string().max(100) };
const SharedFile = z.object({ ...Secret, access: z.string().max(100), video: Id, name: z.string().max(300) });

export const shareCalls = {
  'GET /api/share/': {
    may: 'user',
    does: "List the caller's share links, newest first; for staff, those of all users (Reelkeep)",
    query: z.object(PageQuery),
    reply: pageOf(ShareLink),
  },
  'POST /api/share/': {
    may: 'user',
    bySession: true,
    proven: true,
    does: 'Share a video or playlist with people without an account. Requires the permission to share (Reelkeep)',
    body: z.object({
      type: ShareType,
      id: Id,
      /** Epoch seconds; null: never. */
      expires: integer({ min: 0, max: 100_000_000_000 }).nullable(),
      password: Password.nullish(),
      download: flag().default(false),
    }),
    reply: z.object({ id: z.int(), url: z.string() }),
  },
  'DELETE /api/share/:id/': {
    may: 'user',
    does: 'Revoke a share link of the caller; staff may revoke any (Reelkeep)',
    params: z.object({ id: Numbered }),
  },
  'POST /api/share/:secret/open/': {
    may: 'anyone',
    secret: true,
    does: 'Get the content of a share link, 50 videos per page (Reelkeep)',
    params: z.object(Secret),
    body: z.object({ password: Password.optional(), page: PageQuery.page }),
    reply: SharedContent,
  },
  'GET /shared/:secret/': {
    may: 'anyone',
    secret: true,
    does: 'Show the page of a share link. Players, which do not accept HTML, are redirected to its media (Reelkeep)',
    params: z.object(Secret),
    redirects: true,
    bytes: 'out',
    type: 'text/html',
  },
  'GET /shared/:secret/:access/list.m3u8/': {
    may: 'anyone',
    secret: true,
    does: 'Get the playlist of a share link for players (Reelkeep)',
    params: z.object({ ...Secret, access: z.string().max(100) }),
    bytes: 'out',
    type: 'audio/x-mpegurl',
  },
  'GET /shared/:secret/:access/:video/:name/': {
    may: 'anyone',
    secret: true,
    does: 'Get a file of a shared video (Reelkeep)',
    params: SharedFile,
    query: z.object({ download: z.string().optional() }),
    bytes: 'out',
    type: '*/*',
  },
} satisfies Contract;

const m3u = {
  may: 'user',
  bytes: 'out',
  type: 'audio/x-mpegurl',
} as const;
const signed = 'with signed URLs that need no login; `Content-Location` is the signed address of the list itself (Reelkeep)';

export const m3uCalls = {
  'GET /api/channel/:id/m3u/': { ...m3u, does: `Get the videos of a channel as M3U ${signed}`, params: z.object({ id: Id }) },
  'GET /api/playlist/:id/m3u/': { ...m3u, does: `Get the videos of a playlist as M3U ${signed}`, params: z.object({ id: Id }) },
  'GET /m3u/:type/:name/': {
    may: 'anyone',
    secret: true,
    does: 'Get the M3U at its signed address (Reelkeep)',
    params: z.object({ type: z.enum(['channel', 'playlist', 'list']), name: z.string().max(300) }),
    bytes: 'out',
    type: m3u.type,
  },
  'GET /api/list/:id/m3u/': {
    ...m3u,
    does: `Get the videos of a smart list as M3U ${signed}`,
    params: z.object({ id: Numbered }),
  },
} satisfies Contract;
