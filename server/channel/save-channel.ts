import type { Archive } from '../archive.ts';
import { foldText } from '../fold-text.ts';
import { currentSettings } from '../settings/read.ts';
import { lookUpChannel, type ChannelInfo } from '../ytdlp/channel.ts';
import { channelWireId } from '../ytdlp/wire-id.ts';
import { ytdlpOf } from '../ytdlp-of.ts';
import { fetchPictures } from './pictures.ts';

/** What a channel's page says of it, under its id on the wire. Throws YtdlpFailed, or a sentence when it is no channel. */
export async function lookUpSource(archive: Archive, url: string, signal: AbortSignal): Promise<ChannelInfo & { id: string }> {
  const { downloads } = await currentSettings(archive);
  const info = await lookUpChannel(await ytdlpOf(archive), url, { lang: downloads.extractor_lang, signal });
  if (!info.siteId) throw new Error('There is no channel behind this link.');
  return { ...info, id: channelWireId(info.site, info.siteId) };
}

/** Writes what a channel says of itself, and fetches its pictures. What people chose for it stays. */
export async function saveChannel(
  archive: Archive,
  { id, ...info }: ChannelInfo & { id: string },
  { isSubscribed, url, signal }: { isSubscribed?: 1; url?: string; signal: AbortSignal },
): Promise<void> {
  const { db, now, announce } = archive;
  const name = info.name ?? info.siteId ?? id;
  const row = {
    name,
    sortName: foldText(name),
    description: info.description,
    tags: JSON.stringify(info.tags),
    ...(info.handle && { handle: foldText(info.handle) }),
    ...((info.url ?? url) && { url: info.url ?? url }),
    ...(info.subscriberCount !== null && { subscriberCount: info.subscriberCount }),
    ...(isSubscribed && { isSubscribed }),
    isActive: 1 as const,
    goneSince: null,
    goneAs: null,
    refreshedAt: now(),
  };
  await db
    .insertInto('channel')
    .values({ id, site: info.site, siteId: info.siteId ?? id, addedAt: now(), ...row })
    .onConflict((c) => c.column('id').doUpdateSet(row))
    .execute();
  await fetchPictures(archive, id, info, signal);
  announce('channel', 'video');
}
