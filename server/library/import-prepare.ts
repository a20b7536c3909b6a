import { copyFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import type { Place } from '../download/bring-in.ts';
import { fetchCommunity } from '../download/community.ts';
import type { Manifest } from '../download/manifest.ts';
import { recordOf } from '../download/record.ts';
import { mostBytes, writeSubtitles, type FoundSubtitle } from '../download/subtitle-files.ts';
import { withPicture } from '../media/fetch-picture.ts';
import { takeCover, takeSubtitles, type Inside } from '../media/inside.ts';
import type { Probe } from '../media/probe.ts';
import { isReadableText } from '../media/read-text.ts';
import { fingerprint, removeFile, syncFile, syncFolder, writeWhole } from '../media/shelf.ts';
import { makeThumbnail } from '../media/thumbnail.ts';
import { currentSettings } from '../settings/read.ts';
import type { Group } from './import-groups.ts';
import { isUnchanged, noteOriginals, originalOf } from './import-journal.ts';
import type { Local } from './import-local.ts';
import { placeMedia } from './import-media.ts';
import type { Told } from './import-metadata.ts';
import type { Importing } from './importing.ts';

/** A file of the import folder of which everything is known. */
export interface Recognised {
  id: string;
  group: Group;
  inside: Inside;
  local: Local;
  told: Told;
  found: Probe;
}

const textCodecs = new Set(['mov_text', 'subrip', 'webvtt', 'ass', 'ssa']);

/** The subtitles beside the file; those inside when there are none. */
async function subtitlesOf({ ffmpeg, work }: Importing, one: Recognised, folder: string): Promise<FoundSubtitle[]> {
  const { group, local, inside } = one;
  const beside: FoundSubtitle[] = [];
  for (const { lang, file } of group.subtitles) {
    const { source, name } = local.tracks.get(lang) ?? { source: 'user', name: lang };
    const path = join(group.folder, file);
    if (await isReadableText(path, mostBytes).catch(() => false)) beside.push({ lang, source, name, path });
  }
  if (beside.length > 0) return beside.toSorted((a, b) => Number(a.source === 'auto') - Number(b.source === 'auto'));

  const count = new Map<string, number>();
  const within = inside.subtitles.flatMap(({ index, codec, lang, name }, place) => {
    if (!textCodecs.has(codec)) return [];
    const nth = (count.get(lang) ?? 0) + 1;
    count.set(lang, nth);
    const own = nth > 1 ? `${lang}-${nth}` : lang; // two variants of a language that the file calls the same
    return [{ index, target: join(folder, `inside-${place}.vtt`), lang: own, name: name === lang ? own : name }];
  });
  if (within.length === 0) return [];
  try {
    await takeSubtitles(ffmpeg, within, { path: join(group.folder, group.media), cwd: folder, signal: work.signal });
  } catch (problem) {
    work.signal.throwIfAborted();
    work.skip(`${group.path} (subtitles inside)`, problem);
    return [];
  }
  return within.map(({ lang, name, target }) => ({ lang, name, source: 'file', path: target }));
}

/** Copies the best picture beside the file that is one; those that are none are added to `staying`, and told. */
async function copyPicture({ ffmpeg, work }: Importing, { group }: Recognised, target: string, staying: Set<string>) {
  const made = `${target}.jpg`;
  for (const name of group.pictures)
    try {
      await copyFile(join(group.folder, name), target);
      await makeThumbnail(ffmpeg, target, made, work.signal);
      return true;
    } catch (problem) {
      work.signal.throwIfAborted();
      if ((problem as NodeJS.ErrnoException).code === 'ENOSPC') throw problem;
      staying.add(name);
      work.skip(`${group.path} (${name})`, 'It cannot be read as a picture, so it stays where it is.');
    } finally {
      await removeFile(made);
    }
  return false;
}

/** The picture beside the file, else the cover inside, else what the site shows; its name in the folder, or null. */
async function pictureOf(importing: Importing, one: Recognised, folder: string, staying: Set<string>): Promise<string | null> {
  const { archive, ffmpeg, work } = importing;
  const { group, inside, told, id } = one;
  const target = join(folder, 'picture');
  if (await copyPicture(importing, one, target, staying)) return 'picture';
  await removeFile(target);
  const [index] = inside.covers;
  const { thumbnailUrl } = told.info;
  try {
    if (index !== undefined)
      await takeCover(ffmpeg, { index, target }, { path: join(group.folder, group.media), cwd: folder, signal: work.signal });
    else if (told.from === 'site' && thumbnailUrl)
      await withPicture(archive.tools.gate.fetch, thumbnailUrl, target, work.signal, (path) => copyFile(path, target));
    else return null;
    return 'picture';
  } catch (problem) {
    work.signal.throwIfAborted();
    archive.log.info({ id, err: problem }, 'the thumbnail is taken from the video');
    return null;
  }
}

/** What volunteers know of the video; asked for as for a download, when its site could be asked too. */
const communityOf = async ({ archive, work }: Importing, { told: { info, from } }: Recognised) =>
  from === 'site' ? fetchCommunity(archive, info, work.signal) : { sponsorblock: null, votes: null };

/** Every file that may go when the video is in the archive. What could not be read stays, and an info.json that is not of the video. */
const namesOf = ({ media, info, nfo, description, pictures, subtitles }: Group, { info: read, isInside, unread }: Local) =>
  [media, read && !isInside ? info : null, nfo, description, ...pictures, ...subtitles.map(({ file }) => file)].filter(
    (name) => name !== null && !unread.has(name),
  ) as string[];

/** Subtitles beside that nothing came of, neither of them nor of others in their language: the only ones must not go. */
function unreadOf({ subtitles }: Group, written: Awaited<ReturnType<typeof writeSubtitles>>): Set<string> {
  const read = new Set(written.filter(({ source }) => source !== 'file').map(({ lang }) => lang));
  return new Set(subtitles.filter(({ lang }) => !read.has(lang)).map(({ file }) => file));
}

/** Whether a description beside says what neither the video nor the info.json that goes along with it says. */
function isOtherwise({ description, info }: Local, said: string | null) {
  const plain = (text: string | null | undefined) => text?.replace(/\r\n?/g, '\n');
  return description !== null && ![said, info?.description].some((text) => plain(text) === description);
}

/** When it was fetched once: as the info.json says, else when the file was last written; never in the future. */
const fetchedAt = ({ fetchedAt: said }: Local, changedAtMs: number, now: number) =>
  Math.min(now, said !== null && said > 978_307_200 ? said : Math.floor(changedAtMs / 1000));

/** Fills the folder of a video with all that goes to the shelf, and says what its rows are to be. The originals stay as they are. */
export async function prepare(importing: Importing, one: Recognised, { folder, number, kind }: Place): Promise<Manifest> {
  const { archive, work } = importing;
  const { id, group, local, told } = one;
  const source = join(group.folder, group.media);
  const names = namesOf(group, local);
  const originals = await Promise.all(names.map((name) => originalOf(archive, join(group.folder, name))));
  const original = originals[0]!;

  const { file, found } = await placeMedia(importing, { source, found: one.found, inside: one.inside }, folder);
  const path = join(folder, file);
  const [media] = await Promise.all([fingerprint(path, work.signal), syncFile(path)]);
  const subtitles = await writeSubtitles(folder, await subtitlesOf(importing, one, folder), work.skip);
  const staying = unreadOf(group, subtitles);
  for (const name of staying)
    work.skip(`${group.path} (${name})`, 'No subtitles in UTF-8 could be read in it, so it stays where it is.');
  const thumbnail = await pictureOf(importing, one, folder, staying);
  const hasInfo = local.infoPath !== null || told.json !== null;
  if (local.infoPath) await copyFile(local.infoPath, join(folder, 'info.json'));
  else if (hasInfo) await writeWhole(join(folder, 'info.json'), JSON.stringify(told.json));
  if (!(await isUnchanged(archive, original)))
    throw new Error('It was written to meanwhile. Start the import again when it is whole.');

  const downloadedAt = fetchedAt(local, original.changedAtMs, archive.now());
  const info = {
    ...told.info,
    description: told.info.description ?? local.description,
    publishedAt: told.info.publishedAt ?? downloadedAt, // as new as today it is not
  };
  if (group.description && isOtherwise(local, info.description)) {
    staying.add(group.description);
    const why = 'It says something else than what the video has now, so it stays where it is.';
    work.skip(`${group.path} (${group.description})`, why);
  }
  const { channel, video } = recordOf({
    item: { id, kind },
    info,
    probe: found,
    media,
    extension: extname(file),
    subtitles,
    ...(await communityOf(importing, one)),
    hasLines: (await currentSettings(archive)).downloads.subtitle_index,
    hasComments: info.comments.length > 0,
    now: archive.now(),
  });
  const stem = `${video.channelId}/${id}`;
  const sidecar = async (from: string, to: string) => {
    await syncFile(join(folder, from));
    return { from, to, ...(await fingerprint(join(folder, from))) };
  };
  const files = await Promise.all([
    ...(hasInfo ? [sidecar('info.json', `${stem}.info.json`)] : []),
    ...subtitles.map(({ file: from, lang }) => sidecar(from, `${stem}.${lang}.vtt`)),
  ]);
  files.push({ from: file, to: video.mediaPath, ...media });
  await syncFolder(folder);
  const leaving = work.input.leave_files ? [] : originals.filter((_, place) => !staying.has(names[place]!));
  await noteOriginals(archive, { id, sha256: media.sha256, files: leaving }); // also where none go: an earlier run may have meant to
  return {
    version: 1,
    number,
    isForced: false,
    files,
    thumbnail,
    channel,
    video: { ...video, isKept: 1, downloadedAt },
  };
}
