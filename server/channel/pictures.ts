import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Archive } from '../archive.ts';
import { withPicture } from '../media/fetch-picture.ts';
import { makeArtwork } from '../media/thumbnail.ts';
import type { ChannelInfo } from '../ytdlp/channel.ts';

type Art = 'thumb' | 'banner' | 'tvart';

/** Fetches one picture of a channel; false when it cannot be had, which is no reason for anything else to fail. */
async function fetchArt(
  { tools, config, log }: Archive,
  id: string,
  art: Art,
  url: string | null,
  signal: AbortSignal,
): Promise<boolean> {
  const { ffmpeg, gate } = tools;
  if (!ffmpeg || !url) return false;
  const target = join(config.cacheFolder, 'channels', `${id}_${art}.jpg`);
  const shape = art === 'thumb' ? 'square' : 'banner';
  try {
    await mkdir(dirname(target), { recursive: true });
    await withPicture(gate.fetch, url, target, signal, (path) => makeArtwork(ffmpeg, shape, path, target, signal));
    return true;
  } catch (error) {
    signal.throwIfAborted();
    log.info({ channel: id, art, err: error }, 'a picture of a channel cannot be had');
    return false;
  }
}

/** Fetches a channel's pictures. One that was there stays when the site does not give it now. */
export async function fetchPictures(archive: Archive, id: string, info: ChannelInfo, signal: AbortSignal): Promise<void> {
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
