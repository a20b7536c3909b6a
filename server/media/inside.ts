import { z } from 'zod';
import { run } from '../child/run.ts';
import { fromMedia, type Ffmpeg } from './ffmpeg.ts';
import { askFfprobe } from './probe.ts';

/** What a media file carries beside picture and sound. */
export interface Inside {
  /** By their names in small letters. */
  tags: Map<string, string>;
  /** Pictures that are embedded as covers, by their stream. */
  covers: number[];
  /** Subtitles of every kind. */
  subtitles: { index: number; codec: string; lang: string; name: string }[];
  /** Files in the file, such as fonts. */
  attachments: { index: number; name: string; type: string }[];
}

const Answer = z.object({
  format: z.object({ tags: z.record(z.string(), z.string()).catch({}) }).catch({ tags: {} }),
  streams: z.array(
    z.object({
      index: z.int(),
      codec_type: z.string().catch(''),
      codec_name: z.string().catch('unknown'),
      disposition: z.object({ attached_pic: z.int().catch(0) }).catch({ attached_pic: 0 }),
      tags: z.record(z.string(), z.string()).catch({}),
    }),
  ),
});

/** Tags by their names in small letters. */
export const byName = (tags: Record<string, string>) =>
  new Map(Object.entries(tags).map(([name, value]) => [name.toLowerCase(), value]));

/** The short code of a language: files say `chi` and `ger` where everybody else says `zh` and `de`. */
export function shortCode(code: string | undefined): string {
  try {
    return Intl.getCanonicalLocales(code ?? '')[0] ?? 'und';
  } catch {
    return 'und'; // no language at all
  }
}

/** Asks ffprobe what a file carries beside picture and sound. Throws Incomplete when it cannot be read. */
export async function lookInside(ffmpeg: Ffmpeg, path: string, signal: AbortSignal): Promise<Inside> {
  const shown = 'format_tags:stream=index,codec_type,codec_name:stream_disposition=attached_pic:stream_tags';
  const wanted = { show: ['-show_entries', shown], unreadable: 'The file cannot be read.', signal };
  const { format, streams } = Answer.parse(await askFfprobe(ffmpeg, path, wanted));
  const of = (type: string) =>
    streams.flatMap((stream) => (stream.codec_type === type ? [{ ...stream, tags: byName(stream.tags) }] : []));
  return {
    // In Ogg and Opus they stand with the sound.
    tags: new Map([...(of('audio')[0]?.tags ?? []), ...byName(format.tags)]),
    covers: of('video').flatMap(({ index, disposition }) => (disposition.attached_pic === 1 ? [index] : [])),
    subtitles: of('subtitle').map(({ index, codec_name, tags }) => {
      const lang = shortCode(tags.get('language'));
      return { index, codec: codec_name, lang, name: (tags.get('title') ?? tags.get('name') ?? lang).slice(0, 100) };
    }),
    attachments: of('attachment').map(({ index, tags }) => ({
      index,
      name: tags.get('filename') ?? '',
      type: tags.get('mimetype') ?? '',
    })),
  };
}

/** Something that is inside, and the new file that it is to become. */
export interface Piece {
  index: number;
  target: string;
}

interface Taking {
  path: string;
  /** A private folder of ours. */
  cwd: string;
  signal: AbortSignal;
}

const quiet = ['-nostdin', '-hide_banner', '-v', 'error', '-threads', '1', '-n'];
// The file is read to its end for it, however large it is; only its silence says nothing.
const patience = { silenceMs: 3_600_000, limits: { memoryBytes: 4 * 1024 ** 3, fileBytes: 64 * 1024 ** 2 } };

// Somebody has to be asked for an output; this one is nothing.
const toNowhere = ['-map', '0:V?', '-map', '0:a?', '-c', 'copy', '-t', '0', '-f', 'null', '-'];

/** Takes a file out of the file, as it is. */
export const takeAttachment = ({ ffmpeg }: Ffmpeg, { index, target }: Piece, { path, ...around }: Taking) =>
  run(ffmpeg, [...quiet, `-dump_attachment:${index}`, `file:${target}`, ...fromMedia(path), ...toNowhere], {
    ...around,
    ...patience,
  });

/** Takes a cover out, as it is. */
export const takeCover = ({ ffmpeg }: Ffmpeg, { index, target }: Piece, { path, ...around }: Taking) =>
  run(
    ffmpeg,
    [...quiet, ...fromMedia(path), '-map', `0:${index}`, '-frames:v', '1', '-c', 'copy', '-f', 'image2pipe', `file:${target}`],
    { ...around, ...patience },
  );

/** Takes subtitles out, as WebVTT; the file is read once for all of them. */
export const takeSubtitles = ({ ffmpeg }: Ffmpeg, wanted: Piece[], { path, ...around }: Taking) =>
  run(
    ffmpeg,
    [
      ...quiet,
      ...fromMedia(path),
      ...wanted.flatMap(({ index, target }) => ['-map', `0:${index}`, '-f', 'webvtt', `file:${target}`]),
    ],
    { ...around, ...patience },
  );
