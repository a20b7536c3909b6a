import { join } from 'node:path';
import { z } from 'zod';
import { takeAttachment, type Inside } from '../media/inside.ts';
import { isReadableText, readText } from '../media/read-text.ts';
import { readInfo, type VideoInfo } from '../ytdlp/info.ts';
import type { Group } from './import-groups.ts';
import { noteOfGanymede, ganymedeVideo, readGanymede } from './import-ganymede.ts';
import { readNfo, type Nfo } from './import-nfo.ts';
import { notedOf, type Note, type Noted } from './import-note.ts';
import { noteFor } from './import-notes.ts';
import { mostBytes, textOf } from './import-text.ts';
import { withoutDay } from './import-ytdl-sub.ts';
import type { Importing } from './importing.ts';

/** What the files themselves tell of a video. */
export interface Local {
  info: VideoInfo | null;
  /** Where that stands, and whether it was inside the media file. */
  infoPath: string | null;
  isInside: boolean;
  /** When it was fetched, epoch seconds. */
  fetchedAt: number | null;
  /** How much of the video may have been cut out: what yt-dlp knew of sponsors. */
  cutSeconds: number;
  /** The tracks of subtitles that the site had, by language. */
  tracks: Map<string, { source: 'user' | 'auto'; name: string }>;
  /** What the program that fetched it noted of it. */
  noted: Noted | null;
  nfoId: string | null;
  description: string | null;
  /** The names of those that could not be read. */
  unread: Set<string>;
}

const nothing = { info: null, infoPath: null, isInside: false, fetchedAt: null, cutSeconds: 0, tracks: new Map() };

const Tracks = z.record(z.string(), z.array(z.object({ name: z.string().catch('') })).catch([])).catch({});
const Around = z.object({
  _type: z.string().nullish().catch(null),
  id: z.string().catch(''),
  webpage_url: z.string().nullish().catch(null),
  extractor: z.string().nullish().catch(null),
  extractor_key: z.string().nullish().catch(null),
  epoch: z.number().nullish().catch(null),
  sponsorblock_chapters: z
    .array(z.object({ start_time: z.number(), end_time: z.number() }))
    .nullish()
    .catch(null),
  subtitles: Tracks,
  automatic_captions: Tracks,
});

/** Reads a description as one text of ours. Throws when nobody can tell how it was written. */
async function descriptionOf(path: string): Promise<string | null> {
  if (!(await isReadableText(path, mostBytes))) throw new Error('It is not in UTF-8, so it stays where it is.');
  const text = (await readText(path)).replaceAll('\0', '').replace(/\r\n?/g, '\n').trim();
  return text.slice(0, 50_000).toWellFormed() || null;
}

/** Reads an info.json; null when it is that of a channel or playlist. Throws when it is none. */
async function readInfoFile(
  path: string,
): Promise<Omit<Local, 'noted' | 'nfoId' | 'description' | 'isInside' | 'unread'> | null> {
  const json = JSON.parse(await textOf(path)) as unknown;
  const { _type: type, ...around } = Around.parse(json);
  if (type && type !== 'video') return null;
  // Written by hand, or by a program that knows one site only: then it does not say which.
  const isNameless = !around.extractor && !around.extractor_key && !around.webpage_url;
  const isYoutube = isNameless && /^[-\w]{11}$/.test(around.id);
  const info = readInfo(isYoutube ? { ...(json as object), extractor_key: 'Youtube' } : json);
  const track = (source: 'user' | 'auto', tracks: z.output<typeof Tracks>) =>
    Object.entries(tracks).map(([lang, [first]]) => [lang, { source, name: (first?.name || lang).slice(0, 100) }] as const);
  return {
    info,
    infoPath: path,
    fetchedAt: around.epoch ? Math.floor(around.epoch) : null,
    cutSeconds: (around.sponsorblock_chapters ?? []).reduce((sum, part) => sum + Math.max(0, part.end_time - part.start_time), 0),
    tracks: new Map([...track('auto', around.automatic_captions), ...track('user', around.subtitles)]),
  };
}

function whyNotRead(problem: unknown): unknown {
  if (problem instanceof SyntaxError) return 'It is damaged, and was passed over.';
  return problem instanceof z.ZodError ? 'It is no info.json of a video, and was passed over.' : problem;
}

const isInfo = ({ name, type }: Inside['attachments'][number]) =>
  name.toLowerCase().endsWith('info.json') || type === 'application/json';

/** Whether an attachment is yt-dlp's info.json, which is taken out. */
export const infoAttachments = ({ attachments }: Inside) => attachments.filter(isInfo).map(({ index }) => index);

/** What a video is called by what stands beside it, where nothing else tells. */
function titleBeside({ base }: Group, { by }: Note, nfo: Nfo | null): string {
  if (by === 'ytdl-sub') return withoutDay(nfo?.title ?? base);
  return nfo?.title ?? ganymedeVideo.exec(base)?.[1] ?? base;
}

/**
 * Reads what stands beside a media file, or in it. What of that cannot be read is a line in the report, and counts as not
 * there. `folder` takes what has to be taken out, and lives as long as the answer is used.
 */
export async function readLocal(
  { ffmpeg, work, notes }: Pick<Importing, 'ffmpeg' | 'work' | 'notes'>,
  group: Group,
  { inside, folder }: { inside: Inside; folder: string },
): Promise<Local> {
  const unread = new Set<string>();
  const attempt = async <T>(what: string, read: () => Promise<T>): Promise<T | null> => {
    try {
      return await read();
    } catch (problem) {
      work.signal.throwIfAborted();
      unread.add(what);
      work.skip(`${group.path} (${what})`, whyNotRead(problem));
      return null;
    }
  };
  const at = (name: string) => join(group.folder, name);
  const { info, ganymede, nfo, description } = group;
  const beside = info && (await attempt(info, () => readInfoFile(at(info))));
  const [index] = infoAttachments(inside);
  const within =
    !beside && index !== undefined
      ? await attempt('info.json inside', async () => {
          const target = join(folder, 'info.json');
          await takeAttachment(ffmpeg, { index, target }, { path: at(group.media), cwd: folder, signal: work.signal });
          return readInfoFile(target);
        })
      : null;
  const nfoText = nfo && (await attempt(nfo, () => textOf(at(nfo))));
  const told = nfoText ? readNfo(nfoText) : null;
  const ofGanymede = ganymede && (await attempt(ganymede, async () => readGanymede(JSON.parse(await textOf(at(ganymede))))));
  const note = noteFor(notes, group.path) ?? (ganymedeVideo.test(group.base) ? noteOfGanymede(group, ofGanymede || null) : null);
  const words = description && (await attempt(description, () => descriptionOf(at(description))));
  return {
    ...nothing,
    ...(beside ?? within),
    isInside: !beside && within !== null,
    noted: note && notedOf(note, { title: titleBeside(group, note, told), page: told?.page ?? null }),
    nfoId: told?.id ?? null,
    description: words,
    unread,
  };
}
