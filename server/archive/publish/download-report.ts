import { message, plainText, type Message } from '#contract/messages.ts';
import type { Report } from '../../platform/context/task.ts';
import type { QueueItem } from '../queue/claims.ts';
import type { Progress } from '../../platform/ytdlp/progress.ts';

const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];

function formatBytes(bytes: number): string {
  const unit = Math.min(units.length - 1, bytes < 1 ? 0 : Math.floor(Math.log2(bytes) / 10));
  return `${(bytes / 1024 ** unit).toFixed(2)}${units[unit]}`;
}

/** Formats seconds: `1:02:03` or `02:03`. */
export function formatClock(seconds: number): string {
  const total = Math.max(0, Math.round(seconds));
  const [hours, minutes, secondsPart] = [Math.floor(total / 3600), Math.floor(total / 60) % 60, total % 60];
  const tail = `${String(minutes).padStart(2, '0')}:${String(secondsPart).padStart(2, '0')}`;
  return hours > 0 ? `${hours}:${tail}` : tail;
}

/**
 * Formats the progress of a download as API clients expect it: `12.5% of 100.00MiB at 2.00MiB/s - time left: 00:44`. Unknown
 * values are omitted.
 */
export function formatProgress({ fraction, downloadedBytes, totalBytes, bytesPerSecond, secondsLeft }: Progress): string {
  const done =
    fraction !== null && totalBytes !== null
      ? `${(fraction * 100).toFixed(1)}% of ${formatBytes(totalBytes)}`
      : formatBytes(downloadedBytes);
  const speed = bytesPerSecond === null ? '' : ` at ${formatBytes(bytesPerSecond)}/s`;
  const left = secondsLeft === null ? '' : ` - time left: ${formatClock(secondsLeft)}`;
  return `${done}${speed}${left}`;
}

/** Report of a stage without a transfer. */
export const stageReport = ({ id, title }: Pick<QueueItem, 'id' | 'title'>, stage: Message): Report => ({
  messages: [plainText(title), stage],
  downloads: [{ videoId: id, title, stage }],
});

/** Report of a transfer. */
export const transferReport = ({ id, title }: Pick<QueueItem, 'id' | 'title'>, now: Progress): Report => ({
  messages: [plainText(title), plainText(formatProgress(now))],
  downloads: [
    {
      videoId: id,
      title,
      stage: message('download.transferring'),
      transfer: {
        bytes: now.downloadedBytes,
        totalBytes: now.totalBytes,
        bytesPerSecond: now.bytesPerSecond,
        secondsLeft: now.secondsLeft,
      },
    },
  ],
  ...(now.fraction !== null && { progress: now.fraction }),
});
