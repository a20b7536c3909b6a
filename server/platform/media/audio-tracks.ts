import { message } from '#contract/messages.ts';
import { z } from 'zod';
import type { Ffmpeg } from './ffmpeg.ts';
import { byName, shortCode } from './container-metadata.ts';
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

/** Audio tracks and video stream of a file. */
export interface AudioTracks {
  tracks: AudioTrack[];
  /** The video stream; null for audio files. */
  picture: { index: number; codec: string; format: PictureFormat } | null;
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
      bit_rate: z.coerce.number().catch(0),
      duration: z.coerce.number().optional().catch(undefined),
      disposition: z
        .object({ attached_pic: flag, default: flag, timed_thumbnails: flag })
        .catch({ attached_pic: 0, default: 0, timed_thumbnails: 0 }),
      tags: z.record(z.string(), z.string()).catch({}),
    }),
  ),
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

/**
 * Reads the audio tracks of a file with ffprobe; exactly one is the default.
 * @throws Incomplete if the file cannot be read
 */
export async function readAudioTracks(ffmpeg: Ffmpeg, path: string, signal: AbortSignal): Promise<AudioTracks> {
  const probeOptions = { show: ['-show_streams'], unreadable: message('failure.unreadable-file'), signal };
  const { streams } = FfprobeOutput.parse(await runFfprobe(ffmpeg, path, probeOptions));
  const tracks = streams.filter(({ codec_type }) => codec_type === 'audio').map(trackOf);
  // Files may mark several tracks as default, or none.
  const first = tracks.find(({ isDefault }) => isDefault) ?? tracks[0];
  const picture = streams.find(
    ({ codec_type, disposition }) =>
      codec_type === 'video' && disposition.attached_pic === 0 && disposition.timed_thumbnails === 0,
  );
  return {
    tracks: tracks.map((track) => ({ ...track, isDefault: track === first })),
    picture: picture ? { index: picture.index, codec: picture.codec_name, format: pictureFormatOf(picture) } : null,
  };
}
