import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { z } from 'zod';
import { lines, run, ChildFailed } from '../child/run.ts';
import { fromMedia, type Ffmpeg } from './ffmpeg.ts';

export interface ProbedStream {
  type: 'video' | 'audio';
  index: number;
  codec: string;
  /** Bits a second; 0 where the file does not tell. */
  bitrate: number;
  width?: number;
  height?: number;
}

/** What a media file says of itself. */
export interface Probe {
  durationSeconds: number;
  sizeBytes: number;
  streams: ProbedStream[];
  container: string;
  hasVideo: boolean;
  hasAudio: boolean;
}

/** A file is not what was announced: too short, without sound, or it breaks off. The message is for people. */
export class Incomplete extends Error {}

const number = z.coerce.number().catch(0);
const Answer = z.object({
  format: z.object({ duration: number, format_name: z.string().catch('') }),
  streams: z.array(
    z.object({
      index: z.int(),
      codec_type: z.string(),
      codec_name: z.string().catch('unknown'),
      bit_rate: number,
      width: z.int().optional(),
      height: z.int().optional(),
      disposition: z.object({ attached_pic: z.int().catch(0) }).catch({ attached_pic: 0 }),
    }),
  ),
});

/** What ffprobe says of a file when it is asked so, as JSON. Throws Incomplete with this sentence when it cannot be read. */
export async function askFfprobe(
  { ffprobe }: Ffmpeg,
  path: string,
  { show, unreadable, signal }: { show: string[]; unreadable: string; signal: AbortSignal },
): Promise<unknown> {
  const args = ['-hide_banner', '-v', 'error', '-of', 'json', ...show, ...fromMedia(path)];
  const { stdout } = await run(ffprobe, args, { cwd: dirname(path), signal, timeMs: 60_000 }).catch((error: unknown) => {
    if (error instanceof ChildFailed && error.reason === 'exit') throw new Incomplete(unreadable);
    throw error;
  });
  return JSON.parse(stdout);
}

/** Asks ffprobe about a file. Pictures that are embedded as covers are no video. Throws Incomplete when it cannot be read. */
export async function probe(ffmpeg: Ffmpeg, path: string, signal: AbortSignal): Promise<Probe> {
  const unreadable = 'What arrived cannot be read as a video. Try again; if it stays so, choose another format.';
  const told = await askFfprobe(ffmpeg, path, { show: ['-show_format', '-show_streams'], unreadable, signal });
  const { format, streams } = Answer.parse(told);
  const kept = streams.flatMap(({ index, codec_type, codec_name, bit_rate, width, height, disposition }): ProbedStream[] => {
    if ((codec_type !== 'video' && codec_type !== 'audio') || disposition.attached_pic === 1) return [];
    return [
      { type: codec_type, index, codec: codec_name, bitrate: bit_rate, ...(width && { width }), ...(height && { height }) },
    ];
  });
  return {
    durationSeconds: Number.isFinite(format.duration) ? Math.max(0, format.duration) : 0,
    sizeBytes: (await stat(path)).size,
    streams: kept,
    container: format.format_name,
    hasVideo: kept.some((stream) => stream.type === 'video'),
    hasAudio: kept.some((stream) => stream.type === 'audio'),
  };
}

/** The end of the last packet within the last seconds of a file, in seconds; 0 when there is none. Nothing is decoded. */
async function lastPacketEnd({ ffprobe }: Ffmpeg, path: string, from: number, signal: AbortSignal): Promise<number> {
  const args = [
    '-hide_banner',
    '-v',
    'error',
    '-read_intervals',
    `${from}%`,
    '-show_entries',
    'packet=pts_time,duration_time',
    '-of',
    'csv=p=0',
  ];
  let last = 0;
  for await (const line of lines(ffprobe, [...args, ...fromMedia(path)], { cwd: dirname(path), signal, timeMs: 120_000 })) {
    const [at, length] = line.split(',').map(Number);
    if (Number.isFinite(at)) last = Math.max(last, at! + (Number.isFinite(length) ? length! : 0));
  }
  return last;
}

interface Announced {
  /** Null where the site does not tell. */
  announcedSeconds: number | null;
  wantsAudio: boolean;
  wantsVideo: boolean;
}

/**
 * Checks that a file is whole: as long as announced (within 2 % or 2 s), with picture and sound where they were announced,
 * and readable to its end. Throws Incomplete with the sentence for people.
 */
export async function checkWhole(ffmpeg: Ffmpeg, path: string, announced: Announced, signal: AbortSignal): Promise<Probe> {
  const found = await probe(ffmpeg, path, signal);
  if (!found.hasVideo && !found.hasAudio) throw new Incomplete('What arrived has neither picture nor sound. Try again.');
  if (announced.wantsVideo && !found.hasVideo)
    throw new Incomplete('What arrived has no picture. Try again; if it stays so, choose another format.');
  if (announced.wantsAudio && !found.hasAudio)
    throw new Incomplete(
      'What arrived has no sound, though the site announced some. Try again; if it stays so, choose another format.',
    );

  const { announcedSeconds } = announced;
  const slack = (seconds: number) => Math.max(2, seconds * 0.02);
  const tell = (seconds: number) => `${Math.round(seconds)} s`;
  if (announcedSeconds !== null && found.durationSeconds < announcedSeconds - slack(announcedSeconds))
    throw new Incomplete(
      `Only ${tell(found.durationSeconds)} of ${tell(announcedSeconds)} arrived. Try again; what is incomplete is not archived.`,
    );
  if (found.durationSeconds > 0) {
    const end = await lastPacketEnd(ffmpeg, path, Math.max(0, found.durationSeconds - 10), signal);
    if (end < found.durationSeconds - slack(found.durationSeconds))
      throw new Incomplete(
        `The file says ${tell(found.durationSeconds)} but breaks off at ${tell(end)}. Try again; what is incomplete is not archived.`,
      );
  }
  return found;
}
