import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { DynamicRange } from '#contract/playback.ts';
import { removeFile } from '../files/files.ts';
import { lines } from '../process/run.ts';
import type { Picture } from './audio-tracks.ts';
import { fromMedia, type Ffmpeg } from './ffmpeg.ts';
import { encodedBitrate } from './audio-packing.ts';
import { firstFrameOf, samplesPerFrame, soundSamples, timeOfFrame, type FrameRate, type Grid } from './hls-grid.ts';

// Segments of HLS, as fragmented MP4 (RFC 8216 §3.3). Their times are those of the whole video, so that segments of different runs
// of ffmpeg join: `frag_discont` writes them, unless `avoid_negative_ts` moves them to 0.

/** Bits per second of a picture with at most this height, the highest that an encoder may need. */
const bitrates: [height: number, bits: number][] = [
  [360, 1_000_000],
  [480, 1_800_000],
  [720, 3_500_000],
];
export const maxBitrateOf = (height: number): number => bitrates.find(([most]) => height <= most)?.[1] ?? 6_000_000;

const transfers: Record<Exclude<DynamicRange, 'sdr'>, string> = { pq: 'smpte2084', hlg: 'arib-std-b67' };

/** Filters that show HDR on a screen without it. */
const toneMapping = (range: DynamicRange): string[] =>
  range === 'sdr'
    ? []
    : [
        `zscale=tin=${transfers[range]}:pin=bt2020:min=bt2020nc:rin=tv:t=linear:npl=100`,
        'format=gbrpf32le',
        'zscale=p=bt709',
        'tonemap=hable:desat=0',
        'zscale=t=bt709:m=bt709:r=tv',
      ];

/** Encoders of H.264 by hardware, in the order in which they are tried. */
export const hardwareEncoders = ['vaapi', 'qsv', 'nvenc'] as const;
export type HardwareEncoder = (typeof hardwareEncoders)[number];

/** What encodes the picture. `device`: a render node, for VAAPI and Quick Sync. */
export type Encoder = { kind: 'software' } | { kind: HardwareEncoder; device: string };

/** Highest level of macroblocks in a frame and in a second (ITU-T H.264, table A-1). */
const levels: [level: number, inFrame: number, inSecond: number][] = [
  [40, 8192, 245_760],
  [42, 8704, 522_240],
];

/** Returns ten times the level of H.264 that decoders need for a picture. */
export function h264LevelOf({ width, height }: { width: number; height: number }, { num, den }: FrameRate): number {
  const inFrame = Math.ceil(width / 16) * Math.ceil(height / 16);
  return levels.find(([, most, perSecond]) => inFrame <= most && (inFrame * num) / den <= perSecond)?.[0] ?? 51;
}

/** Returns the size of a picture whose shorter side is scaled to `to` pixels. */
export function scaledSize({ width, height }: { width: number; height: number }, to: number) {
  const short = Math.min(width, height);
  const side = (length: number) => (short === 0 ? to : 2 * Math.round((length * to) / short / 2));
  return { width: side(width), height: side(height) };
}

interface PictureContent {
  picture: Picture;
  height: number;
  encoder: Encoder;
}

/** Path of a file, or a picture that lavfi generates. */
type Source = string | { generated: string };
const inputOf = (source: Source) => (typeof source === 'string' ? fromMedia(source) : ['-f', 'lavfi', '-i', source.generated]);

export interface SegmentOptions {
  source: Source;
  /** Empty folder for temporary files. */
  folder: string;
  /** Of the picture or the sound. */
  grid: Grid;
  /** The picture, with the shorter side of the result in pixels; or the stream index of a sound track. */
  content: PictureContent | { track: number };
  /** Segments from `first` up to `end`, which is not included. */
  first: number;
  end: number;
  /** Only one frame, for what all segments have in common. */
  isProbe?: boolean;
}

// Hardware decodes what it can, and its frames are copied to memory, so that everything else is the same; ffmpeg decodes the rest itself.
const devicesFor = (encoder: Encoder): string[] => {
  const decoding = (name: string, device: string) => ['-hwaccel', name, '-hwaccel_device', device];
  const filterDevice = ['-filter_hw_device', 'hw'];
  switch (encoder.kind) {
    case 'software':
      return [];
    case 'vaapi':
      return ['-init_hw_device', `vaapi=hw:${encoder.device}`, ...filterDevice, ...decoding('vaapi', 'hw')];
    case 'qsv': {
      const derived = ['-init_hw_device', 'qsv=hw@va'];
      return ['-init_hw_device', `vaapi=va:${encoder.device}`, ...derived, ...filterDevice, ...decoding('vaapi', 'va')];
    }
    case 'nvenc':
      return ['-init_hw_device', 'cuda=hw', ...filterDevice, ...decoding('cuda', 'hw')];
  }
};

