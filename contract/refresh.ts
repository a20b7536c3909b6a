import { z } from 'zod';
import type { Contract } from './endpoint.ts';
import { TaskReply } from './task.ts';
import { flag, Id } from './field-types.ts';

const ids = z.array(Id).max(100_000).default([]);

export const refreshCalls = {
  'GET /api/refresh/': {
    may: 'staff',
    does: 'Get the state of the metadata refresh queue',
    query: z.object({ type: z.enum(['video', 'channel', 'playlist']).optional(), id: Id.optional() }),
    reply: z.object({ state: z.union([z.enum(['running', 'empty', 'in_queue']), z.literal(false)]), total_queued: z.int() }),
  },
  'POST /api/refresh/': {
    may: 'staff',
    does: 'Refresh the metadata of videos, channels or playlists; without IDs, of all that are due',
    query: z.object({ extract_videos: flag().default(false) }),
    body: z.object({ video: ids, channel: ids, playlist: ids }).nullish(),
    reply: TaskReply,
  },
  'GET /api/video/:id/history/': {
    may: 'user',
    does: 'List earlier titles, descriptions and thumbnails of a video, newest first (Reelkeep)',
    params: z.object({ id: Id }),
    reply: z.array(z.object({ what: z.enum(['title', 'description', 'thumbnail']), until: z.int(), value: z.string() })),
  },
} satisfies Contract;
