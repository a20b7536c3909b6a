import { message } from '#contract/messages.ts';
import { dirname } from 'node:path';
import { z } from 'zod';
import { lines, run } from '../process/run.ts';
import { encodedBitrate, type AudioPacking } from './audio-packing.ts';
import type { AudioTrack, AudioTracks } from './audio-tracks.ts';
import { fromMedia, type Ffmpeg } from './ffmpeg.ts';
import { IncompleteFileError, probe, runFfprobe } from './probe.ts';
import { containerOptions, type MediaTags } from './rendition.ts';

/** Part of a media file, in seconds. */
interface Part {
  start: number;
  end: number;
}

/** Bits per second that the video of an exact clip has at most, by the number of pixels of a picture. */
const maxVideoBitrate = (pixels: number) => Math.max(2_000_000, 6 * pixels);

const fullHd = 1920 * 1080;

/** Returns the size in bytes that an exact clip probably has, and the one that it has at most. `pixels`: 0 if unknown. */
export function estimateExactBytes(seconds: number, { hasPicture, pixels }: { hasPicture: boolean; pixels: number }) {
  const most = ((hasPicture ? maxVideoBitrate(pixels || fullHd) : 0) + encodedBitrate) / 8;
  return { bytes: Math.ceil((most * seconds) / 2) + 1_000_000, maxBytes: Math.ceil(most * seconds * 1.5) + 16_000_000 };
}

interface ClipOptions extends Part {
  source: string;
  /** Path of the new file. */
  target: string;
  /** Length of the media file in seconds. */
  durationSeconds: number;
  /** Audio track to include; null for none. */
  track: AudioTrack | null;
  /** Video stream to include; null for audio only. */
  picture: AudioTracks['picture'];
  /** Number of pixels of a picture; 0 if unknown. */
  pixels: number;
  packing: AudioPacking;
  tags: MediaTags;
  maxBytes: number;
}

const beginning = ['-nostdin', '-hide_banner', '-v', 'error', '-threads', '2'];
// A large file takes long without output.
const longSilenceMs = 3_600_000;
const memoryBytes = 4 * 1024 ** 3;

/** Arguments that seek in a file. `shift`: the timestamp that players show as 0. */
const inputOf = ({ source, start }: Pick<ClipOptions, 'source' | 'start'>, shift: number) => [
  '-seek_timestamp',
  '1',
  '-ss',
  String(start + shift),
  ...fromMedia(source),
];
const streamsOf = ({ picture, track }: Pick<ClipOptions, 'picture' | 'track'>) => [
  ...(picture ? ['-map', `0:${picture.index}`] : []),
  ...(track ? ['-map', `0:${track.index}`] : []),
];

const FfprobeOutput = z.object({ format: z.object({ start_time: z.coerce.number().catch(0) }) });

/** Returns the timestamp of a file that players show as 0: the first one, unless the sound begins earlier only to be decoded. */
async function firstTimestamp(ffmpeg: Ffmpeg, source: string, signal: AbortSignal): Promise<number> {
  const unreadable = message('failure.unreadable-file');
  const probed = await runFfprobe(ffmpeg, source, { show: ['-show_entries', 'format=start_time'], unreadable, signal });
  return Math.max(0, FfprobeOutput.parse(probed).format.start_time);
}

/**
 * Returns the second at which ffmpeg begins to copy a file from `start`: the key frame before it, as its own seek finds it. Only
 * one packet is read.
 */
async function firstCopiedSecond(
  { ffmpeg }: Ffmpeg,
  options: Pick<ClipOptions, 'source' | 'start' | 'picture' | 'track'>,
  shift: number,
  signal: AbortSignal,
): Promise<number> {
  const first = options.picture ?? options.track!;
  const args = [...beginning, '-copyts', ...inputOf(options, shift), '-map', `0:${first.index}`, '-c', 'copy'];
  const { stdout } = await run(ffmpeg, [...args, '-frames:d', '1', '-f', 'framecrc', '-'], {
    cwd: dirname(options.source),
    signal,
    silenceMs: longSilenceMs,
    limits: { memoryBytes },
  });
  const [, above = '', below = ''] = /^#tb 0: (\d+)\/(\d+)$/m.exec(stdout) ?? [];
  const [, , presented] = /^0, *(-?\d+), *(-?\d+),/m.exec(stdout) ?? [];
  if (presented === undefined) throw new IncompleteFileError(message('clip.differs'));
  return (Number(presented) * Number(above)) / Number(below) - shift;
}

/** @throws Incomplete if the file does not have these streams and at least this length */
async function verifyClip(
  ffmpeg: Ffmpeg,
  { target, kinds, seconds }: { target: string; kinds: string[]; seconds: number },
  signal: AbortSignal,
) {
  const { streams, durationSeconds } = await probe(ffmpeg, target, signal);
  const found = streams.map(({ type, codec }) => `${type} ${codec}`);
  if (found.toSorted().join() !== kinds.toSorted().join() || durationSeconds < Math.max(0.05, seconds - 1))
    throw new IncompleteFileError(message('clip.differs'));
}

const secondsOf = ({ start, end, durationSeconds }: Pick<ClipOptions, 'start' | 'end' | 'durationSeconds'>) =>
  Math.min(end, durationSeconds) - start;

