import type { AppContext } from '../../platform/context/app-context.ts';
import type { Db } from '../../platform/db/db.ts';
import { isCoolingDown } from '../../archive/sites/site-cooldowns.ts';
import { parseOverrides, readSettings } from '../../archive/settings/store.ts';
import { feedUrl } from './feed.ts';
import { newInFeed } from './scan-channel.ts';
import { scanSubscriptions } from './scan-subscriptions.ts';
import { subscribedChannels, type SubscribedChannel } from '../../archive/channel/store.ts';

/** Streams that are to be recorded are found within this time, in minutes, before the channel may delete them. */
const recordedMinutes = 5;

const longestMs = 50_000; // the next poll is due then

const recordRead = (db: Db, channelId: string, readAt: number) =>
  db
    .insertInto('feedPoll')
    .values({ channelId, readAt })
    .onConflict((c) => c.column('channelId').doUpdateSet({ readAt }))
    .execute();

/** Reads the feeds that are due, a few per minute, and starts a scan of the channels with new videos. */
export async function pollFeeds(app: AppContext): Promise<void> {
  const { db, now, tasks, tools } = app;
  const { scans, downloads } = await readSettings(app.db);
  if (!scans.feed_minutes || !tools.ytdlp) return;
  if ((await tasks.activeInputs('update_subscribed')).length > 0 || (await isCoolingDown(app, 'youtube'))) return;
  const channels = (await subscribedChannels(db)).filter(feedUrl);
  const seen = new Map((await db.selectFrom('feedPoll').selectAll().execute()).map((row) => [row.channelId, row.readAt]));
  const minutesOf = ({ overwrites }: SubscribedChannel) =>
    (parseOverrides(overwrites).live ?? downloads.live) === 'record'
      ? Math.min(recordedMinutes, scans.feed_minutes!)
      : scans.feed_minutes!;
  const due = channels
    .filter((channel) => now() - (seen.get(channel.id) ?? 0) >= minutesOf(channel) * 60)
    .sort((a, b) => (seen.get(a.id) ?? 0) - (seen.get(b.id) ?? 0))
    .slice(0, 5 + Math.ceil(channels.reduce((sum, channel) => sum + 1 / minutesOf(channel), 0)));
  const changed: string[] = [];
  const signal = AbortSignal.timeout(longestMs);
  for (const channel of due) {
    if (signal.aborted) break;
    const fresh = await newInFeed(app, channel, signal);
    await recordRead(db, channel.id, now());
    if (fresh && fresh.length > 0) changed.push(channel.id);
  }
  if (changed.length === 0) return;
  const { wasRunning } = await tasks.start(scanSubscriptions, { channels: changed });
  // The running scan may already have processed these channels.
  if (wasRunning) await db.deleteFrom('feedPoll').where('channelId', 'in', changed).execute();
}
