import { FailureKind, type Download } from '#contract/download.ts';
import { saidBy } from '../http/said.ts';
import { durationText, isoTime } from '../time-text.ts';
import type { ItemRow } from './queue-store.ts';

/** An item of the queue as the API shows it. Its picture is the site's, so it is only shown once it has been fetched. */
export const shapeItem = (row: ItemRow, thumbnailUrl: string | null): Download => ({
  youtube_id: row.id,
  title: row.title,
  channel_id: row.channelId,
  channel_name: row.channelName,
  channel_indexed: row.indexedChannelId !== null,
  duration: durationText(row.durationSeconds),
  published: row.publishedAt === null ? null : isoTime(row.publishedAt),
  timestamp: row.queuedAt,
  vid_type: row.kind,
  vid_thumb_url: thumbnailUrl,
  status: row.status,
  auto_start: row.autoStart === 1,
  ...(row.message !== null && { message: row.message, message_said: saidBy(row.message) }),
  ...(row.failure !== null && { failure: FailureKind.catch('unknown').parse(row.failure) }),
  ...(row.failure !== null && row.retryAt !== null && { retry_at: row.retryAt }),
  running: row.leasedBy !== null,
  _index: 'ta_download',
  _score: 0,
});
