import { copyFile, link, readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { message, type Message } from '#contract/messages.ts';
import type { Chapter } from '#contract/video.ts';
import type { AppContext } from '../../platform/context/app-context.ts';
import type { TaskWork } from '../../platform/context/task.ts';
import { fingerprint, syncFile, syncFolder, writeAtomically } from '../../platform/files/files.ts';
import { formatDuration } from '../../platform/lib/format-time.ts';
import { MessageError } from '../../platform/messages/message-error.ts';
import { localPathOrNull } from '../../platform/storage/file-store.ts';
import { inCache } from '../../platform/storage/stored-path.ts';
import { readJson } from '../../platform/ytdlp/info.ts';
import { publicId } from '../../platform/ytdlp/public-id.ts';
import { ingestLocalFile, type IngestTarget } from '../../archive/publish/ingest-local-file.ts';
import type { Manifest } from '../../archive/publish/manifest.ts';
import { thumbnailPath } from '../../archive/storage/thumbnail-path.ts';
import { newStem, stemOf } from '../../archive/storage/upload.ts';
import { parseLimitation } from '../../archive/video/limitation.ts';
import { musicOf } from '../../archive/video/music.ts';
import { parseRecording } from '../../archive/video/recording.ts';
import { existingIds } from '../../archive/video/store.ts';
import { redownload } from '../download/redownload.ts';
import { addressOf } from '../download/requeue-archived.ts';

const readVideo = ({ db }: AppContext, id: string) =>
  db
    .selectFrom('video')
    .innerJoin('channel', 'channel.id', 'video.channelId')
    .selectAll('video')
    .select(['channel.name as channelName', 'channel.site as channelSite', 'channel.url as channelUrl'])
    .where('video.id', '=', id)
    .executeTakeFirst();
type Video = NonNullable<Awaited<ReturnType<typeof readVideo>>>;

/** What tells the kept edition from the other: an id without a source, and its length in the title. */
function identityOf({ id, sha256, title, durationSeconds }: Video) {
  const site = 'local';
  const siteId = `${id}-${sha256.slice(0, 8)}`;
  return { id: publicId(site, siteId), site, siteId, url: null, title: `${title} (${formatDuration(durationSeconds)})` };
}

/** A name of the same file in the work folder; a copy where the file system has no hard links. */
const linkOrCopy = (from: string, to: string) => link(from, to).catch(() => copyFile(from, to));

/** Puts the files of a video into the work folder, and returns the manifest of the video that they become. */
async function prepare(app: AppContext, video: Video, { folder, number }: IngestTarget, signal: AbortSignal): Promise<Manifest> {
  const { db, files: store } = app;
  const identity = identityOf(video);
  const stem = newStem(app, video.channelId, identity.id);
  const placed: Manifest['files'] = [];
  const place = async (path: string, from: string, to: string) => {
    const local = await localPathOrNull(store, path, signal);
    if (local === null) return false;
    await linkOrCopy(local, join(folder, from));
    const [content] = await Promise.all([fingerprint(join(folder, from), signal), syncFile(join(folder, from))]);
    placed.push({ from, to, ...content });
    return true;
  };
  const infoPath = await localPathOrNull(store, `${stemOf(video.mediaPath)}.info.json`, signal);
  const info = infoPath === null ? null : readJson(await readFile(infoPath, 'utf8'));
  if (typeof info === 'object' && info !== null) {
    const { site, siteId, title } = identity;
    const own = { ...info, id: siteId, extractor: site, extractor_key: site, title, fulltitle: title, webpage_url: null };
    await writeAtomically(join(folder, 'info.json'), JSON.stringify(own));
    placed.push({ from: 'info.json', to: `${stem}.info.json`, ...(await fingerprint(join(folder, 'info.json'))) });
  }
  const subtitles: Manifest['video']['subtitles'] = [];
  for (const { lang, source, name, path } of await db
    .selectFrom('subtitle')
    .selectAll()
    .where('videoId', '=', video.id)
    .execute()) {
    const to = `${stem}.${lang}.vtt`;
    if (await place(path, `${lang}.vtt`, to)) subtitles.push({ lang, source, name, path: to });
  }
  const mediaPath = `${stem}${extname(video.mediaPath)}`;
  if (!(await place(video.mediaPath, `media${extname(video.mediaPath)}`, mediaPath)))
    throw new MessageError(message('error.file'));
  const picture = await localPathOrNull(store, inCache(thumbnailPath(video.id)), signal);
  if (picture !== null) await copyFile(picture, join(folder, 'thumbnail.jpg'));
  await syncFolder(folder);

  const { sizeBytes, sha256 } = placed.at(-1)!;
  const { channelId, channelName, channelSite, channelUrl, kind, sponsorblock } = video;
  const { description, publishedAt, downloadedAt, isProtected, durationSeconds, width, height } = video;
  const { viewCount, likeCount, dislikeCount, averageRating } = video;
  const times = { publishedAt, downloadedAt, durationSeconds };
  const counts = { viewCount, likeCount, dislikeCount, averageRating };
  const asBefore = { channelId, kind, description, isProtected, width, height, ...times, ...counts };
  return {
    version: 1,
    number,
    isForced: false,
    files: placed,
    thumbnail: picture && 'thumbnail.jpg',
    channel: { id: channelId, site: channelSite, name: channelName, url: channelUrl, subscriberCount: null, kind },
    video: {
      ...identity,
      ...asBefore,
      sizeBytes,
      sha256,
      mediaPath,
      categories: JSON.parse(video.categories) as string[],
      tags: JSON.parse(video.tags) as string[],
      chapters: JSON.parse(video.chapters) as Chapter[],
      sponsorblock: sponsorblock === null ? null : (JSON.parse(sponsorblock) as unknown),
      music: musicOf(video),
      limitation: parseLimitation(video.limitation),
      live: parseRecording(video.live),
      streams: await db
        .selectFrom('stream')
        .select([
          'position',
          'type',
          'codec',
          'bitrate',
          'width',
          'height',
          'language',
          'kind',
          'profile',
          'bitDepth',
          'dynamicRange',
        ])
        .where('videoId', '=', video.id)
        .orderBy('position')
        .execute(),
      subtitles,
      lines: await db
        .selectFrom('transcriptLine')
        .select(['lang', 'position', 'startSeconds', 'endSeconds', 'text'])
        .where('videoId', '=', video.id)
        .orderBy('lang')
        .orderBy('position')
        .execute(),
      comments: null,
    },
  };
}

/**
 * Makes the present file of a video a video of its own, then downloads the other edit that its source has. The file is on the disk
 * once, where that has hard links, until the earlier edit is deleted.
 * @throws MessageError if the file is missing
 */
export async function keepEdition(app: AppContext, { input: { id }, signal }: TaskWork<{ id: string }>): Promise<Message> {
  const video = await readVideo(app, id);
  if (!video) throw new MessageError(message('error.video'));
  const identity = identityOf(video);
  if ((await existingIds(app.db, [identity.id])).size === 0) {
    const { channelId, channelName, kind, durationSeconds, publishedAt } = video;
    const file = { ...identity, url: addressOf(video) ?? '', channelId, channelName, kind, durationSeconds, publishedAt };
    await ingestLocalFile(app, file, signal, (place, stop) => prepare(app, video, place, stop));
  }
  await redownload(app, [id], 'edited');
  return message('edition.kept', { title: identity.title });
}
