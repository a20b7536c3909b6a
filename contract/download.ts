import { z } from 'zod';
import type { Contract } from './endpoint.ts';
import { PageQuery, pageOf } from './page.ts';
import { MessageJson } from './message-json.ts';
import { TaskReply } from './task.ts';
import { flag, flagOrNull, Id, text, VideoKind } from './field-types.ts';

/** Failure class of a download. */
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
  'storage',
  'ytdlp',
  'challenge',
  'token',
  'sabr',
  'impersonation',
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
  /** Not in TubeArchivist: `message` as ids with parameters. */
  failure_messages: z.array(MessageJson).optional(),
  /** Not in TubeArchivist: failure class. */
  failure: FailureKind.optional(),
  /** Not in TubeArchivist: time of the next automatic retry, epoch seconds; absent if there is none. */
  retry_at: z.int().optional(),
  /** Not in TubeArchivist: the download is running. */
  running: z.boolean(),
  /** Not in TubeArchivist: when the stream or premiere starts or has started, epoch seconds. */
  starts_at: z.int().optional(),
  /** Not in TubeArchivist: `running`, and its stream is recorded. */
  recording: z.literal(true).optional(),
  /** Not in TubeArchivist: listed by a subscription; scheduled runs do not download it. */
  listed_only: z.boolean(),
  /** Not in TubeArchivist: `duration` as a number; null while it is unknown. */
  duration_seconds: z.number().nullable(),
  /** Not in TubeArchivist: URL at the site. */
  url: z.string(),
  /** Not in TubeArchivist: site, as in the list of cooldowns. */
  site: z.string(),
  _index: z.literal('ta_download'),
  _score: z.number(),
});
export type Download = z.infer<typeof Download>;

const some = {
  channel: Id.optional(),
  vid_type: VideoKind.optional(),
};
// A common client encodes the query twice.
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
  /** Not in TubeArchivist: only streams and premieres that are announced, running or recorded. */
  live: flag().default(false),
});
export type DownloadFilter = z.output<typeof DownloadFilter>;

const DownloadId = z.object({ id: Id });

/** Not in TubeArchivist: cooldown of a site that blocked requests. */
export const SiteCooldown = z.object({
  site: z.string(),
  /** Network address of the servers that it concerns, as in the list of servers; empty: the usual one. */
  egress: z.string(),
  until: z.int(),
  failure: FailureKind,
  message: z.string(),
  /** `message` as ids with parameters. */
  failure_messages: z.array(MessageJson),
  times: z.int(),
});

/** Not in TubeArchivist: progress of the queue. Estimates come from earlier downloads and are null without enough data. */
export const Outlook = z.object({
  /** Waiting or downloading, without failed items. */
  waiting: z.int(),
  /** Waiting items that scheduled runs do not download. */
  listed_only: z.int(),
  failed: z.int(),
  /** A download run is active. */
  running: z.boolean(),
  /** Videos archived by the current run. */
  done: z.int(),
  /** Estimate. */
  bytes_left: z.int().nullable(),
  /** Estimated completion, epoch seconds. */
  done_about: z.int().nullable(),
});

export const downloadCalls = {
  'GET /api/download/': {
    may: 'staff',
    scope: 'download',
    does: 'List the download queue',
    strict: true,
    query: DownloadFilter,
    reply: pageOf(Download),
  },
  'POST /api/download/': {
    may: 'staff',
    scope: 'download',
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
    does: 'Update all matching queue items',
    /** Not in TubeArchivist: `q`, words of the title. */
    query: z.object({ ...some, filter: z.enum(['pending', 'ignore', 'priority']), q: words, error: flagOrNull() }),
    /** Not in TubeArchivist: `later` removes the priority. */
    body: z.object({ status: z.enum(['pending', 'ignore', 'priority', 'clear_error', 'later']) }),
  },
  'DELETE /api/download/': {
    may: 'staff',
    does: 'Remove all matching queue items',
    query: z.object({ ...some, filter: z.enum(['pending', 'ignore']), q: words, error: flagOrNull() }),
  },
  'GET /api/download/aggs/': {
    may: 'user',
    does: 'List the channels with the most queue items. `key` is in lower case, `channel_name` (Reelkeep) is the original name',
    query: z.object({ ...some, filter: z.enum(['pending', 'ignore']) }),
    reply: z.object({
      doc_count_error_upper_bound: z.literal(0),
      sum_other_doc_count: z.int(),
      buckets: z.array(
        z.object({ key: z.array(z.string()), key_as_string: z.string(), doc_count: z.int(), channel_name: z.string() }),
      ),
    }),
  },
  'GET /api/download/outlook/': {
    may: 'staff',
    does: 'Get the progress of the queue with the estimated size and completion time (Reelkeep)',
    reply: Outlook,
  },
  'GET /api/download/cooldowns/': { may: 'staff', does: 'List site cooldowns (Reelkeep)', reply: z.array(SiteCooldown) },
  'DELETE /api/download/cooldowns/:site/': {
    may: 'staff',
    does: 'End the cooldown of a site (Reelkeep)',
    params: z.object({ site: text(100) }),
  },
  'GET /api/download/:id/': { may: 'staff', scope: 'download', does: 'Get a queue item', params: DownloadId, reply: Download },
  'POST /api/download/:id/': {
    may: 'staff',
    does: 'Update a queue item',
    params: DownloadId,
    body: z.object({ status: z.enum(['pending', 'ignore', 'ignore-force', 'priority', 'later']) }),
    reply: z.object({ status: text(20) }),
  },
  'DELETE /api/download/:id/': { may: 'staff', does: 'Remove a queue item', params: DownloadId },
} satisfies Contract;