const uploadTo: Record<HardwareEncoder, string> = {
  vaapi: 'hwupload',
  qsv: 'hwupload=extra_hw_frames=64',
  nvenc: 'hwupload',
};
const scalers: Record<HardwareEncoder, string> = { vaapi: 'scale_vaapi', qsv: 'scale_qsv', nvenc: 'scale_cuda' };

/** Filters that scale the picture, and convert HDR, to what the encoder takes. HDR is converted by the processor, already scaled. */
function picturesFor({ kind }: Encoder, height: number, range: DynamicRange): string[] {
  const scale = `scale=w='if(gt(iw,ih),-2,${height})':h='if(gt(iw,ih),${height},-2)'`;
  if (kind === 'software') return [scale, ...toneMapping(range), 'format=yuv420p'];
  if (range !== 'sdr') return [scale, ...toneMapping(range), 'format=nv12', uploadTo[kind]];
  // Not all of these filters know -2.
  const long = (of: string, by: string) => `2*round(${height}*${of}/${by}/2)`;
  const size = `w='if(gt(iw,ih),${long('iw', 'ih')},${height})':h='if(gt(iw,ih),${height},${long('ih', 'iw')})'`;
  return ['format=nv12', uploadTo[kind], `${scalers[kind]}=${size}`];
}

/** Options of the encoders. Without B-frames, times need no offset; key frames are only where they are forced. */
const codecOptions = (kind: Encoder['kind'], bitrate: number): string[] => {
  const average = ['-b:v', String(Math.round(bitrate * 0.8))];
  switch (kind) {
    case 'software':
      // Headers do not depend on the content.
      return [
        'libx264',
        '-preset',
        'veryfast',
        '-crf',
        '23',
        '-g',
        '100000',
        '-sc_threshold',
        '0',
        '-x264-params',
        'stitchable=1',
      ];
    case 'vaapi':
      return ['h264_vaapi', ...average, '-g', '1000'];
    case 'qsv':
      return ['h264_qsv', '-preset', 'veryfast', ...average, '-g', '1000', '-forced_idr', '1'];
    case 'nvenc':
      return ['h264_nvenc', '-preset', 'p4', '-rc', 'vbr', '-cq', '24', '-g', '1000', '-forced-idr', '1', '-no-scenecut', '1'];
  }
};

/** Numbers of the first frames of segments, and of the frame after the last one. */
const framesFrom = ({ first, end, grid }: SegmentOptions) =>
  Array.from({ length: end - first + 1 }, (_, at) => firstFrameOf(first + at, grid));

/** Arguments that write a file for each segment, with its name on stdout when it is complete. `ends`: frames with which the next file begins. */
function writeSegments(ends: number[], { frameRate }: Grid, flags = ''): string[] {
  return [
    ['-f', 'segment', '-segment_format', 'mp4', '-avoid_negative_ts', 'disabled', '-map_metadata', '-1'],
    [
      '-segment_format_options',
      `movflags=+empty_moov+default_base_moof+frag_discont+skip_trailer${flags}:avoid_negative_ts=disabled`,
    ],
    ['-segment_times', ends.map((frame) => timeOfFrame(frame - 0.5, frameRate).toFixed(6)).join(',')],
    ['-segment_list', 'pipe:1', '-segment_list_type', 'flat', '%d.mp4'],
  ].flat();
}

/** Arguments that encode segments of a picture as H.264. */
function pictureArguments(options: SegmentOptions, { picture, height, encoder }: PictureContent): string[] {
  const { source, grid, first, isProbe } = options;
  const { num, den } = grid.frameRate;
  const beginnings = framesFrom(options);
  const seconds = (frame: number) => timeOfFrame(frame, grid.frameRate).toFixed(6);
  const ends = beginnings.slice(1);
  const [start, last] = [beginnings[0]!, ends.at(-1)!];
  const bitrate = maxBitrateOf(height);
  const filters = [
    // Constant rate, on the same frames in each run. The frame before the start is shown until the next one; the last one to the end.
    `fps=${num}/${den}:start_time=${seconds(start)}`,
    'tpad=stop=-1:stop_mode=clone',
    ...picturesFor(encoder, height, picture.format.dynamicRange),
  ];
  const threads = ['-threads', '2'];
  const level = h264LevelOf(scaledSize(picture, height), grid.frameRate);
  return [
    ['-nostdin', '-hide_banner', '-v', 'error', ...devicesFor(encoder), ...threads],
    // From the key frame before the start.
    ['-noaccurate_seek', '-ss', seconds(start), ...inputOf(source), '-map', `0:${picture.index}`],
    ['-copyts', '-start_at_zero', '-vf', filters.join(','), '-frames:v', String(isProbe ? 1 : last - start)],
    ['-c:v', ...codecOptions(encoder.kind, bitrate), '-profile:v', 'high', '-level:v', String(level)],
    ['-maxrate', String(bitrate), '-bufsize', String(2 * bitrate), ...threads, '-bf', '0'],
    // Parameter sets are in each segment, so that those of different encoders join, whichever has made the headers.
    ['-bsf:v', 'dump_extra=freq=keyframe'],
    ['-force_key_frames', beginnings.slice(0, -1).map(seconds).join(','), '-segment_start_number', String(first)],
    writeSegments(ends, grid, '+frag_keyframe'),
  ].flat();
}

