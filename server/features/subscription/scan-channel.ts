import type { AppContext } from '../../platform/context/app-context.ts';
import type { EnqueueContext } from '../download/enqueue-context.ts';
import { enqueueNewEntries, enqueueTabs, type Tab } from '../download/enqueue-listing.ts';
import { markSeen, seenIds } from '../../archive/queue/seen-entries.ts';
import { mergeRules, ownRulesOf } from '../../archive/queue/filter-rules.ts';
import { readSettings, readOverridesOf } from '../../archive/settings/store.ts';
import { markAvailable } from '../../archive/sites/mark-unavailable.ts';
import { readFeed } from './feed.ts';
import { firstScanLimits, scanLimitsOf } from '../../archive/channel/scan-limits.ts';
import type { SubscribedChannel } from '../../archive/channel/store.ts';

// Listings are sorted newest first: after a whole page of known videos, the rest is known too.
const pageOfKnown = 30;
// The tabs are scanned at least this often, because a feed has only fifteen entries and can miss a video.
const fullEverySeconds = 7 * 86_400;

/** Returns the videos in the feed that are not known yet; null if the feed cannot be used. */
export async function newInFeed(app: AppContext, channel: SubscribedChannel, signal: AbortSignal) {
  const ids = await readFeed(app, channel, signal);
  if (!ids) return null;
  const seen = await seenIds(app.db, ids);
  return ids.filter((id) => !seen.has(id));
}

/** Marks videos that the feed names and no tab lists (such as an excluded type), so that they do not trigger a scan again. */
async function forgetUnseen({ app }: EnqueueContext, ids: string[], channelId: string) {
  const seen = await seenIds(app.db, ids);
  const rest = ids.filter((id) => !seen.has(id));
  await markSeen(
    app.db,
    rest.map((videoId) => ({ videoId, channelId, title: videoId, kind: 'unknown', isMembersOnly: 0, seenAt: app.now() })),
  );
}

/** Scans a channel for new videos, from its feed if that is sufficient, otherwise from its tabs. */
export async function scanChannel(adding: EnqueueContext, channel: SubscribedChannel): Promise<void> {
  const { app } = adding;
  const { db, now } = app;
  const settings = await readSettings(app.db);
  const isKnown = channel.lastFullScanAt !== null && now() - channel.lastFullScanAt < fullEverySeconds;
  const unseen = await newInFeed(app, channel, adding.work.signal);
  if (isKnown && unseen?.length === 0) return;

  const rules = mergeRules(settings.rules, ownRulesOf(channel));
  const configured = scanLimitsOf(await readOverridesOf(db, channel.id), settings.subscriptions);
  const backCatalogue = channel.lastFullScanAt === null ? channel.backCatalogue : null;
  const sizes = backCatalogue ? firstScanLimits(configured, backCatalogue) : configured;
  const about = { id: channel.id, name: channel.name };
  const ends = channel.lastFullScanAt === null ? {} : { endAfterKnown: pageOfKnown, previousScanAt: channel.lastFullScanAt };
  const url = channel.url ?? `https://www.youtube.com/channel/${channel.siteId}`;

  if (channel.site !== 'youtube') {
    // Sites other than YouTube have no tabs, only videos.
    if (sizes.videos !== 0)
      await enqueueNewEntries(adding, { url, rules, channel: about, limit: sizes.videos ?? undefined, backCatalogue, ...ends });
  } else {
    const wanted = (['videos', 'streams', 'shorts'] as const).filter((tab) => sizes[tab] !== 0);
    const tabs = await enqueueTabs(adding, wanted, (tab) => ({
      url: `${url.replace(/\/+$/, '')}/${tab}`,
      kind: tab,
      rules,
      channel: about,
      limit: sizes[tab] ?? undefined,
      backCatalogue,
      ...ends,
    }));
    const kept = new Set([...(JSON.parse(channel.tabs) as Tab[]), ...tabs]);
    const all = JSON.stringify((['videos', 'streams', 'shorts'] as const).filter((tab) => kept.has(tab)));
    await db.updateTable('channel').set({ tabs: all }).where('id', '=', channel.id).execute();
  }
  if (unseen) await forgetUnseen(adding, unseen, channel.id);
  await db.updateTable('channel').set({ lastFullScanAt: now() }).where('id', '=', channel.id).execute();
  await markAvailable(db, 'channel', channel.id);
}
