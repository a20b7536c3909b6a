/** Where a download stands. What the site does not tell is null. */
export interface Progress {
  /** 0–1. */
  fraction: number | null;
  downloadedBytes: number;
  totalBytes: number | null;
  bytesPerSecond: number | null;
  secondsLeft: number | null;
}

const mark = 'reelkeep-progress ';

/** How the lines of a download begin that mean something to us: progress, and what one of its parts says. */
export const beginnings = [mark, '['];

/** What yt-dlp is told to print for each step of a download. */
export const progressTemplate = `download:${mark}%(progress.{status,downloaded_bytes,total_bytes,total_bytes_estimate,speed,eta})j`;

const positive = (value: unknown): number | null =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : null;

/** Reads a line that was printed by the template; null when it is another line, or broken. */
export function readProgress(line: string): Progress | null {
  const at = line.indexOf(mark);
  if (at < 0) return null;
  let said: Record<string, unknown>;
  try {
    said = JSON.parse(line.slice(at + mark.length)) as Record<string, unknown>;
  } catch {
    return null;
  }
  if (typeof said !== 'object' || said === null) return null;
  const downloadedBytes = positive(said.downloaded_bytes) ?? 0;
  const totalBytes = positive(said.total_bytes) ?? positive(said.total_bytes_estimate);
  return {
    fraction: totalBytes ? Math.min(1, downloadedBytes / totalBytes) : null,
    downloadedBytes,
    totalBytes,
    bytesPerSecond: positive(said.speed),
    secondsLeft: positive(said.eta),
  };
}
