import { z } from 'zod';
import type { Contract } from './endpoint.ts';
import { WantedSounds } from './rendition.ts';
import { TaskReply } from './task.ts';
import { flag, Id, integer } from './field-types.ts';
import { VideoFilter } from './video.ts';
import { TagName } from './tag.ts';

// Bulk actions on all videos that match a filter (not in TubeArchivist). The query is that of the video list. Unknown
// parameters are rejected: a misspelled filter would match everything.

const query = VideoFilter.omit({ page: true });
export type BulkFilter = z.output<typeof query>;
const Done = z.object({ videos: z.int() });

export const bulkCalls = {
  'GET /api/video/bulk/': {
    may: 'user',
    does: 'Count the videos that match a filter, with their total size (Reelkeep)',
    strict: true,
    query,
    reply: z.object({ videos: z.int(), media_size: z.int() }),
  },
  'POST /api/video/bulk/watched/': {
    may: 'user',
    scope: 'watch',
    does: 'Mark all matching videos as watched or unwatched for the caller; returns their number and an undo token that is valid for two minutes (Reelkeep)',
    strict: true,
    query,
    body: z.object({ is_watched: flag() }),
    reply: Done.extend({ undo: z.string() }),
  },
  'POST /api/video/bulk/undo/': {
    may: 'user',
    scope: 'watch',
    does: 'Undo the caller’s last bulk mark: restores dates and positions, except for videos that changed since (Reelkeep)',
    strict: true,
    body: z.object({ undo: z.string().max(100) }),
    reply: Done,
  },
  'POST /api/video/bulk/playlist/': {
    may: 'user',
    does: 'Add all matching videos to a custom playlist, in the order of the list; returns the number of new entries (Reelkeep)',
    strict: true,
    query,
    body: z.object({ playlist_id: Id }),
    reply: Done,
  },
  'POST /api/video/bulk/tag/': {
    may: 'user',
    scope: 'notes',
    does: 'Add a private tag of the caller to all matching videos; returns the number of those without it before (Reelkeep)',
    strict: true,
    query,
    body: z.object({ tag: TagName }),
    reply: Done,
  },
  'POST /api/video/bulk/protect/': {
    may: 'staff',
    does: 'Protect all matching videos from cleanup rules, or remove the protection; returns their number (Reelkeep)',
    strict: true,
    query,
    body: z.object({ is_protected: flag() }),
    reply: Done,
  },
  'POST /api/video/bulk/redownload/': {
    may: 'staff',
    does: 'Download all matching videos again; returns the number of videos that can be downloaded (Reelkeep)',
    strict: true,
    query,
    reply: Done,
  },
  'POST /api/video/bulk/sounds/': {
    may: 'staff',
    does: 'Fetch sound tracks in more languages for all matching videos, in the background (Reelkeep)',
    strict: true,
    conflict: 'sound tracks are being fetched already',
    query,
    body: WantedSounds,
    reply: TaskReply,
  },
  'POST /api/video/bulk/delete/': {
    may: 'staff',
    does: 'Delete all matching videos in the background. `videos` is their expected number; the request is rejected if more match (Reelkeep)',
    confirmed: true,
    strict: true,
    query,
    body: z.object({ videos: integer({ min: 0, max: 100_000_000 }), ignore: flag().default(false) }),
    reply: TaskReply,
  },
} satisfies Contract;
