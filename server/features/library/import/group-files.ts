import { message, type Message } from '#contract/messages.ts';
import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { messagesOf } from '../../../platform/messages/message-error.ts';
import { exists } from '../../../platform/files/files.ts';
import { isGanymedeVideo } from './ganymede.ts';
import { metubeFolder } from './read-foreign-metadata.ts';
import { ytdlSubFile } from './ytdl-sub.ts';
import { ignoredNames } from '../../../archive/storage/walk.ts';

/** A media file of the import folder with its sidecar files; names without folder. */
export interface FileGroup {
  /** Relative to the import folder, with forward slashes; used in reports. */
  path: string;
  folder: string;
  /** The name without extension. */
  base: string;
  media: string;
  info: string | null;
  /** The info file of Ganymede, whose format differs from yt-dlp's. */
  ganymede: string | null;
  nfo: string | null;
  description: string | null;
  /** Best first. */
  pictures: string[];
  subtitles: { lang: string; file: string }[];
  /** The chat of a stream, of yt-dlp or Reelkeep. */
  chat: string | null;
}

/**
 * A result of the walk: a video with its sidecars, a file or folder with another program's metadata (`state`), or an unusable
 * file with the reason. `isRest` marks leftovers, which are common in folders of other programs.
 */
export type Found = { group: FileGroup } | { state: string } | { path: string; why: Message; isRest?: true };

const mediaEnding = /\.(mp4|m4v|mkv|webm|mov|m4a|mp3|opus|ogg|flac|wav|aac)$/i;
const playlist = /\.m3u8$/i;
const longestPlaylist = 4 * 1024 * 1024;
const piece = /\.(ts|m4s|aac)$/i;
const otherMedia = /\.(avi|flv|wmv|mpe?g|m?ts|m2ts|3gp|vob|rmvb?|ogv|asf)$/i;
// Leftovers of an interrupted yt-dlp: parts, and streams that were not merged.
const unfinished =
  /\.(part|ytdl|part-Frag\d+|temp\.\w{2,4}|f(\d{2,}|hls[-\w]*|dash[-\w]*|https?[-\w]*)(-\w+)?\.\w{2,4})(\.part|\.ytdl)?$/i;
// YouTube names tracks with their own title `en-eEY6OEpapPo`, with eleven characters.
const language = /^(.+)\.([a-z]{2,3}(?:-[a-z0-9]{1,11})*)$/i;

// Known subtitle formats; not all of them can be read.
const subtitle = /\.(vtt|srt|json3|ass|ssa|ttml|srv\d|sbv|lrc)$/i;

// Reelkeep adds a part to the name of a second one (server/archive/chat/place-chat.ts).
const chatFile = /^(.+?)(?:\.live_chat\.json|(?:\.[0-9a-f]{16})?\.chat\.jsonl\.gz)$/i;

interface Sidecar {
  what: 'info' | 'nfo' | 'description' | 'picture' | 'subtitle' | 'chat';
  /** Base names that the file can belong to, with the resulting language; the first existing one is used. */
  bases: { base: string; lang?: string }[];
}

/** Derives the role of a sidecar file from its name; null if it has none. */
function sidecarOf(name: string): Sidecar | null {
  const [, chatted] = chatFile.exec(name) ?? [];
  if (chatted) return { what: 'chat', bases: [{ base: chatted }] };
  const found = /^(.+?)(\.info)?\.(json|nfo|description|jpe?g|png|webp|vtt|srt|json3)$/i.exec(name);
  if (!found) return null;
  const [, stem = '', info = '', ending = ''] = found;
  const whole = stem + info;
  switch (ending.toLowerCase()) {
    case 'json':
      return { what: 'info', bases: [{ base: stem }, { base: whole }] };
    case 'nfo':
    case 'description':
      return { what: ending.toLowerCase() as 'nfo' | 'description', bases: [{ base: whole }] };
    case 'vtt':
    case 'srt':
    case 'json3': {
      const [, base, lang] = language.exec(whole) ?? [];
      return { what: 'subtitle', bases: [{ base: whole, lang: 'und' }, ...(base && lang ? [{ base, lang }] : [])] };
    }
    default:
      return { what: 'picture', bases: [{ base: whole }, { base: whole.replace(/-(thumb|poster|thumbnail)$/i, '') }] };
  }
}

