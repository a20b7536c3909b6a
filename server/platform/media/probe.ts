import { MessageError } from '../messages/message-error.ts';
import { message, type Message } from '#contract/messages.ts';
import type { DynamicRange } from '#contract/playback.ts';
import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { z } from 'zod';
import { lines, run, ProcessError } from '../process/run.ts';
import { fromMedia, type Ffmpeg } from './ffmpeg.ts';

/** What a browser must be able to decode of a picture, besides its codec. */
export interface PictureFormat {
  /** Name in ffprobe, such as `High 10`; empty if it has none. */
  profile: string;
  /** Bits per sample. */
  bitDepth: number;
  dynamicRange: DynamicRange;
}

export interface ProbedStream {
  type: 'video' | 'audio';
  index: number;
  codec: string;
  /** Bits per second; 0 if unknown. */
  bitrate: number;
  width?: number;
  height?: number;
  /** Of a picture. */
  format?: PictureFormat;
}

/** Properties of a media file. */
export interface Probe {
  durationSeconds: number;
  sizeBytes: number;
  streams: ProbedStream[];
  container: string;
  hasVideo: boolean;
  hasAudio: boolean;
}

/** A file is not as announced: too short, without audio, or truncated. The message is for users. */
export class IncompleteFileError extends MessageError {}

const number = z.coerce.number().catch(0);

/** Fields of ffprobe that `pictureFormatOf` reads. */
export const formatFields = {
  profile: z.coerce.string().catch(''),
  pix_fmt: z.string().catch(''),
  bits_per_raw_sample: number,
  color_transfer: z.string().catch(''),
};

const transferFunctions: Record<string, DynamicRange> = { smpte2084: 'pq', 'arib-std-b67': 'hlg' };

/** Returns the format of a picture. */
export function pictureFormatOf(found: {
  [Field in keyof typeof formatFields]: z.infer<(typeof formatFields)[Field]>;
}): PictureFormat {
  // Such as yuv420p10le and p010le. Without a number there are 8.
  const bits = Number(/p0?(\d\d)(?:le|be)$/.exec(found.pix_fmt)?.[1] ?? 0);
  return {
    profile: found.profile,
    bitDepth: bits || found.bits_per_raw_sample || 8,
    dynamicRange: transferFunctions[found.color_transfer] ?? 'sdr',
  };
}

const FfprobeOutput = z.object({
  format: z.object({ duration: number, format_name: z.string().catch('') }),
  streams: z.array(
    z.object({
      index: z.int(),
      codec_type: z.string(),
      codec_name: z.string().catch('unknown'),
      bit_rate: number,
      width: z.int().optional(),
      height: z.int().optional(),
      ...formatFields,
      disposition: z.object({ attached_pic: z.int().catch(0) }).catch({ attached_pic: 0 }),
    }),
  ),
});

// Tags may be large: TubeArchivist writes all comments and subtitles of a video into one tag.
export const maxOutputLength = 64 * 1024 * 1024;

/**
 * Runs ffprobe and returns its JSON.
 * @throws Incomplete with the message `unreadable` if it fails
 */
export async function runFfprobe(
  { ffprobe }: Ffmpeg,
  path: string,
  { show, unreadable, signal }: { show: string[]; unreadable: Message; signal: AbortSignal },
): Promise<unknown> {
  const args = ['-hide_banner', '-v', 'error', '-of', 'json', ...show, ...fromMedia(path)];
  const { stdout } = await run(ffprobe, args, { cwd: dirname(path), signal, timeMs: 60_000, keep: maxOutputLength }).catch(
    (error: unknown) => {
      if (error instanceof ProcessError && error.reason === 'exit') throw new IncompleteFileError(unreadable);
      throw error;
    },
  );
  return JSON.parse(stdout);
}

/**
 * Reads the properties of a file with ffprobe. Embedded covers do not count as video.
 * @throws Incomplete if the file cannot be read
 */
export async function probe(ffmpeg: Ffmpeg, path: string, signal: AbortSignal): Promise<Probe> {
  const showEntries =
    'format=duration,format_name:stream=index,codec_type,codec_name,bit_rate,width,height,profile,pix_fmt,bits_per_raw_sample,color_transfer:stream_disposition=attached_pic';
  const unreadable = message('failure.unreadable-video');
  const probed = await runFfprobe(ffmpeg, path, { show: ['-show_entries', showEntries], unreadable, signal });
  const { format, streams } = FfprobeOutput.parse(probed);
  const mediaStreams = streams.flatMap((stream): ProbedStream[] => {
    const { index, codec_type: type, codec_name: codec, bit_rate: bitrate, width, height, disposition } = stream;
    if ((type !== 'video' && type !== 'audio') || disposition.attached_pic === 1) return [];
    const size = { ...(width && { width }), ...(height && { height }) };
    return [{ type, index, codec, bitrate, ...size, ...(type === 'video' && { format: pictureFormatOf(stream) }) }];
  });
  return {
    durationSeconds: Number.isFinite(format.duration) ? Math.max(0, format.duration) : 0,
    sizeBytes: (await stat(path)).size,
    streams: mediaStreams,
    container: format.format_name,
    hasVideo: mediaStreams.some((stream) => stream.type === 'video'),
    hasAudio: mediaStreams.some((stream) => stream.type === 'audio'),
  };
}

/** Returns the end of the last packet after `from` in seconds, or 0. Nothing is decoded. */
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
  /** Null if the site does not report it. */
  announcedSeconds: number | null;
  wantsAudio: boolean;
  wantsVideo: boolean;
}

/**
 * Verifies that a file is complete: duration as announced (within 2 % or 2 s), with the announced video and audio, readable to
 * its end.
 * @throws Incomplete with a message for users
 */
export async function verifyComplete(ffmpeg: Ffmpeg, path: string, announced: Announced, signal: AbortSignal): Promise<Probe> {
  const found = await probe(ffmpeg, path, signal);
  if (!found.hasVideo && !found.hasAudio) throw new IncompleteFileError(message('failure.no-media'));
  if (announced.wantsVideo && !found.hasVideo) throw new IncompleteFileError(message('failure.no-video-track'));
  if (announced.wantsAudio && !found.hasAudio) throw new IncompleteFileError(message('failure.no-audio-track'));

  const { announcedSeconds } = announced;
  const slack = (seconds: number) => Math.max(2, seconds * 0.02);
  const formatSeconds = (seconds: number) => `${Math.round(seconds)} s`;
  if (announcedSeconds !== null && found.durationSeconds < announcedSeconds - slack(announcedSeconds))
    throw new IncompleteFileError(
      message('failure.short', { came: formatSeconds(found.durationSeconds), announced: formatSeconds(announcedSeconds) }),
    );
  if (found.durationSeconds > 0) {
    const end = await lastPacketEnd(ffmpeg, path, Math.max(0, found.durationSeconds - 10), signal);
    if (end < found.durationSeconds - slack(found.durationSeconds))
      throw new IncompleteFileError(
        message('failure.truncated', { long: formatSeconds(found.durationSeconds), at: formatSeconds(end) }),
      );
  }
  return found;
}
