import { z } from 'zod';
import type { Ffmpeg } from './ffmpeg.ts';
import { byName, shortCode } from './inside.ts';
import { askFfprobe } from './probe.ts';

/** One of the sounds that a file has. */
export interface AudioTrack {
  /** Among all streams of the file. */
  index: number;
  codec: string;
  channels: number;
  /** As in `de` or `pt-BR`; null where the file does not tell. */
  language: string | null;
  title: string | null;
  isDefault: boolean;
  /** Bits a second; 0 where the file does not tell. */
  bitrate: number;
  /** Null where the file does not tell. */
  durationSeconds: number | null;
}

/** What of a file can be seen, and heard. */
export interface Sounds {
  tracks: AudioTrack[];
  /** The stream of the picture; null where there is only sound. */
  picture: { index: number; codec: string } | null;
}

const flag = z.int().catch(0);
const Answer = z.object({
  streams: z.array(
    z.object({
      index: z.int(),
      codec_type: z.string().catch(''),
      codec_name: z.string().catch('unknown'),
      channels: z.int().catch(0),
      bit_rate: z.coerce.number().catch(0),
      duration: z.coerce.number().optional().catch(undefined),
      disposition: z
        .object({ attached_pic: flag, default: flag, timed_thumbnails: flag })
        .catch({ attached_pic: 0, default: 0, timed_thumbnails: 0 }),
      tags: z.record(z.string(), z.string()).catch({}),
    }),
  ),
});
type Stream = z.infer<typeof Answer>['streams'][number];

/** Matroska writes how long a stream is as 00:01:02.500000000. */
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

/** Asks ffprobe which sounds a file has; one of them is what it plays by itself. Throws Incomplete when it cannot be read. */
export async function lookAtSounds(ffmpeg: Ffmpeg, path: string, signal: AbortSignal): Promise<Sounds> {
  const wanted = { show: ['-show_streams'], unreadable: 'The file cannot be read.', signal };
  const { streams } = Answer.parse(await askFfprobe(ffmpeg, path, wanted));
  const tracks = streams.filter(({ codec_type }) => codec_type === 'audio').map(trackOf);
  // Files may call several the default one, or none.
  const first = tracks.find(({ isDefault }) => isDefault) ?? tracks[0];
  const picture = streams.find(
    ({ codec_type, disposition }) =>
      codec_type === 'video' && disposition.attached_pic === 0 && disposition.timed_thumbnails === 0,
  );
  return {
    tracks: tracks.map((track) => ({ ...track, isDefault: track === first })),
    picture: picture ? { index: picture.index, codec: picture.codec_name } : null,
  };
}
