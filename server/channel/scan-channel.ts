import type { Archive } from '../archive.ts';
import type { Adding } from '../download/adding.ts';
import { addEntries, addTabs, type Tab } from '../download/add-listing.ts';
import { rememberListed, seenIds } from '../download/listed-store.ts';
import { mergeRules, ownRulesOf } from '../download/rules.ts';
import { currentSettings } from '../settings/read.ts';
import { noteThere } from '../source-gone.ts';
import { overwritesOf } from './overwrites.ts';
import { readFeed } from './feed.ts';
import { sizesOf } from './sizes.ts';
import type { SubscribedChannel } from './store.ts';

// A listing is newest first: when a whole page of it was there already, so is what follows.
const pageOfKnown = 30;
// However quiet a feed is, the tabs are looked at from time to time: a feed holds fifteen and can miss one.
const fullEverySeconds = 7 * 86_400;

/** What the feed names and nobody has seen yet; null when there is no feed to ask. */
export async function newInFeed(archive: Archive, channel: SubscribedChannel, signal: AbortSignal) {
  const ids = await readFeed(archive, channel, signal);
  if (!ids) return null;
  const seen = await seenIds(archive.db, ids);
  return ids.filter((id) => !seen.has(id));
}

/** What the feed named and no tab has shown (a kind that is left out) is not asked for again and again. */
async function forgetUnseen({ archive }: Adding, ids: string[], channelId: string) {
  const seen = await seenIds(archive.db, ids);
  const rest = ids.filter((id) => !seen.has(id));
  await rememberListed(
    archive.db,
    rest.map((videoId) => ({ videoId, channelId, title: videoId, kind: 'unknown', isMembersOnly: 0, listedAt: archive.now() })),
  );
}

/** Looks for new videos of a channel: in its feed first, where that tells enough, else in its tabs. */
export async function scanChannel(adding: Adding, channel: SubscribedChannel): Promise<void> {
  const { archive } = adding;
  const { db, now } = archive;
  const settings = await currentSettings(archive);
  const isKnown = channel.listedAt !== null && now() - channel.listedAt < fullEverySeconds;
  const unseen = await newInFeed(archive, channel, adding.work.signal);
  if (isKnown && unseen?.length === 0) return;

  const rules = mergeRules(settings.rules, ownRulesOf(channel));
  const sizes = sizesOf(await overwritesOf(db, channel.id), settings.subscriptions);
  const about = { id: channel.id, name: channel.name };
  const ends = channel.listedAt === null ? {} : { endAfterKnown: pageOfKnown };
  const url = channel.url ?? `https://www.youtube.com/channel/${channel.siteId}`;

  if (channel.site !== 'youtube') {
    // Of other sites nothing but videos is known.
    if (sizes.videos !== 0) await addEntries(adding, { url, rules, channel: about, limit: sizes.videos ?? undefined, ...ends });
  } else {
    const wanted = (['videos', 'streams', 'shorts'] as const).filter((tab) => sizes[tab] !== 0);
    const tabs = await addTabs(adding, wanted, (tab) => ({
      url: `${url.replace(/\/+$/, '')}/${tab}`,
      kind: tab,
      rules,
      channel: about,
      limit: sizes[tab] ?? undefined,
      ...ends,
    }));
    const kept = new Set([...(JSON.parse(channel.tabs) as Tab[]), ...tabs]);
    const all = JSON.stringify((['videos', 'streams', 'shorts'] as const).filter((tab) => kept.has(tab)));
    await db.updateTable('channel').set({ tabs: all }).where('id', '=', channel.id).execute();
  }
  if (unseen) await forgetUnseen(adding, unseen, channel.id);
  await db.updateTable('channel').set({ listedAt: now() }).where('id', '=', channel.id).execute();
  await noteThere(db, 'channel', channel.id);
}
