import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { exists } from '../media/shelf.ts';
import { ganymedeVideo } from './import-ganymede.ts';
import { metubeFolder } from './import-notes.ts';
import { ytdlSubFile } from './import-ytdl-sub.ts';
import { notOurs } from './walk-media.ts';

/** A media file of the import folder with what belongs to it; names without their folder. */
export interface Group {
  /** Below the import folder, with forward slashes: how it is called in reports. */
  path: string;
  folder: string;
  /** The name without its ending. */
  base: string;
  media: string;
  info: string | null;
  /** The info file of Ganymede, which is none of yt-dlp's. */
  ganymede: string | null;
  nfo: string | null;
  description: string | null;
  /** The best first. */
  pictures: string[];
  subtitles: { lang: string; file: string }[];
}

/**
 * What the walk comes by: a video; where another program keeps what it noted of its files; something that is no video and why; or
 * what is left over and nothing can be made of, of which there is a lot in any folder of another program.
 */
export type Found = { group: Group } | { state: string } | { path: string; why: string; isRest?: true };

const mediaEnding = /\.(mp4|m4v|mkv|webm|mov|m4a|mp3|opus|ogg|flac|wav|aac)$/i;
const playlist = /\.m3u8$/i;
const longestPlaylist = 4 * 1024 * 1024;
const piece = /\.(ts|m4s|aac)$/i;
const otherMedia = /\.(avi|flv|wmv|mpe?g|m?ts|m2ts|3gp|vob|rmvb?|ogv|asf)$/i;
// What yt-dlp leaves lying when it is interrupted: parts, and single streams before they were put together.
const unfinished =
  /\.(part|ytdl|part-Frag\d+|temp\.\w{2,4}|f(\d{2,}|hls[-\w]*|dash[-\w]*|https?[-\w]*)(-\w+)?\.\w{2,4})(\.part|\.ytdl)?$/i;
// YouTube calls tracks that have a name of their own `en-eEY6OEpapPo`, with eleven characters.
const language = /^(.+)\.([a-z]{2,3}(?:-[a-z0-9]{1,11})*)$/i;

// Kinds of subtitles that there are; not all are read here.
const subtitle = /\.(vtt|srt|json3|ass|ssa|ttml|srv\d|sbv|lrc)$/i;

interface Sidecar {
  what: 'info' | 'nfo' | 'description' | 'picture' | 'subtitle';
  /** The base names it can belong to, and the language it then has; the first that exists is meant. */
  bases: { base: string; lang?: string }[];
}

