import { open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { run } from '../process/run.ts';
import { fromMedia, type Ffmpeg } from './ffmpeg.ts';
import { mp4Codecs } from './remux.ts';
import { probe } from './probe.ts';

/** An MP4 consists of boxes. Each begins with its size (four bytes) and its type (four letters). */
const headBytes = 8;

/**
 * Cuts off an incomplete fragment at the end of a fragmented MP4, as after a power failure: what is appended later could not be read.
 * Files of another kind stay as they are. Returns the bytes that were cut off.
 */
export async function cutIncompleteFragment(path: string): Promise<number> {
  const file = await open(path, 'r+');
  try {
    const { size } = await file.stat();
    const head = Buffer.alloc(2 * headBytes);
    let [at, whole] = [0, 0];
    while (at + headBytes <= size) {
      await file.read(head, 0, head.length, at);
      const type = head.toString('latin1', 4, 8);
      if (at === 0 && type !== 'ftyp') return 0;
      const short = head.readUInt32BE(0);
      const length = short === 1 ? Number(head.readBigUInt64BE(headBytes)) : short;
      if (length < headBytes || at + length > size) break;
      at += length;
      // The last box of a fragment has its media.
      if (type === 'mdat' || type === 'moov') whole = at;
    }
    if (whole < size) await file.truncate(whole);
    return size - whole;
  } finally {
    await file.close();
  }
}

/** Returns the extension of a file that holds the streams of these files. */
async function endingOf(ffmpeg: Ffmpeg, paths: string[], signal: AbortSignal): Promise<'.mp4' | '.mkv'> {
  const probes = [];
  for (const path of paths) probes.push(await probe(ffmpeg, path, signal));
  return probes.every(({ streams }) => streams.every(({ codec }) => mp4Codecs.has(codec))) ? '.mp4' : '.mkv';
}

/**
 * Joins the recorded formats of a stream without encoding. `target`: without its extension. Returns the path of the result.
 * @throws ProcessError if a file is unreadable
 */
export async function joinRecorded(
  ffmpeg: Ffmpeg,
  { paths, target }: { paths: string[]; target: string },
  signal: AbortSignal,
): Promise<string> {
  const ending = await endingOf(ffmpeg, paths, signal);
  const joined = `${target}${ending}`;
  const args = ['-nostdin', '-hide_banner', '-v', 'error', '-threads', '1', '-y'];
  const maps = paths.flatMap((_, place) => ['-map', `${place}:v?`, '-map', `${place}:a?`]);
  const as = ['-c', 'copy', ...(ending === '.mp4' ? ['-movflags', '+faststart'] : [])];
  await run(ffmpeg.ffmpeg, [...args, ...paths.flatMap((path) => fromMedia(path)), ...maps, ...as, `file:${joined}`], {
    cwd: dirname(target),
    signal,
    silenceMs: 3_600_000, // a large file takes long without output
    limits: { memoryBytes: 4 * 1024 ** 3 },
  });
  return joined;
}
