import { z } from 'zod';
import type { Contract } from './endpoint.ts';
import { FailureKind } from './download.ts';
import { MessageJson } from './message-json.ts';

const Problem = z.object({
  message: z.string(),
  /** `message` as ids with parameters. */
  messages: z.array(MessageJson),
  failure: FailureKind.nullable(),
});

/** What one link, id or @handle points to. Unknown facts are null. */
export const ResolvedItem = z.object({
  /** The part of the text. */
  text: z.string(),
  url: z.string(),
  /** `page`: a video or list of another site; `count` tells which, once it is known. */
  what: z.enum(['video', 'channel', 'playlist', 'page']),
  /** Public id of the video, channel or playlist. */
  id: z.string().nullable(),
  /** `known`: a channel or playlist in the database without a subscription. */
  state: z.enum(['archived', 'queued', 'ignored', 'subscribed', 'known', 'new']),
  name: z.string().nullable(),
  channel_name: z.string().nullable(),
  /** A path of this server or a data URL. */
  picture: z.string().nullable(),
  /** Number of videos of a list. */
  count: z.int().nullable(),
  /** The list was not counted to its end. */
  count_is_more: z.boolean(),
  /** Length of the video, or of all counted videos of the list. */
  duration_seconds: z.int().nullable(),
  /** Estimate from earlier downloads. */
  estimated_bytes: z.int().nullable(),
  /** Request to the site. `running`: ask again for the rest; `skipped`: only the first links of a text are looked up. */
  lookup: z.enum(['done', 'running', 'failed', 'skipped']),
  problem: Problem.nullable(),
});
export type ResolvedItem = z.infer<typeof ResolvedItem>;

export const resolveCalls = {
  'POST /api/resolve/': {
    may: 'staff',
    scope: 'download',
    does: 'Get what links, IDs and @handles point to; sites are asked in the background until 15 s after the last request (Reelkeep)',
    body: z.object({ text: z.string().max(100_000) }),
    reply: z.object({
      /** The first 50. */
      items: z.array(ResolvedItem),
      /** Number of different items in the text. */
      total: z.int(),
      /** The first 50 lines without a valid item. */
      invalid: z.array(z.object({ line: z.string(), message: z.string(), messages: z.array(MessageJson) })),
      invalid_total: z.int(),
    }),
  },
} satisfies Contract;
