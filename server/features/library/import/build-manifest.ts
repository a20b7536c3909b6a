import { message } from '#contract/messages.ts';
import { copyFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import type { IngestTarget } from '../../../archive/publish/ingest-local-file.ts';
import { fetchSponsorblockAndVotes, sponsorblockOf } from '../../../archive/sites/sponsorblock-and-votes.ts';
import type { Manifest } from '../../../archive/publish/manifest.ts';
import { prepareChat } from '../../../archive/chat/prepare-chat.ts';
import type { ChatInput } from '../../../archive/chat/write-chat.ts';
import { newStem, stemOf } from '../../../archive/storage/upload.ts';
import { buildVideoRow } from '../../../archive/publish/build-video-row.ts';
import { maxSubtitleBytes, writeSubtitles, type FoundSubtitle } from '../../../archive/publish/subtitle-files.ts';
import { withFetchedImage } from '../../../platform/media/fetch-picture.ts';
import { extractCover, extractSubtitles, type ContainerMetadata } from '../../../platform/media/container-metadata.ts';
import type { Probe } from '../../../platform/media/probe.ts';
import { isReadableText } from '../../../platform/media/read-text.ts';
import { fingerprint, removeFile, syncFile, syncFolder, writeAtomically } from '../../../platform/files/files.ts';
import { MessageError } from '../../../platform/messages/message-error.ts';
import { makeThumbnail } from '../../../platform/media/thumbnail.ts';
import { readSettings } from '../../../archive/settings/store.ts';
import type { FileGroup } from './group-files.ts';
import { isUnchanged, recordOriginals, statOriginal } from './delete-originals.ts';
import type { Sidecars } from './sidecars.ts';
import { placeMedia } from './media.ts';
import type { ImportedMetadata } from './metadata.ts';
import type { ImportContext } from './context.ts';
import { isDiskFull } from '../../../platform/files/free-space.ts';

/** An identified file of the import folder with its metadata. */
export interface RecognizedFile {
  id: string;
  group: FileGroup;
  inside: ContainerMetadata;
  local: Sidecars;
  metadata: ImportedMetadata;
  found: Probe;
}

const textCodecs = new Set(['mov_text', 'subrip', 'webvtt', 'ass', 'ssa']);

/** Returns the subtitle files next to the media file, or the embedded subtitles if there are none. */
async function subtitlesOf({ ffmpeg, work }: ImportContext, one: RecognizedFile, folder: string): Promise<FoundSubtitle[]> {
  const { group, local, inside } = one;
  const sidecars: FoundSubtitle[] = [];
  for (const { lang, file } of group.subtitles) {
    const { source, name } = local.tracks.get(lang) ?? { source: 'user', name: lang };
    const path = join(group.folder, file);
    if (await isReadableText(path, maxSubtitleBytes).catch(() => false)) sidecars.push({ lang, source, name, path });
  }
  if (sidecars.length > 0) return sidecars.toSorted((a, b) => Number(a.source === 'auto') - Number(b.source === 'auto'));

  const count = new Map<string, number>();
  const within = inside.subtitles.flatMap(({ index, codec, lang, name }, place) => {
    if (!textCodecs.has(codec)) return [];
    const nth = (count.get(lang) ?? 0) + 1;
    count.set(lang, nth);
    const own = nth > 1 ? `${lang}-${nth}` : lang; // the file uses the same language code twice
    return [{ index, target: join(folder, `inside-${place}.vtt`), lang: own, name: name === lang ? own : name }];
  });
  if (within.length === 0) return [];
  try {
    await extractSubtitles(ffmpeg, within, { path: join(group.folder, group.media), cwd: folder, signal: work.signal });
  } catch (problem) {
    work.signal.throwIfAborted();
    work.skip(`${group.path} (embedded subtitles)`, problem as Error);
    return [];
  }
  return within.map(({ lang, name, target }) => ({ lang, name, source: 'file', path: target }));
}

/** Copies the best readable image next to the file. Unreadable ones are reported and added to `staying`. */
async function copyPicture({ ffmpeg, work }: ImportContext, { group }: RecognizedFile, target: string, staying: Set<string>) {
  const made = `${target}.jpg`;
  for (const name of group.pictures)
    try {
      await copyFile(join(group.folder, name), target);
      await makeThumbnail(ffmpeg, target, made, work.signal);
      return true;
    } catch (problem) {
      work.signal.throwIfAborted();
      if (isDiskFull(problem)) throw problem;
      staying.add(name);
      work.skip(`${group.path} (${name})`, message('import.no-picture'));
    } finally {
      await removeFile(made);
    }
  return false;
}

/** Creates the thumbnail from the image next to the file, the embedded cover, or the site. Returns its file name, or null. */
async function pictureOf(
  importing: ImportContext,
  one: RecognizedFile,
  folder: string,
  staying: Set<string>,
): Promise<string | null> {
  const { app, ffmpeg, work } = importing;
  const { group, inside, metadata, id } = one;
  const target = join(folder, 'picture');
  if (await copyPicture(importing, one, target, staying)) return 'picture';
  await removeFile(target);
  const [index] = inside.covers;
  const { thumbnailUrl } = metadata.info;
  try {
    if (index !== undefined)
      await extractCover(ffmpeg, { index, target }, { path: join(group.folder, group.media), cwd: folder, signal: work.signal });
    else if (metadata.from === 'site' && thumbnailUrl)
      await withFetchedImage(app.tools.proxy.fetch, thumbnailUrl, target, work.signal, (path) => copyFile(path, target));
    else return null;
    return 'picture';
  } catch (problem) {
    work.signal.throwIfAborted();
    app.log.info({ id, err: problem }, 'the thumbnail is taken from the video');
    return null;
  }
}

/** Converts the chat next to the file. Returns null if there is none, or none that can be read: it is reported then, and stays. */
async function chatOf(
  { work }: ImportContext,
  { group, metadata }: RecognizedFile,
  { folder, stem, staying }: { folder: string; stem: string; staying: Set<string> },
) {
  if (group.chat === null) return null;
  const path = join(group.folder, group.chat);
  const { startsAt } = metadata.info;
  const input: ChatInput = group.chat.toLowerCase().endsWith('.gz')
    ? { path, format: 'stored' }
    : { path, format: 'raw', startMs: startsAt === null ? null : startsAt * 1000 };
  const prepared = await prepareChat([input], { folder, stem, source: 'replay', signal: work.signal });
  if (prepared) return prepared;
  staying.add(group.chat);
  work.skip(`${group.path} (${group.chat})`, message('import.chat'));
  return null;
}

/** Fetches SponsorBlock segments and votes as for a download, if the metadata came from the site. */
async function communityOf({ app, work }: ImportContext, { found, metadata: { info, from } }: RecognizedFile) {
  if (from !== 'site') return { sponsorblock: null, votes: null };
  const { durationSeconds } = found;
  const { segments, votes } = await fetchSponsorblockAndVotes(app, { ...info, durationSeconds }, work.signal);
  return { sponsorblock: segments && sponsorblockOf(segments, app.now()), votes };
}

/** Lists the files to delete once the video is archived. Unreadable files and an info.json that is not the video's stay. */
const namesOf = (
  { media, info, nfo, description, pictures, subtitles, chat }: FileGroup,
  { info: read, isInside, unread }: Sidecars,
) =>
  [media, read && !isInside ? info : null, nfo, description, chat, ...pictures, ...subtitles.map(({ file }) => file)].filter(
    (name) => name !== null && !unread.has(name),
  ) as string[];

/** Returns the subtitle files that could not be converted and have no converted file of the same language. They must stay. */
function unreadOf({ subtitles }: FileGroup, written: Awaited<ReturnType<typeof writeSubtitles>>): Set<string> {
  const read = new Set(written.filter(({ source }) => source !== 'file').map(({ lang }) => lang));
  return new Set(subtitles.filter(({ lang }) => !read.has(lang)).map(({ file }) => file));
}

/** Whether the description file differs from the video's description and from that in the info.json. */
function isOtherwise({ description, info }: Sidecars, text: string | null) {
  const plain = (text: string | null | undefined) => text?.replace(/\r\n?/g, '\n');
  return description !== null && ![text, info?.description].some((text) => plain(text) === description);
}

/**
 * Returns the download time from the info.json, else the modification time of the file; never in the future. Values before 2001
 * are ignored.
 */
const fetchedAt = ({ fetchedAt: metadataFetchedAt }: Sidecars, changedAtMs: number, now: number) =>
  Math.min(
    now,
    metadataFetchedAt !== null && metadataFetchedAt > 978_307_200 ? metadataFetchedAt : Math.floor(changedAtMs / 1000),
  );

/** Fills the work folder of a video and returns its manifest. The originals stay unchanged. */
export async function buildManifest(
  importing: ImportContext,
  one: RecognizedFile,
  { folder, number, kind }: IngestTarget,
): Promise<Manifest> {
  const { app, work } = importing;
  const { id, group, local, metadata } = one;
  const source = join(group.folder, group.media);
  const names = namesOf(group, local);
  const originals = await Promise.all(names.map((name) => statOriginal(app, join(group.folder, name))));
  const original = originals[0]!;

  const { file, found } = await placeMedia(importing, { source, found: one.found, inside: one.inside }, folder);
  const path = join(folder, file);
  const [media] = await Promise.all([fingerprint(path, work.signal), syncFile(path)]);
  const subtitles = await writeSubtitles(folder, await subtitlesOf(importing, one, folder), work.skip);
  const staying = unreadOf(group, subtitles);
  for (const name of staying) work.skip(`${group.path} (${name})`, message('import.subtitles'));
  const thumbnail = await pictureOf(importing, one, folder, staying);
  const hasInfo = local.infoPath !== null || metadata.json !== null;
  if (local.infoPath) await copyFile(local.infoPath, join(folder, 'info.json'));
  else if (hasInfo) await writeAtomically(join(folder, 'info.json'), JSON.stringify(metadata.json));
  if (!(await isUnchanged(app, original))) throw new MessageError(message('import.changed'));

  const downloadedAt = fetchedAt(local, original.changedAtMs, app.now());
  const info = {
    ...metadata.info,
    description: metadata.info.description ?? local.description,
    publishedAt: metadata.info.publishedAt ?? downloadedAt, // the current time would sort the video as new
  };
  if (group.description && isOtherwise(local, info.description)) {
    staying.add(group.description);
    const why = message('import.differs');
    work.skip(`${group.path} (${group.description})`, why);
  }
  const { channel, video } = buildVideoRow({
    item: { id, kind },
    info,
    probe: found,
    media,
    stem: newStem(app, info.channelId, id),
    extension: extname(file),
    subtitles,
    ...(await communityOf(importing, one)),
    hasLines: (await readSettings(app.db)).downloads.subtitle_index,
    hasComments: info.comments.length > 0,
    now: app.now(),
  });
  const stem = stemOf(video.mediaPath);
  const chat = await chatOf(importing, one, { folder, stem, staying });
  const sidecar = async (from: string, to: string) => {
    await syncFile(join(folder, from));
    return { from, to, ...(await fingerprint(join(folder, from))) };
  };
  const files = await Promise.all([
    ...(hasInfo ? [sidecar('info.json', `${stem}.info.json`)] : []),
    ...subtitles.map(({ file: from, lang }) => sidecar(from, `${stem}.${lang}.vtt`)),
  ]);
  if (chat) files.push(chat.file);
  files.push({ from: file, to: video.mediaPath, ...media });
  await syncFolder(folder);
  const leaving = work.input.leave_files ? [] : originals.filter((_, place) => !staying.has(names[place]!));
  await recordOriginals(app, { id, sha256: media.sha256, files: leaving }); // even if empty, to replace an earlier entry
  return {
    version: 1,
    number,
    isForced: false,
    files,
    thumbnail,
    channel,
    video: { ...video, isProtected: 1, downloadedAt, ...(chat && { chat: chat.chat }) },
  };
}
