import { z } from 'zod';
import type { Contract } from './call.ts';
import { PageQuery, pageOf } from './page.ts';
import { TaskReply } from './task.ts';
import { flag, flagOrNull, Id, text } from './values.ts';

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

const PlaylistId = z.object({ id: Id });

export const playlistCalls = {
  'GET /api/playlist/': {
    may: 'user',
    does: 'List playlists by name',
    query: z.object({
      ...PageQuery,
      channel: Id.optional(),
      subscribed: flagOrNull(),
      type: z.enum(['regular', 'custom']).optional(),
    }),
    reply: pageOf(Playlist),
  },
  'POST /api/playlist/': {
    may: 'staff',
    does: 'Subscribe to playlists',
    body: z.object({
      data: z
        .array(
          z.object({
            playlist_id: z.string().max(100_000),
            playlist_subscribed: flag().refine((on) => on, '"False" is not a valid choice.'),
          }),
        )
        .min(1, 'nothing to subscribe')
        .max(10_000),
    }),
    reply: TaskReply,
  },
  'POST /api/playlist/custom/': {
    may: 'user',
    does: 'Make a playlist of your own',
    body: z.object({ playlist_name: text(500) }),
    reply: Playlist,
  },
  'POST /api/playlist/custom/:id/': {
    may: 'user',
    does: 'Add a video to a playlist of your own, take it out, or move it',
    params: PlaylistId,
    body: z.object({ action: z.enum(['create', 'remove', 'up', 'down', 'top', 'bottom']), video_id: Id }),
    reply: Playlist,
  },
  'GET /api/playlist/:id/': { may: 'user', does: 'One playlist with its entries', params: PlaylistId, reply: Playlist },
  'POST /api/playlist/:id/': {
    may: 'staff',
    does: 'Subscribe to a playlist or not, or choose its order',
    params: PlaylistId,
    body: z.object({ playlist_subscribed: flag().optional(), playlist_sort_order: z.enum(['top', 'bottom']).optional() }),
    reply: Playlist,
  },
  'DELETE /api/playlist/:id/': {
    may: 'staff',
    does: 'Delete a playlist; with its videos when asked',
    confirmed: true,
    params: PlaylistId,
    query: z.object({ delete_videos: flag().default(false) }),
  },
} satisfies Contract;
