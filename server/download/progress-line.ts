import type { Progress } from '../ytdlp/progress.ts';

const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];

function sizeText(bytes: number): string {
  const place = Math.min(units.length - 1, bytes < 1 ? 0 : Math.floor(Math.log2(bytes) / 10));
  return `${(bytes / 1024 ** place).toFixed(2)}${units[place]}`;
}

function clock(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const tail = `${String(minutes).padStart(2, '0')}:${String(rest).padStart(2, '0')}`;
  return hours > 0 ? `${hours}:${tail}` : tail;
}

/** Where a download stands, as clients know it: `12.5% of 100.00MiB at 2.00MiB/s - time left: 00:44`. What is not known is left out. */
export function progressLine({ fraction, downloadedBytes, totalBytes, bytesPerSecond, secondsLeft }: Progress): string {
  const done =
    fraction !== null && totalBytes !== null
      ? `${(fraction * 100).toFixed(1)}% of ${sizeText(totalBytes)}`
      : sizeText(downloadedBytes);
  const speed = bytesPerSecond === null ? '' : ` at ${sizeText(bytesPerSecond)}/s`;
  const left = secondsLeft === null ? '' : ` - time left: ${clock(secondsLeft)}`;
  return `${done}${speed}${left}`;
}
