import { z } from 'zod';
import type { Contract } from './call.ts';
import { TaskReply } from './task.ts';
import { flag, Id, integer } from './values.ts';

const ids = z.array(Id).max(100_000).default([]);

export const refreshCalls = {
  'GET /api/refresh/': {
    may: 'staff',
    does: 'What waits to be brought up to date',
    query: z.object({ type: z.enum(['video', 'channel', 'playlist']).optional(), id: Id.optional() }),
    reply: z.object({ state: z.union([z.enum(['running', 'empty', 'in_queue']), z.literal(false)]), total_queued: z.int() }),
  },
  'POST /api/refresh/': {
    may: 'staff',
    does: 'Bring videos, channels or playlists up to date; without any, what is due',
    query: z.object({ extract_videos: flag().default(false) }),
    body: z.object({ video: ids, channel: ids, playlist: ids }).nullish(),
    reply: TaskReply,
  },
  'POST /api/refresh/undo/': {
    may: 'staff',
    does: 'Ours: take back that things were marked as gone, since a time or as one class',
    body: z.object({
      since: integer({ min: 0, max: 4_102_444_800 }).optional(),
      failure: z.enum(['gone', 'private']).optional(),
    }),
    reply: z.object({ video: z.int(), channel: z.int(), playlist: z.int() }),
  },
  'GET /api/video/:id/history/': {
    may: 'user',
    does: 'Ours: what a video was called, said of itself and looked like before, the latest first',
    params: z.object({ id: Id }),
    reply: z.array(z.object({ what: z.enum(['title', 'description', 'thumbnail']), until: z.int(), value: z.string() })),
  },
} satisfies Contract;
