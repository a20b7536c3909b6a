import { z } from 'zod';
import type { Contract } from './endpoint.ts';
import { PageQuery, pageOf } from './page.ts';
import { flag, integer, text } from './field-types.ts';
import { VideoFilter } from './video.ts';

// Smart lists: saved filters. Not in TubeArchivist.

const Known = VideoFilter.omit({ page: true }).strict();

/** Query parameters of `GET /api/video/` except `page`. Unknown parameters are rejected. */
const SavedFilter = z.record(z.string(), z.string().max(200)).superRefine((words, context) => {
  const { error } = Known.safeParse(words);
  for (const issue of error?.issues ?? []) context.addIssue({ code: 'custom', message: issue.message, path: issue.path });
});

export const SmartList = z.object({
  id: z.int(),
  name: z.string(),
  filter: z.record(z.string(), z.string()),
  /** Visible to all users. */
  is_shared: z.boolean(),
  /** Owned by the caller; lists of other users are read-only. */
  is_own: z.boolean(),
  /** User name of the owner. */
  owner: z.string(),
  /** Last visit of the caller, epoch seconds; before the first visit, the creation time. */
  visited: z.int(),
  /** Unwatched videos archived since then, among the newest 500 of the archive. */
  new_videos: z.int(),
});
export type SmartList = z.infer<typeof SmartList>;

const ListId = z.object({ id: integer({ min: 1, max: Number.MAX_SAFE_INTEGER }) });
const name = text(100);

export const smartListCalls = {
  'GET /api/list/': {
    may: 'user',
    does: "List the caller's and shared smart lists by name, 100 per page (Reelkeep)",
    query: z.object(PageQuery),
    reply: pageOf(SmartList),
  },
  'POST /api/list/': {
    may: 'user',
    does: 'Save a filter, sort and order as a smart list (Reelkeep)',
    body: z.object({ name, filter: SavedFilter, is_shared: flag().default(false) }),
    reply: SmartList,
  },
  'GET /api/list/:id/': { may: 'user', does: 'Get a smart list (Reelkeep)', params: ListId, reply: SmartList },
  'POST /api/list/:id/': {
    may: 'user',
    does: 'Update the name, filter or visibility of a smart list of the caller (Reelkeep)',
    params: ListId,
    body: z.object({ name: name.optional(), filter: SavedFilter.optional(), is_shared: flag().optional() }),
    reply: SmartList,
  },
  'DELETE /api/list/:id/': {
    may: 'user',
    does: 'Delete a smart list of the caller; its videos are kept (Reelkeep)',
    params: ListId,
  },
  'POST /api/list/:id/visit/': {
    may: 'user',
    does: 'Record a visit of the caller, which resets the number of new videos (Reelkeep)',
    params: ListId,
  },
} satisfies Contract;
