import type { AppContext } from '../../platform/context/app-context.ts';
import { lookUpChannelPage, saveChannel } from './save-channel.ts';
import { findChannel } from './store.ts';

/**
 * Updates metadata and artwork of a channel from its site.
 * @throws YtdlpFailed if its page cannot be loaded
 */
export async function refreshChannel(app: AppContext, id: string, signal: AbortSignal): Promise<void> {
  const channel = await findChannel(app.db, id);
  if (channel && !channel.url) await app.db.updateTable('channel').set({ refreshedAt: app.now() }).where('id', '=', id).execute();
  if (!channel?.url) return;
  const info = await lookUpChannelPage(app, channel.url, signal);
  // Some sites use different ids in a listing and on the channel page; the requested id is kept.
  await saveChannel(app, { ...info, id, site: channel.site, siteId: channel.siteId, url: channel.url }, { signal });
}

/** Refreshes a channel that was just created. Errors are only logged, because its videos are archived anyway. */
export async function refreshNewChannel(app: AppContext, id: string, signal: AbortSignal): Promise<void> {
  const channel = await findChannel(app.db, id);
  if (!channel || channel.refreshedAt > 0) return;
  try {
    await refreshChannel(app, id, signal);
  } catch (error) {
    if (!signal.aborted) app.log.warn({ channel: id, err: error }, 'cannot refresh a new channel');
  }
}
