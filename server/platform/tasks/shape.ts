import type { DownloadProgress, Notification, TaskResult } from '#contract/task.ts';
import type { Selectable } from 'kysely';
import type { TaskTable } from '../db/schema/tables.ts';
import type { DownloadReport, Report, TaskDefinition } from '../context/task.ts';
import { mapTexts } from '../messages/map-texts.ts';
import { renderMessages } from '../messages/render.ts';
import { parseMessages } from '../messages/stored.ts';

const serializeDownload = ({ videoId, title, stage, transfer }: DownloadReport): DownloadProgress => ({
  youtube_id: videoId,
  title,
  stage: renderMessages(stage),
  stage_messages: [stage],
  bytes: transfer?.bytes ?? null,
  total_bytes: transfer?.totalBytes ?? null,
  bytes_per_second: transfer?.bytesPerSecond ?? null,
  seconds_left: transfer?.secondsLeft ?? null,
});

/** Serializes a run as a notification. Tasks without a group have none. */
export function serializeNotification(
  row: Selectable<TaskTable>,
  definition: TaskDefinition | undefined,
): Notification | undefined {
  if (!definition || definition.group === '') return undefined;
  const { messages, downloads } = JSON.parse(row.messages) as Report;
  return {
    id: row.id,
    name: row.name,
    title: definition.title,
    group: definition.group,
    api_start: definition.isStartable,
    api_stop: definition.isStoppable && (row.status === 'running' || row.status === 'pending'),
    ...(definition.isPausable && { api_pause: row.status === 'running' || row.status === 'pending' }),
    level: row.isError ? 'error' : 'info',
    messages: messages.map(renderMessages),
    lines: messages,
    ...(downloads && { downloads: downloads.map(serializeDownload) }),
    ...(row.progress !== null && { progress: row.progress }),
    ...(row.command !== null && { command: row.command }),
  };
}

/** Masks URLs for users who are not staff. */
export function withoutLinks(notification: Notification): Notification {
  const withoutUrls = (text: string) => text.replace(/\bhttps?:\/\/\S+/gi, '…');
  const { messages, lines, downloads } = notification;
  return {
    ...notification,
    messages: messages.map(withoutUrls),
    ...(lines && { lines: mapTexts(lines, withoutUrls) }),
    ...(downloads && { downloads: downloads.map((download) => ({ ...download, title: withoutUrls(download.title) })) }),
  };
}

const statusOf = { pending: 'PENDING', running: 'PENDING', success: 'SUCCESS', failure: 'FAILURE', stopped: 'REVOKED' } as const;

/** Serializes the result of a run. While it is running: PENDING and "False", as clients of the TubeArchivist API expect. */
export function serializeResult(row: Selectable<TaskTable>): TaskResult {
  return {
    task_id: row.id,
    name: row.name,
    status: statusOf[row.status],
    result: row.result === null ? null : renderMessages(parseMessages(row.result)),
    traceback: null,
    date_done: row.endedAt === null ? 'False' : new Date(row.endedAt * 1000).toISOString().replace('.000Z', ''),
  };
}
