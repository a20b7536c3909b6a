import { z } from 'zod';
import type { Contract } from './endpoint.ts';
import { MessageJson } from './message-json.ts';
import { integer, text } from './field-types.ts';

/** Notification URLs of each task. They contain secrets: staff get them masked, other users only the scheme. `id` identifies a URL. */
export const NotifyTargets = z.record(
  z.string(),
  z.object({
    urls: z.array(z.string()),
    title: z.string(),
    targets: z.array(z.object({ id: z.int(), url: z.string() })),
  }),
);
export type NotifyTargets = z.infer<typeof NotifyTargets>;

export const NotifyTest = z.object({
  success: z.boolean(),
  message: z.string(),
  /** Not in TubeArchivist: `message` as ids with parameters. */
  messages: z.array(MessageJson),
});
export type NotifyTest = z.infer<typeof NotifyTest>;

const EventVideo = z.object({ id: z.string(), title: z.string() });
export type EventVideo = z.infer<typeof EventVideo>;
const EventChannel = z.object({ id: z.string(), name: z.string() });

/** Events that are sent besides task results, with their data in JSON webhooks (docs/webhooks.md). */
export const NotifyEvent = z.discriminatedUnion('event', [
  z.object({
    event: z.literal('video.archived'),
    data: z.object({
      video: EventVideo.extend({
        kind: z.enum(['videos', 'streams', 'shorts']),
        duration_seconds: z.number(),
        size_bytes: z.int(),
        /** Epoch seconds. */
        published: z.int(),
      }),
      channel: EventChannel,
    }),
  }),
  z.object({
    event: z.literal('video.failed'),
    data: z.object({
      video: EventVideo,
      channel: EventChannel,
      failure: z.string(),
      reason: z.string(),
      /** Epoch seconds; null = not automatically. */
      retry_at: z.int().nullable(),
    }),
  }),
  z.object({ event: z.literal('video.gone'), data: z.object({ video: EventVideo, reason: z.enum(['gone', 'private']) }) }),
  z.object({
    event: z.literal('subscription.new'),
    data: z.object({
      subscription: z.object({ kind: z.enum(['channel', 'playlist']), id: z.string(), name: z.string() }),
      count: z.int(),
      /** At most 50. */
      videos: z.array(EventVideo),
    }),
  }),
  z.object({
    event: z.literal('task.failed'),
    data: z.object({ task: z.object({ id: z.string(), name: z.string(), title: z.string() }), reason: z.string() }),
  }),
]);
export type NotifyEvent = z.infer<typeof NotifyEvent>;

const eventNames = NotifyEvent.options.map(({ shape }) => shape.event.value);

/** Name of a task or an event. */
const TaskName = text(100);
/** Apprise syntax: `ntfys://ntfy.sh/topic`, `mailtos://user:password@gmail.com` … */
const Url = text(2000);

export const notifyCalls = {
  'GET /api/task/notification/': {
    may: 'user',
    does: 'List notification URLs by task. Secrets are masked; users who are not staff get only the scheme',
    reply: NotifyTargets,
  },
  'POST /api/task/notification/': {
    may: 'staff',
    does: `Add a notification URL for a task or an event (${eventNames.join(', ')})`,
    body: z.object({ task_name: TaskName, url: Url }),
    reply: NotifyTargets,
  },
  'DELETE /api/task/notification/': {
    may: 'staff',
    does: 'Remove one notification URL of a task, or all of them. `url` may be complete or masked',
    body: z.object({
      task_name: TaskName,
      url: Url.nullish(),
      id: integer({ min: 1, max: Number.MAX_SAFE_INTEGER }).nullish(),
    }),
  },
  'POST /api/task/notification/test/': {
    may: 'staff',
    does: 'Send a test notification to a URL',
    body: z.object({ url: Url, task_name: TaskName.nullish() }),
    reply: NotifyTest,
    refusal: NotifyTest,
  },
} satisfies Contract;