/** Whether a file name is that of a video or of a sidecar file. */
export const isImportable = (name: string) => !unfinished.test(name) && (mediaEnding.test(name) || sidecarOf(name) !== null);

// Images with the plain base name come before `-thumb`; widely supported formats come first.
const pictureOrder = (name: string) => name.length + (/\.jpe?g$/i.test(name) ? 0 : /\.png$/i.test(name) ? 0.1 : 0.2);

function attach(group: FileGroup, { what }: Sidecar, { name, lang = 'und' }: { name: string; lang?: string | undefined }) {
  if (what === 'picture') group.pictures.push(name);
  else if (what === 'subtitle') group.subtitles.push({ lang, file: name });
  else if (what === 'info') group.info = name.endsWith('.info.json') ? name : (group.info ?? name);
  else group[what] = name;
}

const baseOf = (name: string) => name.replace(mediaEnding, '');

/** Joins the path used in reports. */
const below = (under: string, name: string) => (under ? `${under}/${name}` : name);

async function largest(folder: string, names: string[]): Promise<string> {
  // A file deleted meanwhile has size -1.
  const sizeOf = (name: string) =>
    stat(join(folder, name)).then(
      ({ size }) => size,
      () => -1,
    );
  const sized = await Promise.all(names.map(async (name) => ({ name, size: await sizeOf(name) })));
  return sized.toSorted((a, b) => b.size - a.size)[0]!.name;
}