const kindsOf = ({ picture, track }: ClipOptions, encoded: { video?: string; audio?: string } = {}) => [
  ...(picture ? [`video ${encoded.video ?? picture.codec}`] : []),
  ...(track ? [`audio ${encoded.audio ?? track.codec}`] : []),
];

/**
 * Cuts a part of a file at key frames, without encoding it again. Returns the second where it begins, at or before `start`.
 * @throws Incomplete if the result is not as expected
 */
export async function copyClip(ffmpeg: Ffmpeg, options: ClipOptions, signal: AbortSignal): Promise<number> {
  const { start, end, picture, packing, tags, target, maxBytes } = options;
  const shift = await firstTimestamp(ffmpeg, options.source, signal);
  const actualStart = Math.max(0, Math.min(start, await firstCopiedSecond(ffmpeg, options, shift, signal)));
  const as = ['-map_chapters', '-1', '-c', 'copy', '-t', String(end - start), '-avoid_negative_ts', 'make_zero'];
  if (packing.encodes) as.push('-c:a', 'aac', '-b:a', String(encodedBitrate), '-ac', '2');
  await run(
    ffmpeg.ffmpeg,
    [...beginning, '-n', ...inputOf(options, shift), ...streamsOf(options), ...as].concat([
      ...containerOptions(packing, tags, picture?.codec),
      `file:${target}`,
    ]),
    { cwd: dirname(target), signal, silenceMs: longSilenceMs, limits: { memoryBytes, fileBytes: maxBytes } },
  );
  await verifyClip(
    ffmpeg,
    { target, kinds: kindsOf(options, packing.encodes ? { audio: 'aac' } : {}), seconds: secondsOf(options) },
    signal,
  );
  return actualStart;
}

// H.264 needs an even width and height.
const evenSize = 'scale=trunc(iw/2)*2:trunc(ih/2)*2';
// Brightness and colours of HDR for other screens. Nits of white: 100.
const toneMapping = [
  'zscale=t=linear:npl=100,format=gbrpf32le',
  'zscale=p=bt709,tonemap=tonemap=hable:desat=0',
  'zscale=t=bt709:m=bt709:r=tv,format=yuv420p',
].join(',');
const isHdr = (transfer: string | undefined) => transfer === 'smpte2084' || transfer === 'arib-std-b67';

const Pictures = z.object({ streams: z.array(z.object({ index: z.int(), color_transfer: z.string().optional() })) });

/** Returns the filters for a picture. HDR is converted if ffmpeg can do that. */
async function filtersFor(
  ffmpeg: Ffmpeg,
  { source, picture }: Pick<ClipOptions, 'source' | 'picture'>,
  signal: AbortSignal,
): Promise<string> {
  const show = ['-show_entries', 'stream=index,color_transfer'];
  const probed = await runFfprobe(ffmpeg, source, { show, unreadable: message('failure.unreadable-file'), signal });
  const found = Pictures.parse(probed).streams.find(({ index }) => index === picture?.index);
  if (!isHdr(found?.color_transfer)) return evenSize;
  const { stdout } = await run(ffmpeg.ffmpeg, ['-hide_banner', '-h', 'filter=zscale'], { cwd: dirname(source), signal });
  return stdout.startsWith('Filter zscale') ? `${evenSize},${toneMapping}` : evenSize;
}

/** Returns the options of the encoder for a picture, that every browser and phone plays. */
function videoEncoder(pixels: number, filters: string): string[] {
  const most = maxVideoBitrate(pixels || fullHd);
  const rate = ['-crf', '20', '-maxrate', String(most), '-bufsize', String(2 * most)];
  return ['-vf', filters, '-c:v', 'libx264', '-preset', 'veryfast', ...rate, '-pix_fmt', 'yuv420p', '-threads', '2'];
}

/**
 * Encodes exactly a part of a file, as H.264 and AAC, with idle processor time. `onProgress` gets a number from 0 to 1.
 * @throws Incomplete if the result is not as expected
 */
export async function encodeClip(
  ffmpeg: Ffmpeg,
  options: ClipOptions,
  signal: AbortSignal,
  onProgress: (progress: number) => void,
): Promise<void> {
  const { start, end, picture, track, pixels, packing, tags, target, maxBytes } = options;
  const as = ['-map_chapters', '-1', '-t', String(end - start)];
  if (picture) as.push(...videoEncoder(pixels, await filtersFor(ffmpeg, options, signal)));
  if (track) as.push('-c:a', 'aac', '-b:a', String(encodedBitrate), '-ac', '2');
  const shift = await firstTimestamp(ffmpeg, options.source, signal);
  const args = [...beginning, '-n', '-nostats', '-progress', 'pipe:1', ...inputOf(options, shift), ...streamsOf(options), ...as];
  const output = lines(ffmpeg.ffmpeg, [...args, ...containerOptions(packing, tags), `file:${target}`], {
    cwd: dirname(target),
    signal,
    silenceMs: longSilenceMs,
    limits: { memoryBytes, fileBytes: maxBytes },
    isIdle: true,
  });
  for await (const line of output) {
    const [, microseconds] = /^out_time_us=(\d+)$/.exec(line) ?? [];
    if (microseconds !== undefined) onProgress(Math.min(1, Number(microseconds) / 1e6 / (end - start)));
  }
  await verifyClip(
    ffmpeg,
    { target, kinds: kindsOf(options, { video: 'h264', audio: 'aac' }), seconds: secondsOf(options) },
    signal,
  );
}
