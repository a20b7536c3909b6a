import { z } from 'zod';
import type { Contract } from './call.ts';
import { PageQuery, pageOf } from './page.ts';
import { Said } from './said.ts';
import { TaskReply } from './task.ts';
import { flag, flagOrNull, Id, text, VideoKind } from './values.ts';

/** Why a download did not work. */
export const FailureKind = z.enum([
  'blocked',
  'rate-limited',
  'cookie',
  'members-only',
  'age',
  'private',
  'gone',
  'geo',
  'not-yet',
  'format',
  'paid',
  'disk-full',
  'network',
  'refused',
  'incomplete',
  'ytdlp',
  'unknown',
]);
export type FailureKind = z.infer<typeof FailureKind>;

export const Download = z.object({
  youtube_id: z.string(),
  title: z.string(),
  channel_id: z.string(),
  channel_name: z.string(),
  channel_indexed: z.boolean(),
  duration: z.string(),
  published: z.string().nullable(),
  timestamp: z.int().nullable(),
  vid_type: z.enum(['videos', 'streams', 'shorts', 'unknown']),
  vid_thumb_url: z.string().nullable(),
  status: z.enum(['pending', 'ignore']),
  auto_start: z.boolean(),
  message: z.string().optional(),
  /** Ours: the message by its codes; absent where there is none. */
  message_said: Said.optional(),
  /** Ours: the class of the failure, beside its sentence. */
  failure: FailureKind.optional(),
  /** Ours: when it is tried again by itself; absent when only somebody's asking helps. */
  retry_at: z.int().optional(),
  /** Ours: it is being fetched right now. */
  running: z.boolean(),
  _index: z.literal('ta_download'),
  _score: z.number(),
});
export type Download = z.infer<typeof Download>;

const some = {
  channel: Id.optional(),
  vid_type: VideoKind.optional(),
};
// A client that is much used encodes it twice.
function decodedTwice(text: string) {
  try {
    return /%[0-9a-f]{2}/i.test(text) ? decodeURIComponent(text) : text;
  } catch {
    return text;
  }
}

const words = z
  .string()
  .max(1000)
  .transform(decodedTwice)
  .meta({ sent: { type: 'string', maxLength: 1000 }, gives: { type: 'string' } })
  .optional();

export const DownloadFilter = z.object({
  ...PageQuery,
  ...some,
  filter: z.enum(['pending', 'ignore']).optional(),
  q: words,
  error: flagOrNull(),
});
export type DownloadFilter = z.output<typeof DownloadFilter>;

const DownloadId = z.object({ id: Id });

/** Ours: a site that turned us away and is left alone for a while. */
export const SitePause = z.object({
  site: z.string(),
  until: z.int(),
  failure: FailureKind,
  message: z.string(),
  message_said: Said,
  times: z.int(),
});

/** Ours: how far the queue is. What is guessed is guessed from what came before, and null while that says nothing. */
export const Outlook = z.object({
  /** Waiting or being fetched; those that failed apart. */
  waiting: z.int(),
  failed: z.int(),
  /** A run is under way; what it archived so far. */
  running: z.boolean(),
  done: z.int(),
  bytes_left: z.int().nullable(),
  done_about: z.int().nullable(),
});

export const downloadCalls = {
  'GET /api/download/': { may: 'staff', does: 'List the queue', strict: true, query: DownloadFilter, reply: pageOf(Download) },
  'POST /api/download/': {
    may: 'staff',
    does: 'Add videos, channels or playlists to the queue',
    query: z.object({ autostart: flag().default(false), flat: flag().default(false), force: flag().default(false) }),
    body: z.object({
      data: z
        .array(z.object({ youtube_id: z.string().max(100_000), status: z.enum(['pending', 'ignore-force']).default('pending') }))
        .max(10_000),
    }),
    reply: TaskReply,
  },
  'PATCH /api/download/': {
    may: 'staff',
    does: 'Change everything in the queue that matches',
    /** Ours: `q`, words of the title. */
    query: z.object({ ...some, filter: z.enum(['pending', 'ignore', 'priority']), q: words, error: flagOrNull() }),
    /** Ours: `later`, no longer before the others. */
    body: z.object({ status: z.enum(['pending', 'ignore', 'priority', 'clear_error', 'later']) }),
  },
  'DELETE /api/download/': {
    may: 'staff',
    does: 'Forget everything in the queue that matches',
    query: z.object({ ...some, filter: z.enum(['pending', 'ignore']), q: words, error: flagOrNull() }),
  },
  'GET /api/download/aggs/': {
    may: 'staff',
    does: 'The channels with the most in the queue',
    query: z.object({ ...some, filter: z.enum(['pending', 'ignore']) }),
    reply: z.object({
      doc_count_error_upper_bound: z.literal(0),
      sum_other_doc_count: z.int(),
      buckets: z.array(z.object({ key: z.array(z.string()), key_as_string: z.string(), doc_count: z.int() })),
    }),
  },
  'GET /api/download/outlook/': {
    may: 'staff',
    does: 'How far the queue is: what waits, how much that is likely to be, and when it is likely to be done',
    reply: Outlook,
  },
  'GET /api/download/pauses/': { may: 'staff', does: 'Sites that are left alone for now', reply: z.array(SitePause) },
  'DELETE /api/download/pauses/:site/': {
    may: 'staff',
    does: 'Ask a site again now',
    params: z.object({ site: text(100) }),
  },
  'GET /api/download/:id/': { may: 'staff', does: 'One item of the queue', params: DownloadId, reply: Download },
  'POST /api/download/:id/': {
    may: 'staff',
    does: 'Change one item of the queue',
    params: DownloadId,
    body: z.object({ status: z.enum(['pending', 'ignore', 'ignore-force', 'priority', 'later']) }),
    reply: z.object({ status: text(20) }),
  },
  'DELETE /api/download/:id/': { may: 'staff', does: 'Forget one item of the queue', params: DownloadId },
} satisfies Contract;
