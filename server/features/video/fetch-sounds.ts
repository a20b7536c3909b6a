import { message, messages, type Message } from '#contract/messages.ts';
import { readFile, rm } from 'node:fs/promises';
import { extname } from 'node:path';
import { fetchSounds, type FetchedSound } from '../../archive/publish/add-sounds.ts';
import { stageReport } from '../../archive/publish/download-report.ts';
import { readSettings } from '../../archive/settings/store.ts';
import { makeLookupFolder } from '../../archive/sites/lookup-folder.ts';
import { ytdlpSession } from '../../archive/sites/ytdlp-session.ts';
import { missingMediaSpace } from '../../archive/storage/disk-space.ts';
import { deleteRenditions } from '../../archive/storage/rendition-files.ts';
import { replaceFile, replacementPath } from '../../archive/storage/replace-file.ts';
import { stemOf } from '../../archive/storage/upload.ts';
import { storedSounds, streamRows } from '../../archive/video/stream-rows.ts';
import type { AppContext } from '../../platform/context/app-context.ts';
import type { TaskWork } from '../../platform/context/task.ts';
import { removeFile } from '../../platform/files/files.ts';
import { endingWithSounds, joinSounds } from '../../platform/media/join-sounds.ts';
import { MessageError } from '../../platform/messages/message-error.ts';
import { localPathOrNull } from '../../platform/storage/file-store.ts';
import { fetchDetails } from '../../platform/ytdlp/fetch-video.ts';
import { readJson } from '../../platform/ytdlp/info.ts';
import { chooseSounds, missingLanguages, soundOfDownload, type PresentSounds, type Sound } from '../../platform/ytdlp/sounds.ts';
import { addressOf } from '../download/requeue-archived.ts';
import { audioTracksOf } from '../rendition/audio-tracks-of-video.ts';
import { askSources } from './ask-sources.ts';
import type { SoundsWanted } from './fetch-sounds-task.ts';

const findVideo = ({ db }: AppContext, id: string) =>
  db
    .selectFrom('video')
    .select(['id', 'title', 'site', 'siteId', 'url', 'mediaPath', 'sizeBytes', 'sha256'])
    .where('id', '=', id)
    .executeTakeFirst();
type Video = NonNullable<Awaited<ReturnType<typeof findVideo>>>;

/** Returns what is known of the sound tracks of a video: by its rows, else its info.json, else the tags of its file. */
async function soundsOf(app: AppContext, { id, mediaPath }: Video): Promise<Sound[]> {
  const stored = await storedSounds(app.db, id);
  if (stored.every(({ language }) => language !== null)) return stored;
  if (stored.length === 1) {
    const path = await localPathOrNull(app.files, `${stemOf(mediaPath)}.info.json`);
    const found = path === null ? null : soundOfDownload(readJson(await readFile(path, 'utf8')));
    if (found?.language) return [found];
  }
  const { tracks } = (await audioTracksOf(app, id)).sounds;
  return stored.map(({ language, kind }, place) => ({ kind, language: language ?? tracks[place]?.language ?? null }));
}

const dubs: ReadonlySet<Sound['kind']> = new Set(['dub', 'auto_dub', 'description']);
const presentIn = (sounds: Sound[]): PresentSounds => ({
  languages: sounds.flatMap(({ language }) => language ?? []),
  // A sound of which nothing is known is taken for the original.
  hasOriginal: sounds.some(({ kind }) => !dubs.has(kind)),
});

/** Joins fetched sounds to the file of a video and replaces it. */
async function addToFile(
  app: AppContext,
  video: Video,
  media: string,
  own: Sound[],
  sounds: FetchedSound[],
  signal: AbortSignal,
) {
  const ffmpeg = app.tools.ffmpeg!;
  const isOriginalAdded = sounds[0]!.kind === 'original' && !presentIn(own).hasOriginal;
  const target = replacementPath(app, video.id, endingWithSounds(media, sounds));
  try {
    const language = own.length === 1 ? own[0]!.language : null;
    const streams = await joinSounds(ffmpeg, { media, language, sounds, target, isOriginalAdded }, signal);
    const now = await findVideo(app, video.id);
    if (now?.sha256 !== video.sha256) throw new MessageError(message('sounds.replaced'));
    const [first, rest] = isOriginalAdded ? [sounds.slice(0, 1), sounds.slice(1)] : [[], sounds];
    await replaceFile(app, video.id, target, { signal, streams: streamRows(streams, [...first, ...own, ...rest]) });
    await deleteRenditions(app, video.id);
  } finally {
    await removeFile(target);
  }
}

/** Fetches the missing sounds of a video. Returns whether the site was asked, and whether sounds were added. */
async function fetchFor(
  app: AppContext,
  video: Video,
  work: TaskWork<SoundsWanted>,
): Promise<{ isAsked: boolean; isAdded: boolean }> {
  const { languages, withAutoDubs } = work.input;
  const { signal, report } = work;
  const own = await soundsOf(app, video);
  const present = presentIn(own);
  const missing = missingLanguages(languages, present);
  if (missing.length === 0) return { isAsked: false, isAdded: false };
  const url = addressOf(video);
  if (!url) throw new MessageError(message('sounds.no-address'));
  const lacks = await missingMediaSpace(app, video.sizeBytes);
  if (lacks) throw new MessageError(message('remux.no-space', lacks));
  const { downloads } = await readSettings(app.db);
  const settings = { ...downloads, audio_languages: missing.join(), audio_auto_dubs: withAutoDubs };
  const folder = await makeLookupFolder(app);
  try {
    report(stageReport(video, message('sounds.running')));
    const onlyInfo = { ...settings, subtitle: null, comment_max: null };
    const { info, infoPath } = await fetchDetails(await ytdlpSession(app), { url, folder, settings: onlyInfo, signal });
    if (info.site === video.site && info.siteId !== video.siteId)
      throw new MessageError(message('refresh.other-video', { id: info.siteId }));
    const json = readJson(await readFile(infoPath, 'utf8'));
    // A sound of an unknown language is probably the one that yt-dlp would download.
    const known = own.some(({ language }) => language !== null) ? { present } : {};
    const offered = chooseSounds(json, { ...settings, mediaEnding: extname(video.mediaPath), ...known });
    if (offered.length === 0) throw new MessageError(message('sounds.not-offered', { languages: missing.join(', ') }));
    const media = await app.files.localPath(video.mediaPath, signal);
    const fetched = await fetchSounds(app, { item: video, url, folder, infoPath, offered, media, settings }, work);
    const sounds = fetched.toSorted((a, b) => Number(b.kind === 'original') - Number(a.kind === 'original'));
    if (sounds.length > 0) {
      report(stageReport(video, message('download.merging')));
      await addToFile(app, video, media, own, sounds, signal);
    }
    return { isAsked: true, isAdded: sounds.length > 0 };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The work of the task. */
export async function fetchSoundsOfVideos(work: TaskWork<SoundsWanted>, app: AppContext): Promise<Message> {
  const count = await askSources<Video>(app, work.input.ids, work, {
    title: messages['task.fetch_sounds'],
    find: (id) => findVideo(app, id),
    fetch: (video, now) => fetchFor(app, video, { ...now, input: work.input }),
  });
  return message('sounds.done', { count });
}
