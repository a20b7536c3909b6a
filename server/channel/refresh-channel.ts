import type { Archive } from '../archive.ts';
import { lookUpSource, saveChannel } from './save-channel.ts';
import { findChannel } from './store.ts';

/** Brings what a channel says of itself, and its pictures, up to date. Throws YtdlpFailed when its page cannot be looked up. */
export async function refreshChannel(archive: Archive, id: string, signal: AbortSignal): Promise<void> {
  const channel = await findChannel(archive.db, id);
  if (!channel?.url) return;
  const info = await lookUpSource(archive, channel.url, signal);
  // Some sites call a channel one thing in a listing and another on its page; it is the one that we asked about.
  await saveChannel(archive, { ...info, id, site: channel.site, siteId: channel.siteId, url: channel.url }, { signal });
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
