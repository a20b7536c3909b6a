import { MessageError } from '../../platform/messages/message-error.ts';
import { message } from '#contract/messages.ts';
import type { AppContext } from '../../platform/context/app-context.ts';
import { normalizeText } from '../../platform/lib/normalize-text.ts';
import { readSettings } from '../settings/store.ts';
import { lookUpChannel, type ChannelInfo } from '../../platform/ytdlp/channel.ts';
import { publicChannelId } from '../../platform/ytdlp/public-id.ts';
import { ytdlpSession } from '../sites/ytdlp-session.ts';
import { fetchChannelImages } from './pictures.ts';

/**
 * Loads the metadata of a channel page, with the public channel id.
 * @throws YtdlpFailed, or an Error if the link is no channel
 */
export async function lookUpChannelPage(
  app: AppContext,
  url: string,
  signal: AbortSignal,
  { cookies = true } = {},
): Promise<ChannelInfo & { id: string }> {
  const { downloads } = await readSettings(app.db);
  const ytdlp = await ytdlpSession(app);
  const info = await lookUpChannel(cookies ? ytdlp : { ...ytdlp, jar: null }, url, { lang: downloads.extractor_lang, signal });
  if (!info.siteId) throw new MessageError(message('failure.no-channel'));
  return { ...info, id: publicChannelId(info.site, info.siteId) };
}

/** Inserts or updates a channel with data from its site and fetches its images. Settings of users are kept. */
export async function saveChannel(
  app: AppContext,
  { id, ...info }: ChannelInfo & { id: string },
  { isSubscribed, url, signal }: { isSubscribed?: 1; url?: string; signal: AbortSignal },
): Promise<void> {
  const { db, now, announce } = app;
  const name = info.name ?? info.siteId ?? id;
  const row = {
    name,
    sortName: normalizeText(name),
    description: info.description,
    tags: JSON.stringify(info.tags),
    ...(info.handle && { handle: normalizeText(info.handle) }),
    ...((info.url ?? url) && { url: info.url ?? url }),
    ...(info.subscriberCount !== null && { subscriberCount: info.subscriberCount }),
    ...(isSubscribed && { isSubscribed }),
    isActive: 1 as const,
    unavailableSince: null,
    unavailableReason: null,
    refreshedAt: now(),
  };
  await db
    .insertInto('channel')
    .values({ id, site: info.site, siteId: info.siteId ?? id, addedAt: now(), ...row })
    .onConflict((c) => c.column('id').doUpdateSet(row))
    .execute();
  await fetchChannelImages(app, id, info, signal);
  announce('channel', 'video');
}
