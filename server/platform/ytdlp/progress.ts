/** Progress of a download. Unknown values are null. */
export interface Progress {
  /** The transfer of this file is complete; post-processing or another file follows. */
  isFinished: boolean;
  /** 0–1. */
  fraction: number | null;
  downloadedBytes: number;
  totalBytes: number | null;
  bytesPerSecond: number | null;
  secondsLeft: number | null;
  /** Of a transfer in fragments: the file, how many are in it, and how many there are now. */
  fragments?: { path: string; count: number; total: number };
}

const mark = 'reelkeep-progress ';

/** Beginnings of relevant output lines: progress (numbered, if several files are transferred at once), and messages of yt-dlp components. */
export const beginnings = [mark, '[', ...[1, 2, 3].map((line) => `${line}: ${mark}`)];

/** Progress template for yt-dlp. */
export const progressTemplate = `download:${mark}%(progress.{status,downloaded_bytes,total_bytes,total_bytes_estimate,speed,eta,filename,fragment_index,fragment_count})j`;

const positive = (value: unknown): number | null =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : null;

function fragmentsIn({ filename: path, fragment_index, fragment_count }: Record<string, unknown>): Pick<Progress, 'fragments'> {
  const count = positive(fragment_index);
  return typeof path === 'string' && count !== null
    ? { fragments: { path, count, total: positive(fragment_count) ?? count } }
    : {};
}

/** Parses a progress line; null for other or incomplete lines. */
export function readProgress(line: string): Progress | null {
  const at = line.indexOf(mark);
  if (at < 0) return null;
  let parsed: Record<string, unknown>;
  try {
    parsed = JSON.parse(line.slice(at + mark.length)) as Record<string, unknown>;
  } catch {
    return null;
  }
  if (typeof parsed !== 'object' || parsed === null) return null;
  const downloadedBytes = positive(parsed.downloaded_bytes) ?? 0;
  const totalBytes = positive(parsed.total_bytes) ?? positive(parsed.total_bytes_estimate);
  return {
    isFinished: parsed.status === 'finished',
    fraction: totalBytes ? Math.min(1, downloadedBytes / totalBytes) : null,
    downloadedBytes,
    totalBytes,
    bytesPerSecond: positive(parsed.speed),
    secondsLeft: positive(parsed.eta),
    ...fragmentsIn(parsed),
  };
}
