import { message, messages } from '#contract/messages.ts';
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { z } from 'zod';
import type { AppContext } from '../../../platform/context/app-context.ts';
import { channelArtFlags, channelArtPath } from '../../../archive/channel/art-files.ts';
import { hasNoPictureToFetch, pictureError } from '../../../archive/channel/pictures.ts';
import { refreshChannel } from '../../../archive/channel/refresh-channel.ts';
import { pagesById } from '../../../platform/db/db.ts';
import { fetchThumbnail } from '../../../archive/publish/thumbnail.ts';
import { withFetchedImage } from '../../../platform/media/fetch-picture.ts';
import { MessageError } from '../../../platform/messages/message-error.ts';
import { StorageError } from '../../../platform/storage/file-store.ts';
import { inCache, resolveStoredPath, withoutPrefix } from '../../../platform/storage/stored-path.ts';
import { whyMediaUnavailable } from '../../../archive/storage/mount-check.ts';
import { makeThumbnail, extractFrame } from '../../../platform/media/thumbnail.ts';
import { artFromVideo, playlistArtPath } from '../../../archive/playlist/artwork.ts';
import { defineTask, type TaskWork } from '../../../platform/context/task.ts';
import { communityThumbnailPath } from '../../../archive/storage/community-thumbnail-path.ts';
import { thumbnailPath } from '../../../archive/storage/thumbnail-path.ts';
import { drawCommunityThumbnail } from '../../../archive/video/dearrow.ts';
import { parseBranding } from '../../../archive/video/branding.ts';

interface Round {
  app: AppContext;
  work: TaskWork<object>;
  counts: { made: number; removed: number };
  /** Images at the start, by folder, as paths relative to the cache folder. */
  images: Record<'videos' | 'community' | 'channels' | 'playlists', Set<string>>;
}

const pageSize = 500;

/** Lists the images in a folder. One listing of a bucket replaces a question for each image. */
async function* imagesIn({ app, work }: Pick<Round, 'app' | 'work'>, folder: string): AsyncGenerator<string> {
  for await (const { path } of app.files.list(inCache(`${folder}/`), work.signal)) yield withoutPrefix(path);
}

/** Creates the thumbnail of a video: from its site if the URL is known, else from a frame of the file. */
async function mendVideo(
  { app, work, counts, images }: Round,
  video: { id: string; site: string; siteId: string; mediaPath: string; durationSeconds: number },
) {
  const { files, tools } = app;
  const path = thumbnailPath(video.id);
  const { ffmpeg, proxy } = tools;
  if (!ffmpeg || images.videos.has(path)) return;
  const target = resolveStoredPath(app, inCache(path));
  await mkdir(dirname(target), { recursive: true });
  try {
    if (video.site !== 'youtube') throw new Error('the site has no certain place for it');
    const url = `https://i.ytimg.com/vi/${encodeURIComponent(video.siteId)}/hq720.jpg`;
    await withFetchedImage(proxy.fetch, url, target, work.signal, (fetched) =>
      makeThumbnail(ffmpeg, fetched, target, work.signal),
    );
  } catch {
    work.signal.throwIfAborted();
    const media = await files.localPath(video.mediaPath, work.signal);
    await extractFrame(ffmpeg, media, video.durationSeconds / 10, target, work.signal);
  }
  await files.save(inCache(path), work.signal);
  counts.made++;
}

/** Draws the frame again that viewers have chosen. */
async function mendCommunityThumbnail(
  { app, work, counts, images }: Round,
  video: { id: string; mediaPath: string; branding: string | null },
) {
  const { thumbSeconds: seconds } = parseBranding(video.branding);
  if (seconds === null || images.community.has(communityThumbnailPath(video.id)) || !app.tools.ffmpeg) return;
  await drawCommunityThumbnail(app, { ...video, seconds }, work.signal);
  counts.made++;
}

async function mendVideos(round: Round) {
  const { app, work } = round;
  const next = (after: string) =>
    app.db
      .selectFrom('video')
      .select(['id', 'title', 'site', 'siteId', 'mediaPath', 'durationSeconds', 'branding'])
      .where('id', '>', after)
      .orderBy('id')
      .limit(pageSize)
      .execute();
  for await (const page of pagesById(next)) {
    work.report({ messages: [message('thumbnails.checking')] });
    for (const video of page) {
      work.signal.throwIfAborted();
      for (const mend of [mendVideo, mendCommunityThumbnail])
        await mend(round, video).catch((problem: unknown) => {
          work.signal.throwIfAborted();
          if (problem instanceof StorageError) throw problem;
          work.skip(video.title, problem as Error);
        });
    }
  }
}

async function mendChannels({ app, work, counts, images }: Round) {
  const { db } = app;
  const flags = ['hasThumb', 'hasBanner', 'hasTvart'] as const;
  const channels = await db
    .selectFrom('channel')
    .select(['id', 'name', 'isActive', 'url', ...flags])
    .execute();
  for (const { id, name, isActive, url, ...known } of channels) {
    work.signal.throwIfAborted();
    const found = channelArtFlags((art) => images.channels.has(channelArtPath(id, art)));
    // An unavailable channel has no picture to fetch. Those of other channels are fetched, also if there never was one.
    const isFetched = isActive === 1 && url !== null && found.hasThumb === 0 && !hasNoPictureToFetch(app, id);
    const changed = flags.filter((flag) => found[flag] > known[flag]); // missing images may return, so flags are not cleared
    if (changed.length > 0) {
      await db
        .updateTable('channel')
        .set(Object.fromEntries(changed.map((flag) => [flag, found[flag]])))
        .where('id', '=', id)
        .execute();
      counts.made++;
    }
    if (!isFetched) continue;
    work.report({ messages: [message('thumbnails.fetching', { name })] });
    try {
      await refreshChannel(app, id, work.signal);
      const failure = pictureError(app, id);
      if (failure) throw failure;
      if (!hasNoPictureToFetch(app, id)) counts.made++;
    } catch (problem) {
      work.signal.throwIfAborted();
      work.skip(name, problem as Error);
    }
  }
}

