import { randomUUID } from 'node:crypto';
import type { EventVideo, NotifyEvent } from '#contract/notify.ts';
import type { FailureKind } from '#contract/download.ts';
import { messages, type Message } from '#contract/messages.ts';
import type { Db } from '../../platform/db/db.ts';
import { renderMessages } from '../../platform/messages/render.ts';
import { queueMessage, type Notification } from './queue-message.ts';

// Videos listed in the event of one scan; its `count` is their total number.
const maxVideos = 50;

const countText = (count: number) => `${count} new ${count === 1 ? 'video' : 'videos'}`;

/** Returns the text that services without JSON show. */
function textOf(event: NotifyEvent): Pick<Notification, 'title' | 'body' | 'kind'> {
  const title = messages[`event.${event.event}`];
  switch (event.event) {
    case 'video.archived':
      return { title, body: `${event.data.video.title} (${event.data.channel.name})`, kind: 'success' };
    case 'video.failed':
      return { title, body: `${event.data.video.title}: ${event.data.reason}`, kind: 'failure' };
    case 'video.gone':
      return { title, body: event.data.video.title, kind: 'info' };
    case 'subscription.new':
      return {
        title: `${countText(event.data.count)}: ${event.data.subscription.name}`,
        body: event.data.videos.map(({ title }) => title).join('\n'),
        kind: 'info',
      };
    case 'task.failed':
      return { title: `Failed: ${event.data.task.title}`, body: event.data.reason, kind: 'failure' };
  }
}

/** Queues an event for its targets. Part of the caller's transaction. `at`: epoch seconds. */
export async function queueEvent(db: Db, event: NotifyEvent, at: number): Promise<void> {
  const { title, ...text } = textOf(event);
  await queueMessage(db, event.event, {
    id: randomUUID(),
    title: `[Reelkeep] ${title}`,
    ...text,
    task: null,
    event: event.event,
    data: event.data,
    at,
  });
}

interface FailedItem {
  id: string;
  title: string;
  channelId: string;
  channelName: string;
}

/** Queues the event of a failed download. `retryAt`: epoch seconds; null: not automatically. */
export const queueDownloadFailure = (
  db: Db,
  { id, title, channelId, channelName }: FailedItem,
  { kind, message, retryAt }: { kind: FailureKind; message: Message; retryAt: number | null },
  at: number,
): Promise<void> =>
  queueEvent(
    db,
    {
      event: 'video.failed',
      data: {
        video: { id, title },
        channel: { id: channelId, name: channelName },
        failure: kind,
        reason: renderMessages(message),
        retry_at: retryAt,
      },
    },
    at,
  );

/** Queues the event of a scan that has found new videos. */
export async function queueNewVideos(
  db: Db,
  subscription: { kind: 'channel' | 'playlist'; id: string; name: string },
  videos: EventVideo[],
  at: number,
): Promise<void> {
  if (videos.length === 0) return;
  const data = { subscription, count: videos.length, videos: videos.slice(0, maxVideos) };
  await queueEvent(db, { event: 'subscription.new', data }, at);
}
