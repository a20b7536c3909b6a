import { writeFile } from 'node:fs/promises';
import { dirname, extname } from 'node:path';
import { z } from 'zod';
import { run } from '../process/run.ts';
import { resourceLimits, fromMedia, type Ffmpeg } from './ffmpeg.ts';
import { maxOutputLength, probe } from './probe.ts';
import { renderFromImage } from './thumbnail.ts';

/** Tags to embed into a media file. */
export interface Tags {
  title: string;
  artist: string;
  description: string;
  /** URL of the original page. */
  comment: string;
  /** YYYYMMDD. */
  date: string;
}

export interface Embedding {
  /** Null keeps the existing tags. */
  tags: Tags | null;
  chapters: { title: string; start: number; end: number }[];
  /** Writes `chapters` also without tags and into a file that has its own. */
  replacesChapters?: true;
  /** A JPEG; null keeps the existing cover. */
  cover: string | null;
}

// Containers in which players look for covers.
const pictureAsStream = new Set(['.mp4', '.m4v', '.m4a', '.mov', '.mp3']);
const pictureAsAttachment = new Set(['.mkv']);
/** Returns whether a file with this extension can have a cover. */
export const canEmbedCover = (extension: string) => pictureAsStream.has(extension) || pictureAsAttachment.has(extension);

const FfprobeOutput = z.object({
  format: z.object({ tags: z.record(z.string(), z.string()).catch({}) }).catch({ tags: {} }),
  chapters: z.array(z.unknown()).catch([]),
  streams: z
    .array(
      z.object({
        index: z.int(),
        codec_type: z.string(),
        disposition: z.object({ attached_pic: z.int().catch(0) }).catch({ attached_pic: 0 }),
        tags: z.record(z.string(), z.string()).catch({}),
      }),
    )
    .catch([]),
});

/** Reads the tags, chapters and streams of a file. */
export async function readTags({ ffprobe }: Ffmpeg, path: string, signal: AbortSignal) {
  const args = [
    '-hide_banner',
    '-v',
    'error',
    '-of',
    'json',
    '-show_format',
    '-show_streams',
    '-show_chapters',
    ...fromMedia(path),
  ];
  const { stdout } = await run(ffprobe, args, { cwd: dirname(path), signal, timeMs: 60_000, keep: maxOutputLength });
  const { format, streams, chapters } = FfprobeOutput.parse(JSON.parse(stdout));
  const lower = Object.fromEntries(Object.entries(format.tags).map(([key, value]) => [key.toLowerCase(), value]));
  const isCover = (one: (typeof streams)[number]) =>
    one.disposition.attached_pic === 1 || (one.codec_type === 'attachment' && one.tags['mimetype'] === 'image/jpeg');
  return {
    title: lower['title'] ?? '',
    artist: lower['artist'] ?? '',
    comment: lower['comment'] ?? '',
    hasCover: streams.some(isCover),
    hasChapters: chapters.length > 0,
    kept: streams.filter((one) => ['video', 'audio', 'subtitle'].includes(one.codec_type) && !isCover(one)),
  };
}

// Characters with a meaning in the ffmetadata format.
const escaped = (text: string) => text.replace(/[=;#\\\n]/g, (sign) => `\\${sign}`);

/** Serializes chapters in the ffmetadata format. */
export const chapterText = (chapters: Embedding['chapters']) =>
  [
    ';FFMETADATA1',
    ...chapters.map(
      ({ title, start, end }) =>
        `[CHAPTER]\nTIMEBASE=1/1000\nSTART=${Math.round(start * 1000)}\nEND=${Math.round(end * 1000)}\ntitle=${escaped(title)}`,
    ),
  ].join('\n');

/** Arguments for a file of chapters as a restricted input. */
export const fromChapters = (path: string) => ['-f', 'ffmetadata', ...resourceLimits('ffmetadata'), '-i', `file:${path}`];

/**
 * Writes a copy of a media file with tags, chapters and cover, without re-encoding.
 * @throws if duration or streams of the copy differ
 */
export async function embed(ffmpeg: Ffmpeg, source: string, target: string, what: Embedding, signal: AbortSignal): Promise<void> {
  const extension = extname(source).toLowerCase();
  const before = await readTags(ffmpeg, source, signal);
  const inputs = [...fromMedia(source)];
  const outputs = before.kept.flatMap(({ index }) => ['-map', `0:${index}`]);
  let next = 1;
  let chaptersFrom = 0;
  const writesChapters = what.replacesChapters ?? (what.tags !== null && !before.hasChapters);
  if (writesChapters && what.chapters.length > 0) {
    const path = `${target}.chapters`;
    await writeFile(path, chapterText(what.chapters));
    inputs.push(...fromChapters(path));
    chaptersFrom = next++;
  }
  const videos = before.kept.filter(({ codec_type }) => codec_type === 'video').length;
  const after: string[] = [];
  if (what.cover && pictureAsStream.has(extension)) {
    inputs.push(...(await renderFromImage(what.cover)));
    outputs.push('-map', `${next++}:0`);
    after.push(`-disposition:v:${videos}`, 'attached_pic');
  } else if (what.cover && pictureAsAttachment.has(extension))
    after.push('-attach', what.cover, '-metadata:s:t', 'mimetype=image/jpeg', '-metadata:s:t', 'filename=cover.jpg');
  const tags = Object.entries(what.tags ?? {}).flatMap(([key, value]) => ['-metadata', `${key}=${value as string}`]);
  const position = ['.mp4', '.m4v', '.m4a', '.mov'].includes(extension) ? ['-movflags', '+faststart'] : [];
  const commonOptions = ['-nostdin', '-hide_banner', '-v', 'error', '-threads', '2'];
  const copied = ['-c', 'copy', '-map_metadata', '0', '-map_chapters', String(chaptersFrom)];
  await run(
    ffmpeg.ffmpeg,
    [...commonOptions, ...inputs, ...outputs, ...copied, ...tags, ...after, ...position, '-y', `file:${target}`],
    {
      cwd: dirname(target),
      signal,
      timeMs: 3600_000,
    },
  );
  const [old, created] = [await probe(ffmpeg, source, signal), await probe(ffmpeg, target, signal)];
  if (Math.abs(old.durationSeconds - created.durationSeconds) > 1 || old.streams.length !== created.streams.length)
    throw new Error('What came of it is not the same film, so the file was left as it is.');
}
