import { message } from '#contract/messages.ts';
import { z } from 'zod';
import type { Ffmpeg } from './ffmpeg.ts';
import { byName, shortCode } from './container-metadata.ts';
import { frameRateOf, type FrameRate } from './hls-grid.ts';
import { formatFields, pictureFormatOf, runFfprobe, type PictureFormat } from './probe.ts';

/** An audio track of a file. */
export interface AudioTrack {
  /** Index among all streams of the file. */
  index: number;
  codec: string;
  channels: number;
  /** Such as `de` or `pt-BR`; null if unknown. */
  language: string | null;
  title: string | null;
  isDefault: boolean;
  /** Bits per second; 0 if unknown. */
  bitrate: number;
  /** Null if unknown. */
  durationSeconds: number | null;
}

/** The video stream of a file. */
export interface Picture {
  index: number;
  codec: string;
  format: PictureFormat;
  /** Pixels; 0 if unknown. */
  width: number;
  height: number;
  frameRate: FrameRate;
}

/** Audio tracks and video stream of a file. */
export interface AudioTracks {
  tracks: AudioTrack[];
  /** Null for audio files. */
  picture: Picture | null;
  /** Of the whole file; 0 if unknown. */
  durationSeconds: number;
}

const flag = z.int().catch(0);
const FfprobeOutput = z.object({
  streams: z.array(
    z.object({
      index: z.int(),
      codec_type: z.string().catch(''),
      codec_name: z.string().catch('unknown'),
      channels: z.int().catch(0),
      ...formatFields,
      width: z.int().catch(0),
      height: z.int().catch(0),
      r_frame_rate: z.string().catch(''),
      avg_frame_rate: z.string().catch(''),
      bit_rate: z.coerce.number().catch(0),
      duration: z.coerce.number().optional().catch(undefined),
      disposition: z
        .object({ attached_pic: flag, default: flag, timed_thumbnails: flag })
        .catch({ attached_pic: 0, default: 0, timed_thumbnails: 0 }),
      tags: z.record(z.string(), z.string()).catch({}),
    }),
  ),
  format: z.object({ duration: z.coerce.number().catch(0) }).catch({ duration: 0 }),
});
type Stream = z.infer<typeof FfprobeOutput>['streams'][number];

/** Matroska stores the duration of a stream as 00:01:02.500000000. */
function secondsOf(written: string | undefined): number | null {
  const [, hours, minutes, seconds] = /^(\d+):(\d\d):(\d\d(?:\.\d+)?)$/.exec(written ?? '') ?? [];
  return seconds === undefined ? null : Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
}

function trackOf({ index, codec_name, channels, bit_rate, duration, disposition, tags }: Stream): AudioTrack {
  const named = byName(tags);
  const language = shortCode(named.get('language'));
  const title = (named.get('title') ?? named.get('name') ?? '').trim().slice(0, 100);
  return {
    index,
    codec: codec_name,
    channels,
    language: language === 'und' ? null : language,
    title: title || null,
    isDefault: disposition.default === 1,
    bitrate: bit_rate,
    durationSeconds: duration ?? secondsOf(named.get('duration')),
  };
}

const pictureOf = (found: Stream): Picture => ({
  index: found.index,
  codec: found.codec_name,
  format: pictureFormatOf(found),
  width: found.width,
  height: found.height,
  frameRate: frameRateOf(found.r_frame_rate, found.avg_frame_rate),
});

/**
 * Reads the audio tracks of a file with ffprobe; exactly one is the default.
 * @throws Incomplete if the file cannot be read
 */
export async function readAudioTracks(ffmpeg: Ffmpeg, path: string, signal: AbortSignal): Promise<AudioTracks> {
  const probeOptions = {
    show: ['-show_streams', '-show_entries', 'format=duration'],
    unreadable: message('failure.unreadable-file'),
    signal,
  };
  const { streams, format } = FfprobeOutput.parse(await runFfprobe(ffmpeg, path, probeOptions));
  const tracks = streams.filter(({ codec_type }) => codec_type === 'audio').map(trackOf);
  // Files may mark several tracks as default, or none.
  const first = tracks.find(({ isDefault }) => isDefault) ?? tracks[0];
  const picture = streams.find(
    ({ codec_type, disposition }) =>
      codec_type === 'video' && disposition.attached_pic === 0 && disposition.timed_thumbnails === 0,
  );
  return {
    tracks: tracks.map((track) => ({ ...track, isDefault: track === first })),
    picture: picture ? pictureOf(picture) : null,
    durationSeconds: Math.max(0, format.duration) || 0,
  };
}
