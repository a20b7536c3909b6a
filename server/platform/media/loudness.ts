import { dirname } from 'node:path';
import { run } from '../process/run.ts';
import { fromMedia, type Ffmpeg } from './ffmpeg.ts';

/** Loudness of a sound track (EBU R 128). */
export interface Loudness {
  /** Integrated loudness. */
  lufs: number;
  /** Highest true peak in dBTP; 0 is full scale. */
  truePeak: number;
}

// The scale ends here: the track is silent, or shorter than a measured block.
const silent = -70;
const summaryLength = 2000;

/**
 * Measures the loudness of one sound track, decoded to its end with one idle thread; `index`: its stream index. Returns null for a silent
 * one.
 * @throws ProcessError if it cannot be decoded
 */
export async function measureLoudness(
  { ffmpeg }: Ffmpeg,
  path: string,
  index: number,
  signal: AbortSignal,
): Promise<Loudness | null> {
  let summary = '';
  const input = ['-nostdin', '-hide_banner', '-nostats', '-threads', '1', ...fromMedia(path), '-map', `0:${index}`];
  // A line for each tenth of a second would be logged otherwise; Debian's ffmpeg 5 does not know `framelog=quiet`.
  const filter = ['-filter_threads', '1', '-af', 'ebur128=peak=true:framelog=verbose', '-f', 'null', '-'];
  await run(ffmpeg, [...input, ...filter], {
    cwd: dirname(path),
    signal,
    isIdle: true,
    silenceMs: 3_600_000,
    limits: { memoryBytes: 4 * 1024 ** 3 },
    onStderr(text) {
      summary = (summary + text).slice(-summaryLength);
    },
  });
  const lufs = Number(/^ +I: +(-?[\d.]+) LUFS$/m.exec(summary)?.[1] ?? Number.NaN);
  const truePeak = Number(/^ +Peak: +(-?[\d.]+) dBFS$/m.exec(summary)?.[1] ?? Number.NaN);
  return lufs > silent && Number.isFinite(truePeak) ? { lufs, truePeak } : null;
}
