import { z } from 'zod';
import type { Contract } from './call.ts';
import { PageQuery, pageOf } from './page.ts';
import { flag, integer, text } from './values.ts';
import { VideoFilter } from './video.ts';

// Ours: filters that people keep under a name.

const Known = VideoFilter.omit({ page: true }).strict();

/** The words of `GET /api/video/` but the page, as they stand in its query. A word that is not known is refused. */
const KeptFilter = z.record(z.string(), z.string().max(200)).superRefine((words, context) => {
  const { error } = Known.safeParse(words);
  for (const issue of error?.issues ?? []) context.addIssue({ code: 'custom', message: issue.message, path: issue.path });
});

export const SmartList = z.object({
  id: z.int(),
  name: z.string(),
  filter: z.record(z.string(), z.string()),
  /** Everybody here sees it. */
  is_shared: z.boolean(),
  /** Of the caller; others' are to look at. */
  is_own: z.boolean(),
  /** Whose it is. */
  owner: z.string(),
  /** When the caller looked at it last, epoch seconds; until then, since when there is the list. */
  visited: z.int(),
  /** How much came since then that the caller has not watched; of the newest 500 of the archive at most. */
  new_videos: z.int(),
});
export type SmartList = z.infer<typeof SmartList>;

const ListId = z.object({ id: integer({ min: 1, max: Number.MAX_SAFE_INTEGER }) });
const name = text(100);

export const listCalls = {
  'GET /api/list/': {
    may: 'user',
    does: "Ours: the caller's smart lists and those that others share, by name, a hundred on a page",
    query: z.object(PageQuery),
    reply: pageOf(SmartList),
  },
  'POST /api/list/': {
    may: 'user',
    does: 'Ours: keep a filter, sort and order as a smart list',
    body: z.object({ name, filter: KeptFilter, is_shared: flag().default(false) }),
    reply: SmartList,
  },
  'GET /api/list/:id/': { may: 'user', does: 'Ours: one smart list', params: ListId, reply: SmartList },
  'POST /api/list/:id/': {
    may: 'user',
    does: 'Ours: change the name of a smart list of your own, what it shows, or whether everybody sees it',
    params: ListId,
    body: z.object({ name: name.optional(), filter: KeptFilter.optional(), is_shared: flag().optional() }),
    reply: SmartList,
  },
  'DELETE /api/list/:id/': { may: 'user', does: 'Ours: delete a smart list of your own; its videos stay', params: ListId },
  'POST /api/list/:id/visit/': {
    may: 'user',
    does: 'Ours: the caller looks at it: nothing in it is new any more',
    params: ListId,
  },
} satisfies Contract;
