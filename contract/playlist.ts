import { z } from 'zod';
import type { Contract } from './endpoint.ts';
import { SubscriptionChoices } from './channel.ts';
import { PageQuery, pageOf } from './page.ts';
import { TaskReply } from './task.ts';
import { flag, flagOrNull, Id, text } from './field-types.ts';

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
  /** Not in TubeArchivist: new entries are downloaded (true) or only listed (false); null = application setting. */
  playlist_auto_start: z.boolean().nullable(),
  /** Not in TubeArchivist: user name of the owner of a custom playlist; null for others. */
  playlist_owner: z.string().nullable(),
  /** Not in TubeArchivist: visible to all users. */
  playlist_is_shared: z.boolean(),
  /** Not in TubeArchivist: a custom playlist that the caller may change. */
  playlist_can_edit: z.boolean(),
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
      ...SubscriptionChoices,
    }),
    reply: TaskReply,
  },
  'POST /api/playlist/custom/': {
    may: 'user',
    does: 'Create a custom playlist; only its creator sees it unless it is shared',
    body: z.object({ playlist_name: text(500), is_shared: flag().default(false) }),
    reply: Playlist,
  },
  'POST /api/playlist/custom/:id/': {
    may: 'user',
    does: 'Add, remove or move a video in a custom playlist',
    params: PlaylistId,
    body: z.object({ action: z.enum(['create', 'remove', 'up', 'down', 'top', 'bottom']), video_id: Id }),
    reply: Playlist,
  },
  'POST /api/playlist/custom/:id/sharing/': {
    may: 'user',
    does: 'Share a custom playlist of the caller with all users, or make it private (Reelkeep)',
    params: PlaylistId,
    body: z.object({ is_shared: flag() }),
    reply: Playlist,
  },
  'GET /api/playlist/:id/': { may: 'user', does: 'Get a playlist with its entries', params: PlaylistId, reply: Playlist },
  'POST /api/playlist/:id/': {
    may: 'staff',
    does: 'Subscribe to a playlist, unsubscribe from it, or set its sort order',
    params: PlaylistId,
    body: z.object({
      playlist_subscribed: flag().optional(),
      playlist_sort_order: z.enum(['top', 'bottom']).optional(),
      /** Not in TubeArchivist: see `auto_start` of a new subscription; null = application setting. */
      playlist_auto_start: flag().nullable().optional(),
      back_catalogue: SubscriptionChoices.back_catalogue,
    }),
    reply: Playlist,
  },
  'DELETE /api/playlist/:id/': {
    may: 'user',
    does: 'Delete a playlist; `delete_videos` also deletes its videos. Users without the staff role may delete their own playlists',
    confirmed: true,
    params: PlaylistId,
    query: z.object({ delete_videos: flag().default(false) }),
  },
} satisfies Contract;
