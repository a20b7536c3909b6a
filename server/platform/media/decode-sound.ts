import { run } from '../process/run.ts';
import { fromMedia, type Ffmpeg } from './ffmpeg.ts';

/** Samples per second of decoded sound. */
const rate = 16_000;

/** Bytes of a second of decoded sound. */
export const soundBytesPerSecond = rate * 2;

/**
 * Decodes a part of the default audio track to raw sound, 16 bits and one channel, into the file `name` in `folder`. It is shorter
 * than `seconds` at the end.
 */
export async function decodeSound(
  { ffmpeg }: Ffmpeg,
  { media, start, seconds, folder, name }: { media: string; start: number; seconds: number; folder: string; name: string },
  signal: AbortSignal,
): Promise<void> {
  const from = [
    '-nostdin',
    '-hide_banner',
    '-v',
    'error',
    '-y',
    '-ss',
    String(start),
    '-t',
    String(seconds),
    ...fromMedia(media),
  ];
  await run(ffmpeg, [...from, '-map', '0:a:0', '-ac', '1', '-ar', String(rate), '-f', 's16le', name], {
    cwd: folder,
    signal,
    timeMs: 3_600_000,
    limits: { memoryBytes: 4 * 1024 ** 3, fileBytes: (seconds + 10) * soundBytesPerSecond },
    isIdle: true,
  });
}