/** Lists stream segments that playlists in the folder name. There can be thousands, so only the playlist is reported. */
async function piecesIn(folder: string, names: string[]): Promise<Set<string>> {
  const named = new Set<string>();
  for (const name of names.filter((one) => playlist.test(one))) {
    const path = join(folder, name);
    const { size } = await stat(path).catch(() => ({ size: Infinity }));
    // A playlist that is too large or unreadable names no segments.
    const text = size <= longestPlaylist ? await readFile(path, 'utf8').catch(() => '') : '';
    for (const line of text.split(/[\r\n"]+/)) named.add(basename(line.trim()));
  }
  return new Set(names.filter((name) => piece.test(name) && named.has(name)));
}

// Files that Ganymede writes next to <base>-video.mp4.
const besideGanymede = /^(.+?)-(?:(info\.json)|(thumbnail\.(?:jpe?g|png|webp))|chat\.(?:json|mp4)|live-chat\.json)$/i;

/** Attaches a Ganymede sidecar to its video. Returns whether it was attached; chat files are not. */
function attachOfGanymede(name: string, groups: Map<string, FileGroup>): boolean {
  const [, base, info, picture] = besideGanymede.exec(name) ?? [];
  const group = base && groups.get(`${base}-video`);
  if (!group) return false;
  if (info) group.ganymede = name;
  else if (picture) group.pictures.push(name);
  return Boolean(info ?? picture);
}

/** Returns the reason why a file is not imported. */
function restOf(name: string, groups: Map<string, FileGroup>): { why: Message; isRest?: true } {
  const [, ganymede] = besideGanymede.exec(name) ?? [];
  if (ganymede && groups.has(`${ganymede}-video`)) return { why: message('import.unsupported-type'), isRest: true };
  const parts = name.split('.');
  if (!parts.some((_, place) => groups.has(parts.slice(0, place).join('.'))))
    return { why: message('import.unrelated'), isRest: true };
  if (subtitle.test(name)) return { why: message('import.unsupported-subtitle') };
  return { why: message('import.unsupported-type'), isRest: true };
}

/** Groups the files of one folder by video. */
async function* groupsOf(folder: string, under: string, names: string[]): AsyncGenerator<Found> {
  for (const name of names)
    if (unfinished.test(name)) yield { path: below(under, name), why: message('import.unfinished'), isRest: true };
  const whole = names.filter((name) => !unfinished.test(name));
  const pieces = await piecesIn(folder, whole);
  const playable = whole.filter((name) => mediaEnding.test(name) && !pieces.has(name));
  // A rendered chat of a recording is not a video.
  const ganymedes = new Set(playable.flatMap((name) => isGanymedeVideo.exec(baseOf(name))?.[1] ?? []));
  const isChat = (name: string) => /-chat\.mp4$/i.test(name) && ganymedes.has(besideGanymede.exec(name)?.[1] ?? '');
  const media = Map.groupBy(
    playable.filter((name) => !isChat(name)),
    baseOf,
  );
  const groups = new Map<string, FileGroup>();
  for (const [base, rivals] of media) {
    const chosen = rivals.length === 1 ? rivals[0]! : await largest(folder, rivals);
    const nothing = { info: null, ganymede: null, nfo: null, description: null, pictures: [], subtitles: [], chat: null };
    groups.set(base, { path: below(under, chosen), folder, base, media: chosen, ...nothing });
    for (const other of rivals.filter((name) => name !== chosen))
      yield { path: below(under, other), why: message('import.larger', { name: chosen }) };
  }
  for (const name of whole) {
    if ((mediaEnding.test(name) && !isChat(name)) || pieces.has(name)) continue;
    const sidecar = sidecarOf(name);
    const place = sidecar?.bases.find(({ base }) => groups.has(base));
    if (sidecar && place) attach(groups.get(place.base)!, sidecar, { name, lang: place.lang });
    else if (attachOfGanymede(name, groups)) continue;
    else if (playlist.test(name) && pieces.size > 0) yield { path: below(under, name), why: message('import.segmented') };
    else if (otherMedia.test(name)) yield { path: below(under, name), why: message('import.unsupported-format') };
    else yield { path: below(under, name), ...restOf(name, groups) };
  }
  for (const group of groups.values()) {
    group.pictures.sort((a, b) => pictureOrder(a) - pictureOrder(b));
    group.subtitles.sort((a, b) => a.file.localeCompare(b.file)); // of two files in one language the .vtt sorts last and is used
    yield { group };
  }
}

/** Returns one media file with its sidecar files; null if it is no media file. */
export async function groupOfFile(folder: string, media: string): Promise<FileGroup | null> {
  if (!mediaEnding.test(media) || unfinished.test(media)) return null;
  const base = baseOf(media);
  const entries = await readdir(folder, { withFileTypes: true });
  const names = entries
    .filter((entry) => entry.isFile() && entry.name.startsWith(base) && (entry.name === media || !mediaEnding.test(entry.name)))
    .map((entry) => entry.name);
  for await (const found of groupsOf(folder, '', names)) if ('group' in found && found.group.media === media) return found.group;
  return null;
}

/** Walks the import folder recursively and yields each media file with its sidecars. Reports unreadable folders and continues. */
export async function* walkGroups(folder: string, under = ''): AsyncGenerator<Found> {
  let all;
  try {
    all = await readdir(folder, { withFileTypes: true });
  } catch (error) {
    yield {
      path: under || folder,
      why: message('files.folder-unreadable', { why: (error as NodeJS.ErrnoException).code ?? messagesOf(error) }),
    };
    return;
  }
  for (const entry of all)
    if (entry.isDirectory() ? entry.name === metubeFolder : entry.isFile() && ytdlSubFile.test(entry.name))
      yield { state: below(under, entry.name) };
  const sorted = all.filter(({ name }) => !ignoredNames.test(name)).toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const ordered = [];
  for (const entry of sorted) {
    // A name with replacement characters for undecodable bytes cannot be opened.
    if (!entry.name.includes('\ufffd') || (await exists(join(folder, entry.name)))) ordered.push(entry);
    else yield { path: below(under, entry.name), why: message('import.name-not-utf8') };
  }
  for (const entry of ordered)
    // Symbolic links are not followed, because their targets may be outside the import folder.
    if (entry.isSymbolicLink()) yield { path: below(under, entry.name), why: message('import.link') };
  yield* groupsOf(
    folder,
    under,
    ordered.flatMap((entry) => (entry.isFile() ? [entry.name] : [])),
  );
  for (const entry of ordered) if (entry.isDirectory()) yield* walkGroups(join(folder, entry.name), below(under, entry.name));
}
