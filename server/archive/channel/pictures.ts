import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { AppContext } from '../../platform/context/app-context.ts';
import { withFetchedImage } from '../../platform/media/fetch-picture.ts';
import { makeArtwork } from '../../platform/media/thumbnail.ts';
import { inCache, resolveStoredPath } from '../../platform/storage/stored-path.ts';
import type { ChannelInfo } from '../../platform/ytdlp/channel.ts';
import { channelArtPath, type ChannelArtKind } from './art-files.ts';

/** Fetches one image of a channel. Returns false on failure, which is only logged. */
async function fetchArt(
  archive: AppContext,
  id: string,
  art: ChannelArtKind,
  url: string | null,
  signal: AbortSignal,
): Promise<boolean> {
  const { files, tools, log } = archive;
  const { ffmpeg, proxy } = tools;
  if (!ffmpeg || !url) return false;
  const path = inCache(channelArtPath(id, art));
  const target = resolveStoredPath(archive, path);
  const shape = art === 'thumb' ? 'square' : 'banner';
  try {
    await mkdir(dirname(target), { recursive: true });
    await withFetchedImage(proxy.fetch, url, target, signal, (fetched) => makeArtwork(ffmpeg, shape, fetched, target, signal));
    await files.save(path, signal);
    return true;
  } catch (error) {
    signal.throwIfAborted();
    log.info({ channel: id, art, err: error }, 'cannot fetch an image of a channel');
    return false;
  }
}

/** Fetches the images of a channel. An existing image is kept if the site does not offer it now. */
export async function fetchChannelImages(archive: AppContext, id: string, info: ChannelInfo, signal: AbortSignal): Promise<void> {
  const hasThumb = await fetchArt(archive, id, 'thumb', info.avatarUrl, signal);
  const hasBanner = await fetchArt(archive, id, 'banner', info.bannerUrl, signal);
  const hasTvart = await fetchArt(archive, id, 'tvart', info.bannerUrl, signal);
  if (!hasThumb && !hasBanner && !hasTvart) return;
  await archive.db
    .updateTable('channel')
    .set({ ...(hasThumb && { hasThumb: 1 }), ...(hasBanner && { hasBanner: 1 }), ...(hasTvart && { hasTvart: 1 }) })
    .where('id', '=', id)
    .execute();
}
