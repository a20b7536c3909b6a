import type { Archive } from '../archive.ts';
import { isPaused } from '../download/site-pause.ts';
import { currentSettings } from '../settings/read.ts';
import { feedUrl } from './feed.ts';
import { newInFeed } from './scan-channel.ts';
import { scanSubscriptions } from './scan-subscriptions.ts';
import { subscribedChannels } from './store.ts';

// When each feed was last read in this run of the program. Each archive of a process has its own.
const looks = new WeakMap<Archive['tasks'], Map<string, number>>();

const longestMs = 50_000; // the next round is due then

const looksOf = ({ tasks }: Archive) => looks.getOrInsertComputed(tasks, () => new Map());

/** Reads the feeds that are due, a few each minute, and has the channels scanned in which something new is. */
export async function watchFeeds(archive: Archive): Promise<void> {
  const { db, now, tasks, tools } = archive;
  const { scans } = await currentSettings(archive);
  if (!scans.feed_minutes || !tools.ytdlp) return;
  if ((await tasks.underWay('update_subscribed')).length > 0 || (await isPaused(db, 'youtube', now()))) return;
  const channels = (await subscribedChannels(db)).filter(feedUrl);
  const seen = looksOf(archive);
  const due = channels
    .filter(({ id }) => now() - (seen.get(id) ?? 0) >= scans.feed_minutes! * 60)
    .sort((a, b) => (seen.get(a.id) ?? 0) - (seen.get(b.id) ?? 0))
    .slice(0, 5 + Math.ceil(channels.length / scans.feed_minutes));
  const changed: string[] = [];
  const signal = AbortSignal.timeout(longestMs);
  for (const channel of due) {
    if (signal.aborted) break;
    const fresh = await newInFeed(archive, channel, signal);
    seen.set(channel.id, now());
    if (fresh && fresh.length > 0) changed.push(channel.id);
  }
  if (changed.length === 0) return;
  const { wasRunning } = await tasks.start(scanSubscriptions, { channels: changed });
  if (wasRunning) for (const id of changed) seen.delete(id); // that scan may have passed them already
}