async function mendPlaylists({ app, counts, images }: Round) {
  const { db } = app;
  for (const { id } of await db.selectFrom('playlist').select('id').execute()) {
    if (images.playlists.has(playlistArtPath(id))) continue;
    const first = await db
      .selectFrom('playlistEntry')
      .innerJoin('video', 'video.id', 'playlistEntry.videoId')
      .select('video.id')
      .where('playlistId', '=', id)
      .orderBy('position')
      .limit(1)
      .executeTakeFirst();
    if (first && (await artFromVideo(app, id, first.id))) counts.made++;
  }
}

const maxOfQueue = 300; // the items that are visible first; the others get a thumbnail when they are downloaded

async function mendQueue({ app, work, images }: Round) {
  const items = await app.db
    .selectFrom('download')
    .select(['id', 'thumbnailUrl'])
    .where('status', '=', 'pending')
    .where('thumbnailUrl', 'is not', null)
    .orderBy('autoStart', 'desc')
    .orderBy('queuedAt')
    .limit(maxOfQueue)
    .execute();
  for (const { id, thumbnailUrl } of items) {
    work.signal.throwIfAborted();
    if (!images.videos.has(thumbnailPath(id))) await fetchThumbnail(app, id, thumbnailUrl!, work.signal);
  }
}

/** Deletes images of items that no longer exist. `known` returns which of some ids exist. */
async function clear(
  { app, work, counts }: Round,
  images: AsyncIterable<string> | Iterable<string>,
  idOf: (path: string) => string | null,
  known: (ids: string[]) => Promise<Set<string>>,
) {
  const look = async (batch: Map<string, string>) => {
    const knownIds = await known([...new Set(batch.values())]);
    for (const [path, id] of batch)
      if (!knownIds.has(id)) {
        await app.files.remove(inCache(path));
        counts.removed++;
      }
    batch.clear();
  };
  const batch = new Map<string, string>();
  for await (const path of images) {
    work.signal.throwIfAborted();
    const id = idOf(path);
    if (id === null) continue;
    batch.set(path, id);
    if (batch.size >= pageSize) await look(batch);
  }
  if (batch.size > 0) await look(batch);
}

async function clearAll(round: Round) {
  const { app, images } = round;
  const { db } = app;
  const of = (table: 'video' | 'channel' | 'playlist' | 'download') => async (ids: string[]) =>
    new Set((await db.selectFrom(table).select('id').where('id', 'in', ids).execute()).map(({ id }) => id));
  const [video, download] = [of('video'), of('download')];
  const idBy = (pattern: RegExp) => (path: string) => pattern.exec(path)?.[1] ?? null;
  // A queue item becomes a video in one transaction, so it is looked for in the queue first.
  const either = async (ids: string[]) => new Set([...(await download(ids)), ...(await video(ids))]);
  await clear(round, images.videos, idBy(/^videos\/[^/]\/([^/]+)\.jpg$/), either);
  await clear(round, images.community, idBy(/^community\/[^/]\/([^/]+)\.jpg$/), video);
  // These are many more than videos, so they are not all in memory.
  await clear(round, imagesIn(round, 'storyboards'), idBy(/^storyboards\/[^/]\/([^/]+)(?:_\d\.jpg|\.vtt)$/), video);
  const channel = of('channel');
  const inBin = async (ids: string[]) =>
    (await db.selectFrom('trash').select('channelId').distinct().where('channelId', 'in', ids).execute()).map(
      (row) => row.channelId,
    );
  const channelOrBin = async (ids: string[]) => new Set([...(await channel(ids)), ...(await inBin(ids))]);
  await clear(round, images.channels, idBy(/^channels\/([^/]+)_(?:thumb|banner|tvart)\.jpg$/), channelOrBin);
  await clear(round, images.playlists, idBy(/^playlists\/([^/]+)\.jpg$/), of('playlist'));
}

/** Fetches missing images and deletes images that belong to nothing. */
export const thumbnailCheck = defineTask<object>({
  name: 'thumbnail_check',
  title: messages['task.thumbnail_check'],
  group: 'setting:thumbnailcheck',
  isStartable: true,
  isStoppable: true,
  schedule: { auto: '0 17 *', isOnFromTheStart: 'new' },
  needs: ['ffmpeg'],
  input: z.object({}),

  async run(work, app) {
    // A wrong bucket would get all images again.
    const why = app.files.isRemote ? await whyMediaUnavailable(app) : null;
    if (why) throw new MessageError(why);
    const all = async (folder: string) => new Set(await Array.fromAsync(imagesIn({ app, work }, folder)));
    const images = {
      videos: await all('videos'),
      community: await all('community'),
      channels: await all('channels'),
      playlists: await all('playlists'),
    };
    const round: Round = { app, work, counts: { made: 0, removed: 0 }, images };
    await mendVideos(round);
    await mendChannels(round);
    await mendPlaylists(round);
    await mendQueue(round);
    await clearAll(round);
    app.announce('video', 'channel', 'playlist', 'download');
    const { made, removed } = round.counts;
    return made + removed > 0 ? message('thumbnails.done', { made, removed }) : undefined;
  },
});
