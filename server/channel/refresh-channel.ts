import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Archive } from '../archive.ts';
import { foldText } from '../fold-text.ts';
import { withPicture } from '../media/fetch-picture.ts';
import { makeArtwork } from '../media/thumbnail.ts';
import { currentSettings } from '../settings/read.ts';
import { lookUpChannel } from '../ytdlp/channel.ts';
import { ytdlpOf } from '../ytdlp-of.ts';
import { findChannel } from './store.ts';

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
    log.info({ channel: id, art, err: error }, 'a picture of a channel cannot be had');
    return false;
  }
}

/** Brings what a channel says of itself, and its pictures, up to date. Throws YtdlpFailed when its page cannot be looked up. */
export async function refreshChannel(archive: Archive, id: string, signal: AbortSignal): Promise<void> {
  const { db, now, announce } = archive;
  const channel = await findChannel(db, id);
  if (!channel?.url) return;
  const { downloads } = await currentSettings(archive);
  const info = await lookUpChannel(ytdlpOf(archive), channel.url, { lang: downloads.extractor_lang, signal });
  const hasThumb = await fetchArt(archive, id, 'thumb', info.avatarUrl, signal);
  const hasBanner = await fetchArt(archive, id, 'banner', info.bannerUrl, signal);
  const hasTvart = await fetchArt(archive, id, 'tvart', info.bannerUrl, signal);
  await db
    .updateTable('channel')
    .set({
      ...(info.name && { name: info.name, sortName: foldText(info.name) }),
      description: info.description,
      tags: JSON.stringify(info.tags),
      ...(info.subscriberCount !== null && { subscriberCount: info.subscriberCount }),
      // A picture that was there stays when the site does not give it now.
      ...(hasThumb && { hasThumb: 1 as const }),
      ...(hasBanner && { hasBanner: 1 as const }),
      ...(hasTvart && { hasTvart: 1 as const }),
      isActive: 1,
      refreshedAt: now(),
    })
    .where('id', '=', id)
    .execute();
  announce('channel', 'video');
}

/** The same for a channel that has just come into the archive; why it did not work is only logged: its videos are there. */
export async function refreshNewChannel(archive: Archive, id: string, signal: AbortSignal): Promise<void> {
  const channel = await findChannel(archive.db, id);
  if (!channel || channel.refreshedAt > 0) return;
  try {
    await refreshChannel(archive, id, signal);
  } catch (error) {
    if (!signal.aborted) archive.log.warn({ channel: id, err: error }, 'a new channel cannot be looked up');
  }
}