/** Frames of sound that a run encodes before its first segment, and drops: so the encoder begins a segment as if it had encoded everything before. */
const leadFrames = 16;
/** What decoders may need before they are exact. */
const leadSeconds = 1;

/** Arguments that encode segments of a sound track as AAC in stereo. The file before the first segment is the lead. */
function soundArguments(options: SegmentOptions, track: number): string[] {
  const { source, grid, isProbe } = options;
  const beginnings = framesFrom(options);
  const lead = beginnings[0]! - leadFrames;
  const from = timeOfFrame(lead, grid.frameRate) - leadSeconds;
  const [last] = isProbe ? [beginnings[0]! + 1] : beginnings.slice(-1);
  const sample = lead * samplesPerFrame;
  const filters = [
    `aresample=${soundSamples}`,
    // Exactly from the first sample of the lead, with silence where the sound begins later or has holes; then until the end.
    `aresample=async=1:first_pts=${sample}`,
    'apad',
    `asetpts=N+${sample}`,
  ];
  return [
    ['-nostdin', '-hide_banner', '-v', 'error', '-threads', '1'],
    [...(from > 0 ? ['-ss', from.toFixed(6)] : []), ...inputOf(source), '-map', `0:${track}`],
    // One frame more, which the encoder needs before the first.
    ['-copyts', '-start_at_zero', '-af', filters.join(','), '-frames:a', String(last! - lead + 1)],
    ['-c:a', 'aac', '-b:a', String(encodedBitrate), '-ac', '2'],
    writeSegments(beginnings.slice(0, -1), grid),
  ].flat();
}

/** Time and size of a run of ffmpeg, which is ended above them. */
const maxMs = 120_000;
/** Hardware that hangs writes no segment. */
const maxSilenceMs = 20_000;
const maxBytes = 2 ** 30;

/** Returns where the first fragment begins in an MP4; at or after the end if there is none. */
function fragmentIn(file: Buffer): number {
  let at = 0;
  while (at + 8 <= file.length && file.toString('latin1', at + 4, at + 8) !== 'moof') at += Math.max(8, file.readUInt32BE(at));
  return at;
}

/** Returns the number of frames of the only fragment that a file has (`trun`, ISO/IEC 14496-12 §8.8.8). */
const framesIn = (media: Buffer) => media.readUInt32BE(media.indexOf('trun', 0, 'latin1') + 8);

/** Encodes segments. A segment that is not complete, because ffmpeg was ended, is left out. Yields each when it is complete: `init` are the headers, the same for all segments of a layer. */
export async function* encodeSegments(
  { ffmpeg }: Ffmpeg,
  options: SegmentOptions,
  signal: AbortSignal,
): AsyncGenerator<{ segment: number; init: Buffer; media: Buffer }> {
  const { folder, grid, content, first } = options;
  const isSound = 'track' in content;
  const usesHardware = !isSound && content.encoder.kind !== 'software';
  const memory = 4 * 1024 ** 3;
  // Drivers reserve more addresses than they use.
  const limits = { ...(usesHardware ? { dataBytes: memory } : { memoryBytes: memory }), fileBytes: maxBytes };
  for await (const name of lines(ffmpeg, isSound ? soundArguments(options, content.track) : pictureArguments(options, content), {
    cwd: folder,
    signal,
    timeMs: maxMs,
    isOffline: true,
    limits,
    ...(usesHardware && { silenceMs: maxSilenceMs }),
  })) {
    const path = join(folder, name);
    const file = await readFile(path);
    await removeFile(path);
    const at = fragmentIn(file);
    const segment = Number.parseInt(name, 10) + (isSound ? first - 1 : 0);
    if (segment < first) continue;
    const frames = options.isProbe ? 1 : firstFrameOf(segment + 1, grid) - firstFrameOf(segment, grid);
    if (at < file.length && framesIn(file.subarray(at)) === frames)
      yield { segment, init: file.subarray(0, at), media: file.subarray(at) };
  }
}
