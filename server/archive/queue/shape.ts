import { FailureKind, type Download } from '#contract/download.ts';
import { renderMessages } from '../../platform/messages/render.ts';
import { parseMessages } from '../../platform/messages/stored.ts';
import { formatDuration, formatIso } from '../../platform/lib/format-time.ts';
import type { ItemRow } from './items.ts';

const failureText = (column: string) => {
  const messages = parseMessages(column);
  return { message: renderMessages(messages), failure_messages: messages };
};

/** Serializes a queue item for the API. The thumbnail is included only once it was fetched, because its original is at the site. */
export const serializeItem = (row: ItemRow, thumbnailUrl: string | null): Download => ({
  youtube_id: row.id,
  title: row.title,
  channel_id: row.channelId,
  channel_name: row.channelName,
  channel_indexed: row.indexedChannelId !== null,
  duration: formatDuration(row.durationSeconds),
  duration_seconds: row.durationSeconds,
  published: row.publishedAt === null ? null : formatIso(row.publishedAt),
  timestamp: row.queuedAt,
  vid_type: row.kind,
  vid_thumb_url: thumbnailUrl,
  status: row.status,
  auto_start: row.autoStart === 1,
  ...(row.message !== null && failureText(row.message)),
  ...(row.failure !== null && { failure: FailureKind.catch('unknown').parse(row.failure) }),
  ...(row.failure !== null && row.retryAt !== null && { retry_at: row.retryAt }),
  running: row.leasedBy !== null,
  ...(row.startsAt !== null && { starts_at: row.startsAt }),
  ...(row.leasedBy !== null && row.isRecording === 1 && { recording: true }),
  listed_only: row.isOnRequest === 1,
  url: row.url,
  site: row.site,
  _index: 'ta_download',
  _score: 0,
});
