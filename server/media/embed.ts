import { writeFile } from 'node:fs/promises';
import { dirname, extname } from 'node:path';
import { z } from 'zod';
import { run } from '../child/run.ts';
import { bounds, fromMedia, type Ffmpeg } from './ffmpeg.ts';
import { probe } from './probe.ts';
import { fromPicture } from './thumbnail.ts';

/** What a file is to say of itself. */
export interface Tags {
  title: string;
  artist: string;
  description: string;
  /** The page it came from. */
  comment: string;
  /** YYYYMMDD. */
  date: string;
}

export interface Embedding {
  /** Null leaves the words as they are. */
  tags: Tags | null;
  chapters: { title: string; start: number; end: number }[];
  /** A JPEG; null leaves the picture as it is. */
  cover: string | null;
}

// Where players look for a cover; the other containers have no place for one.
const pictureAsStream = new Set(['.mp4', '.m4v', '.m4a', '.mov', '.mp3']);
const pictureAsAttachment = new Set(['.mkv']);
/** Whether a file of this ending can carry a cover. */
export const takesCover = (ending: string) => pictureAsStream.has(ending) || pictureAsAttachment.has(ending);

const Answer = z.object({
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

/** What a file says of itself now. */
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
  const { stdout } = await run(ffprobe, args, { cwd: dirname(path), signal, timeMs: 60_000 });
  const { format, streams, chapters } = Answer.parse(JSON.parse(stdout));
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

// In ffmpeg's own format of metadata these signs end a value, or begin a section.
const escaped = (text: string) => text.replace(/[=;#\\\n]/g, (sign) => `\\${sign}`);

const chapterText = (chapters: Embedding['chapters']) =>
  [
    ';FFMETADATA1',
    ...chapters.map(
      ({ title, start, end }) =>
        `[CHAPTER]\nTIMEBASE=1/1000\nSTART=${Math.round(start * 1000)}\nEND=${Math.round(end * 1000)}\ntitle=${escaped(title)}`,
    ),
  ].join('\n');

/**
 * Writes a copy of a media file that says what it is: words, chapters, cover. Nothing is encoded anew. Throws when the copy is
 * not as long as the file, or has other streams.
 */
export async function embed(ffmpeg: Ffmpeg, source: string, target: string, what: Embedding, signal: AbortSignal): Promise<void> {
  const ending = extname(source).toLowerCase();
  const before = await readTags(ffmpeg, source, signal);
  const inputs = [...fromMedia(source)];
  const outputs = before.kept.flatMap(({ index }) => ['-map', `0:${index}`]);
  let next = 1;
  let chaptersFrom = 0;
  if (what.tags && what.chapters.length > 0 && !before.hasChapters) {
    const path = `${target}.chapters`;
    await writeFile(path, chapterText(what.chapters));
    inputs.push('-f', 'ffmetadata', ...bounds('ffmetadata'), '-i', `file:${path}`);
    chaptersFrom = next++;
  }
  const videos = before.kept.filter(({ codec_type }) => codec_type === 'video').length;
  const after: string[] = [];
  if (what.cover && pictureAsStream.has(ending)) {
    inputs.push(...(await fromPicture(what.cover)));
    outputs.push('-map', `${next++}:0`);
    after.push(`-disposition:v:${videos}`, 'attached_pic');
  } else if (what.cover && pictureAsAttachment.has(ending))
    after.push('-attach', what.cover, '-metadata:s:t', 'mimetype=image/jpeg', '-metadata:s:t', 'filename=cover.jpg');
  const tags = Object.entries(what.tags ?? {}).flatMap(([key, value]) => ['-metadata', `${key}=${value as string}`]);
  const place = ['.mp4', '.m4v', '.m4a', '.mov'].includes(ending) ? ['-movflags', '+faststart'] : [];
  const quiet = ['-nostdin', '-hide_banner', '-v', 'error', '-threads', '2'];
  const copied = ['-c', 'copy', '-map_metadata', '0', '-map_chapters', String(chaptersFrom)];
  await run(ffmpeg.ffmpeg, [...quiet, ...inputs, ...outputs, ...copied, ...tags, ...after, ...place, '-y', `file:${target}`], {
    cwd: dirname(target),
    signal,
    timeMs: 3600_000,
  });
  const [old, made] = [await probe(ffmpeg, source, signal), await probe(ffmpeg, target, signal)];
  if (Math.abs(old.durationSeconds - made.durationSeconds) > 1 || old.streams.length !== made.streams.length)
    throw new Error('What came of it is not the same film, so the file was left as it is.');
}
