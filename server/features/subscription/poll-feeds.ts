import type { AppContext } from '../../platform/context/app-context.ts';
import type { Db } from '../../platform/db/db.ts';
import { isCoolingDown } from '../../archive/sites/site-cooldowns.ts';
import { readSettings } from '../../archive/settings/store.ts';
import { feedUrl } from './feed.ts';
import { newInFeed } from './scan-channel.ts';
import { scanSubscriptions } from './scan-subscriptions.ts';
import { subscribedChannels } from '../../archive/channel/store.ts';

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
  const { scans } = await readSettings(app.db);
  if (!scans.feed_minutes || !tools.ytdlp) return;
  if ((await tasks.activeInputs('update_subscribed')).length > 0 || (await isCoolingDown(app, 'youtube'))) return;
  const channels = (await subscribedChannels(db)).filter(feedUrl);
  const seen = new Map((await db.selectFrom('feedPoll').selectAll().execute()).map((row) => [row.channelId, row.readAt]));
  const due = channels
    .filter(({ id }) => now() - (seen.get(id) ?? 0) >= scans.feed_minutes! * 60)
    .sort((a, b) => (seen.get(a.id) ?? 0) - (seen.get(b.id) ?? 0))
    .slice(0, 5 + Math.ceil(channels.length / scans.feed_minutes));
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
