import { message, type Message } from '#contract/messages.ts';
import { join } from 'node:path';
import { z } from 'zod';
import { extractAttachment, type ContainerMetadata } from '../../../platform/media/container-metadata.ts';
import { isReadableText, readText } from '../../../platform/media/read-text.ts';
import { MessageError, messagesOf } from '../../../platform/messages/message-error.ts';
import { readInfo, type VideoInfo } from '../../../platform/ytdlp/info.ts';
import type { FileGroup } from './group-files.ts';
import { ganymedeMetadata, isGanymedeVideo, readGanymede } from './ganymede.ts';
import { readNfo, type Nfo } from './nfo.ts';
import { foreignFieldsOf, type ForeignMetadata, type ForeignFields } from './foreign-metadata.ts';
import { metadataFor } from './read-foreign-metadata.ts';
import { tubearchivistMetadata } from './tubearchivist.ts';
import { maxBytes, textOf } from './read-text.ts';
import { withoutDate } from './ytdl-sub.ts';
import type { ImportContext } from './context.ts';

/** Metadata from the media file and the files next to it. */
export interface Sidecars {
  info: VideoInfo | null;
  /** Path of the info.json, and whether it was embedded in the media file. */
  infoPath: string | null;
  isInside: boolean;
  /** Download time, epoch seconds. */
  fetchedAt: number | null;
  /** Length that may have been cut out, from the sponsor segments in the info.json. */
  cutSeconds: number;
  /** Subtitle tracks at the site, by language. */
  tracks: Map<string, { source: 'user' | 'auto'; name: string }>;
  /** Metadata from the program that downloaded the file. */
  noted: ForeignFields | null;
  nfoId: string | null;
  description: string | null;
  /** Names of unreadable files. */
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

/**
 * Reads a description file.
 * @throws if it is not in UTF-8.
 */
async function descriptionOf(path: string): Promise<string | null> {
  if (!(await isReadableText(path, maxBytes))) throw new MessageError(message('import.not-utf8'));
  const text = (await readText(path)).replaceAll('\0', '').replace(/\r\n?/g, '\n').trim();
  return text.slice(0, 50_000).toWellFormed() || null;
}

/**
 * Reads an info.json; null if it belongs to a channel or playlist.
 * @throws if it is no info.json.
 */
async function readInfoFile(
  path: string,
): Promise<Omit<Sidecars, 'noted' | 'nfoId' | 'description' | 'isInside' | 'unread'> | null> {
  const json = JSON.parse(await textOf(path)) as unknown;
  const { _type: type, ...around } = Around.parse(json);
  if (type && type !== 'video') return null;
  // The file was written manually or by a program for a single site, so it does not name the site.
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

function whyNotRead(problem: unknown): Message[] {
  if (problem instanceof SyntaxError) return [message('import.damaged')];
  return problem instanceof z.ZodError ? [message('import.no-info')] : messagesOf(problem);
}

const isInfo = ({ name, type }: ContainerMetadata['attachments'][number]) =>
  name.toLowerCase().endsWith('info.json') || type === 'application/json';

/** Returns the indexes of attachments that are yt-dlp's info.json. */
export const infoAttachments = ({ attachments }: ContainerMetadata) => attachments.filter(isInfo).map(({ index }) => index);

/** Derives a title from the files next to the video if nothing else has one. */
function titleOf({ base }: FileGroup, { by }: ForeignMetadata, nfo: Nfo | null): string {
  if (by === 'ytdl-sub') return withoutDate(nfo?.title ?? base);
  return nfo?.title ?? isGanymedeVideo.exec(base)?.[1] ?? base;
}

/**
 * Reads the files next to a media file and the metadata embedded in it. Unreadable ones are reported and ignored. Extracted files
 * are written to `folder`, which must exist as long as the result is used.
 */
export async function readSidecars(
  { ffmpeg, work, notes }: Pick<ImportContext, 'ffmpeg' | 'work' | 'notes'>,
  group: FileGroup,
  { inside, folder }: { inside: ContainerMetadata; folder: string },
): Promise<Sidecars> {
  const unread = new Set<string>();
  const attempt = async <T>(what: string, read: () => Promise<T>): Promise<T | null> => {
    try {
      return await read();
    } catch (problem) {
      work.signal.throwIfAborted();
      unread.add(what);
      work.skip(`${group.path} (${what})`, whyNotRead(problem), { cause: problem });
      return null;
    }
  };
  const at = (name: string) => join(group.folder, name);
  const { info, ganymede, nfo, description } = group;
  const sidecar = info && (await attempt(info, () => readInfoFile(at(info))));
  const [index] = infoAttachments(inside);
  const within =
    !sidecar && index !== undefined
      ? await attempt('info.json inside', async () => {
          const target = join(folder, 'info.json');
          await extractAttachment(ffmpeg, { index, target }, { path: at(group.media), cwd: folder, signal: work.signal });
          return readInfoFile(target);
        })
      : null;
  const nfoText = nfo && (await attempt(nfo, () => textOf(at(nfo))));
  const nfoMetadata = nfoText ? readNfo(nfoText) : null;
  const ofGanymede = ganymede && (await attempt(ganymede, async () => readGanymede(JSON.parse(await textOf(at(ganymede))))));
  const embedded = await attempt('embedded metadata of TubeArchivist', async () => tubearchivistMetadata(inside));
  const note =
    embedded?.note ??
    metadataFor(notes, group.path) ??
    (isGanymedeVideo.test(group.base) ? ganymedeMetadata(group, ofGanymede || null) : null);
  const words = description && (await attempt(description, () => descriptionOf(at(description))));
  return {
    ...nothing,
    ...(embedded && { fetchedAt: embedded.fetchedAt }),
    ...(sidecar ?? within),
    ...(note?.fetchedAt && { fetchedAt: note.fetchedAt }),
    isInside: !sidecar && within !== null,
    noted: note && foreignFieldsOf(note, { title: titleOf(group, note, nfoMetadata), page: nfoMetadata?.page ?? null }),
    nfoId: nfoMetadata?.id ?? null,
    description: words,
    unread,
  };
}