/** What a name says that a file is to a video of the same base name; null when nothing. */
function sidecarOf(name: string): Sidecar | null {
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

// Those of a name of their own before `-thumb`; what every program reads before the rest.
const pictureOrder = (name: string) => name.length + (/\.jpe?g$/i.test(name) ? 0 : /\.png$/i.test(name) ? 0.1 : 0.2);

function attach(group: Group, { what }: Sidecar, { name, lang = 'und' }: { name: string; lang?: string | undefined }) {
  if (what === 'picture') group.pictures.push(name);
  else if (what === 'subtitle') group.subtitles.push({ lang, file: name });
  else if (what === 'info') group.info = name.endsWith('.info.json') ? name : (group.info ?? name);
  else group[what] = name;
}

const baseOf = (name: string) => name.replace(mediaEnding, '');

/** Where a file stands, as reports call it. */
const below = (under: string, name: string) => (under ? `${under}/${name}` : name);

async function largest(folder: string, names: string[]): Promise<string> {
  // One that is gone by now is none.
  const sizeOf = (name: string) =>
    stat(join(folder, name)).then(
      ({ size }) => size,
      () => -1,
    );
  const sized = await Promise.all(names.map(async (name) => ({ name, size: await sizeOf(name) })));
  return sized.toSorted((a, b) => b.size - a.size)[0]!.name;
}

/** The pieces of films that playlists beside them name: thousands, perhaps, and the playlist is told for all of them. */
async function piecesIn(folder: string, names: string[]): Promise<Set<string>> {
  const named = new Set<string>();
  for (const name of names.filter((one) => playlist.test(one))) {
    const path = join(folder, name);
    const { size } = await stat(path).catch(() => ({ size: Infinity }));
    // What is too large, or cannot be read, names none.
    const text = size <= longestPlaylist ? await readFile(path, 'utf8').catch(() => '') : '';
    for (const line of text.split(/[\r\n"]+/)) named.add(basename(line.trim()));
  }
  return new Set(names.filter((name) => piece.test(name) && named.has(name)));
}

// As Ganymede calls what stands beside <base>-video.mp4.
const besideGanymede = /^(.+?)-(?:(info\.json)|(thumbnail\.(?:jpe?g|png|webp))|chat\.(?:json|mp4)|live-chat\.json)$/i;

/** Puts what Ganymede left to its video; answers whether it belongs to one, of which it may be the chat. */
function attachOfGanymede(name: string, groups: Map<string, Group>): boolean {
  const [, base, info, picture] = besideGanymede.exec(name) ?? [];
  const group = base && groups.get(`${base}-video`);
  if (!group) return false;
  if (info) group.ganymede = name;
  else if (picture) group.pictures.push(name);
  return Boolean(info ?? picture);
}

/** What is said of a file that nothing is made of. */
function restOf(name: string, groups: Map<string, Group>): { why: string; isRest?: true } {
  const [, ganymede] = besideGanymede.exec(name) ?? [];
  if (ganymede && groups.has(`${ganymede}-video`)) return { why: 'Nothing like it is brought in.', isRest: true };
  const parts = name.split('.');
  if (!parts.some((_, place) => groups.has(parts.slice(0, place).join('.'))))
    return { why: 'It is no video, and belongs to none that is here.', isRest: true };
  if (subtitle.test(name))
    return { why: 'Subtitles are brought in as VTT, SRT or JSON3 with a language before it, as in “.pt-BR.vtt”.' };
  return { why: 'Nothing like it is brought in.', isRest: true };
}

/** Puts the files of one folder together that belong together. */
async function* groupsOf(folder: string, under: string, names: string[]): AsyncGenerator<Found> {
  for (const name of names)
    if (unfinished.test(name))
      yield { path: below(under, name), why: 'It is an unfinished download. Let it be finished first.', isRest: true };
  const whole = names.filter((name) => !unfinished.test(name));
  const pieces = await piecesIn(folder, whole);
  const playable = whole.filter((name) => mediaEnding.test(name) && !pieces.has(name));
  // The chat of a recording, drawn as a film, is no video of its own.
  const ganymedes = new Set(playable.flatMap((name) => ganymedeVideo.exec(baseOf(name))?.[1] ?? []));
  const isChat = (name: string) => /-chat\.mp4$/i.test(name) && ganymedes.has(besideGanymede.exec(name)?.[1] ?? '');
  const media = Map.groupBy(
    playable.filter((name) => !isChat(name)),
    baseOf,
  );
  const groups = new Map<string, Group>();
  for (const [base, rivals] of media) {
    const chosen = rivals.length === 1 ? rivals[0]! : await largest(folder, rivals);
    const nothing = { info: null, ganymede: null, nfo: null, description: null, pictures: [], subtitles: [] };
    groups.set(base, { path: below(under, chosen), folder, base, media: chosen, ...nothing });
    for (const other of rivals.filter((name) => name !== chosen))
      yield { path: below(under, other), why: `There is a larger file of the same name, ${chosen}, which is taken.` };
  }
  for (const name of whole) {
    if ((mediaEnding.test(name) && !isChat(name)) || pieces.has(name)) continue;
    const sidecar = sidecarOf(name);
    const place = sidecar?.bases.find(({ base }) => groups.has(base));
    if (sidecar && place) attach(groups.get(place.base)!, sidecar, { name, lang: place.lang });
    else if (attachOfGanymede(name, groups)) continue;
    else if (playlist.test(name) && pieces.size > 0)
      yield { path: below(under, name), why: 'It is a film in pieces, as sites stream it. Make an MP4 or MKV of it first.' };
    else if (otherMedia.test(name))
      yield { path: below(under, name), why: 'Files of this kind cannot be brought in. Make an MP4 or MKV of it first.' };
    else yield { path: below(under, name), ...restOf(name, groups) };
  }
  for (const group of groups.values()) {
    group.pictures.sort((a, b) => pictureOrder(a) - pictureOrder(b));
    group.subtitles.sort((a, b) => a.file.localeCompare(b.file)); // of two in one language the .vtt comes last, and is taken
    yield { group };
  }
}

/**
 * Walks through the import folder, folder by folder: each media file with what belongs to it by its name. What cannot be read
 * is told, and the walk goes on.
 */
export async function* walk(folder: string, under = ''): AsyncGenerator<Found> {
  let all;
  try {
    all = await readdir(folder, { withFileTypes: true });
  } catch (error) {
    yield { path: under || folder, why: `The folder cannot be read (${(error as NodeJS.ErrnoException).code}).` };
    return;
  }
  for (const entry of all)
    if (entry.isDirectory() ? entry.name === metubeFolder : entry.isFile() && ytdlSubFile.test(entry.name))
      yield { state: below(under, entry.name) };
  const sorted = all.filter(({ name }) => !notOurs.test(name)).toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const ordered = [];
  for (const entry of sorted) {
    // What stands for signs that could not be read is no name that anything is found by.
    if (!entry.name.includes('\ufffd') || (await exists(join(folder, entry.name)))) ordered.push(entry);
    else yield { path: below(under, entry.name), why: 'Its name is not in UTF-8, so it cannot be opened. Rename it.' };
  }
  for (const entry of ordered)
    // A link may lead anywhere, and what it leads to is not here to be taken.
    if (entry.isSymbolicLink()) yield { path: below(under, entry.name), why: 'It is only a link. Put the file itself here.' };
  yield* groupsOf(
    folder,
    under,
    ordered.flatMap((entry) => (entry.isFile() ? [entry.name] : [])),
  );
  for (const entry of ordered) if (entry.isDirectory()) yield* walk(join(folder, entry.name), below(under, entry.name));
}
