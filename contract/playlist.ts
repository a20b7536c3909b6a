import { z } from 'zod';
import type { Contract } from './call.ts';
import { PageQuery, pageOf } from './page.ts';
import { flag, Id } from './values.ts';

export const Playlist = z.object({
  playlist_id: z.string(),
  playlist_name: z.string(),
  playlist_type: z.enum(['regular', 'custom']),
  playlist_active: z.boolean(),
  playlist_subscribed: z.boolean(),
  playlist_channel: z.string().nullable(),
  playlist_channel_id: z.string().nullable(),
  playlist_description: z.string().nullable(),
  playlist_thumbnail: z.string(),
  playlist_last_refresh: z.string(),
  playlist_sort_order: z.enum(['top', 'bottom']),
  playlist_entries: z.array(
    z.object({
      youtube_id: z.string(),
      title: z.string(),
      uploader: z.string().nullable(),
      idx: z.int(),
      downloaded: z.boolean(),
    }),
  ),
  _index: z.literal('ta_playlist'),
  _score: z.number(),
});
export type Playlist = z.infer<typeof Playlist>;

export const playlistCalls = {
  'GET /api/playlist/': {
    may: 'user',
    does: 'List playlists by name',
    query: z.object({
      ...PageQuery,
      channel: Id.optional(),
      subscribed: flag().optional(),
      type: z.enum(['regular', 'custom']).optional(),
    }),
    reply: pageOf(Playlist),
  },
  'GET /api/playlist/:id/': { may: 'user', does: 'One playlist with its entries', params: z.object({ id: Id }), reply: Playlist },
} satisfies Contract;
