import { t } from '@lingui/core/macro';
import type { DownloadProgress, Notification } from '#contract/task.ts';
import { durationText, sizeText } from '#web/format/numbers.ts';
import { messageText } from '#web/i18n/message-text.ts';

/** Finds the progress of a running download. */
export const findDownload = (notices: Notification[], videoId: string): DownloadProgress | undefined =>
  notices.flatMap(({ downloads = [] }) => downloads).find(({ youtube_id: id }) => id === videoId);

/** Progress of the current file, 0 to 1. Undefined without a transfer of known size. */
export const shareOf = ({ bytes, total_bytes: total }: DownloadProgress): number | undefined =>
  bytes === null || !total ? undefined : Math.min(1, bytes / total);

/** Speed of a transfer, of bytes per second. */
export const speedText = (bytes: number, unit: Parameters<typeof sizeText>[1]) => t`${sizeText(bytes, unit)}/s`;

/** Describes the progress of a download: its stage, or what is transferred, the speed and the remaining time. */
export function progressText(
  { stage, stage_messages: messages, bytes, total_bytes: total, bytes_per_second: speed, seconds_left: left }: DownloadProgress,
  unit: Parameters<typeof sizeText>[1],
): string {
  if (bytes === null) return messageText(messages, stage);
  const size = (count: number) => sizeText(count, unit);
  const done = total === null ? size(bytes) : t`${size(bytes)} of ${size(total)}`;
  return [done, speed !== null && speedText(speed, unit), left !== null && t`${durationText(left)} left`]
    .filter(Boolean)
    .join(' · ');
}
