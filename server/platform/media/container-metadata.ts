import { message } from '#contract/messages.ts';
import { z } from 'zod';
import { run } from '../process/run.ts';
import { fromMedia, type Ffmpeg } from './ffmpeg.ts';
import { runFfprobe } from './probe.ts';

/** Metadata and other streams of a media file besides video and audio. */
export interface ContainerMetadata {
  /** By lower-case name. */
  tags: Map<string, string>;
  /** Stream indexes of embedded cover images. */
  covers: number[];
  /** Subtitles of all formats. */
  subtitles: { index: number; codec: string; lang: string; name: string }[];
  /** Attached files, such as fonts. */
  attachments: { index: number; name: string; type: string }[];
}

const FfprobeOutput = z.object({
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

/** Returns tags by lower-case name. */
export const byName = (tags: Record<string, string>) =>
  new Map(Object.entries(tags).map(([name, value]) => [name.toLowerCase(), value]));

/** Returns the canonical language code: files may contain `chi` and `ger` instead of `zh` and `de`. */
export function shortCode(code: string | undefined): string {
  try {
    return Intl.getCanonicalLocales(code ?? '')[0] ?? 'und';
  } catch {
    return 'und'; // invalid code
  }
}

/**
 * Reads metadata, covers, subtitles and attachments of a file with ffprobe.
 * @throws Incomplete if the file cannot be read
 */
export async function readContainerMetadata(ffmpeg: Ffmpeg, path: string, signal: AbortSignal): Promise<ContainerMetadata> {
  const showEntries = 'format_tags:stream=index,codec_type,codec_name:stream_disposition=attached_pic:stream_tags';
  const wanted = { show: ['-show_entries', showEntries], unreadable: message('failure.unreadable-file'), signal };
  const { format, streams } = FfprobeOutput.parse(await runFfprobe(ffmpeg, path, wanted));
  const streamsOf = (type: string) =>
    streams.flatMap((stream) => (stream.codec_type === type ? [{ ...stream, tags: byName(stream.tags) }] : []));
  return {
    // Ogg and Opus have the tags in the audio stream.
    tags: new Map([...(streamsOf('audio')[0]?.tags ?? []), ...byName(format.tags)]),
    covers: streamsOf('video').flatMap(({ index, disposition }) => (disposition.attached_pic === 1 ? [index] : [])),
    subtitles: streamsOf('subtitle').map(({ index, codec_name, tags }) => {
      const lang = shortCode(tags.get('language'));
      return { index, codec: codec_name, lang, name: (tags.get('title') ?? tags.get('name') ?? lang).slice(0, 100) };
    }),
    attachments: streamsOf('attachment').map(({ index, tags }) => ({
      index,
      name: tags.get('filename') ?? '',
      type: tags.get('mimetype') ?? '',
    })),
  };
}

/** A stream and the file it is extracted to. */
export interface StreamRef {
  index: number;
  target: string;
}

interface ExtractOptions {
  path: string;
  /** A private folder. */
  cwd: string;
  signal: AbortSignal;
}

const commonOptions = ['-nostdin', '-hide_banner', '-v', 'error', '-threads', '1', '-n'];
// The whole file is read, however large, so only a long silence is a failure.
const runOptions = { silenceMs: 3_600_000, limits: { memoryBytes: 4 * 1024 ** 3, fileBytes: 64 * 1024 ** 2 } };

// ffmpeg requires an output; this one writes nothing.
const nullOutput = ['-map', '0:V?', '-map', '0:a?', '-c', 'copy', '-t', '0', '-f', 'null', '-'];

/** Extracts an attachment unchanged. */
export const extractAttachment = ({ ffmpeg }: Ffmpeg, { index, target }: StreamRef, { path, ...options }: ExtractOptions) =>
  run(ffmpeg, [...commonOptions, `-dump_attachment:${index}`, `file:${target}`, ...fromMedia(path), ...nullOutput], {
    ...options,
    ...runOptions,
  });

/** Extracts a cover image unchanged. */
export const extractCover = ({ ffmpeg }: Ffmpeg, { index, target }: StreamRef, { path, ...options }: ExtractOptions) =>
  run(
    ffmpeg,
    [
      ...commonOptions,
      ...fromMedia(path),
      '-map',
      `0:${index}`,
      '-frames:v',
      '1',
      '-c',
      'copy',
      '-f',
      'image2pipe',
      `file:${target}`,
    ],
    { ...options, ...runOptions },
  );

/** Extracts subtitles as WebVTT. The file is read once for all of them. */
export const extractSubtitles = ({ ffmpeg }: Ffmpeg, wanted: StreamRef[], { path, ...options }: ExtractOptions) =>
  run(
    ffmpeg,
    [
      ...commonOptions,
      ...fromMedia(path),
      ...wanted.flatMap(({ index, target }) => ['-map', `0:${index}`, '-f', 'webvtt', `file:${target}`]),
    ],
    { ...options, ...runOptions },
  );
