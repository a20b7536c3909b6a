import type { AppContext } from '../../platform/context/app-context.ts';

const maxBytes = 2_000_000;

/** Returns the feed URL of a channel; null for sites without feeds. */
export const feedUrl = ({ site, siteId }: { site: string; siteId: string }): string | null =>
  site === 'youtube' && siteId.startsWith('UC')
    ? `https://www.youtube.com/feeds/videos.xml?channel_id=${encodeURIComponent(siteId)}`
    : null;

/** Returns the ids of the newest videos in an Atom feed. @throws if the document is not an Atom feed. */
export async function idsOfFeed(text: string): Promise<string[]> {
  const { parseXml, XmlElement } = await import('@rgrove/parse-xml'); // loaded only if there are subscriptions
  const feed = parseXml(text).root;
  if (feed?.name !== 'feed') throw new Error('The site answered with something that is no feed.');
  return feed.children.flatMap((entry) =>
    entry instanceof XmlElement && entry.name === 'entry'
      ? entry.children.flatMap((part) => (part instanceof XmlElement && part.name === 'yt:videoId' ? [part.text.trim()] : []))
      : [],
  );
}

/**
 * Reads the newest videos from the feed of a channel. Returns null if there is no feed or no response; the caller then uses the listing.
 */
export async function readFeed(
  { tools, log }: AppContext,
  channel: { id: string; site: string; siteId: string },
  signal: AbortSignal,
): Promise<string[] | null> {
  const url = feedUrl(channel);
  if (!url) return null;
  try {
    const answer = await tools.proxy.fetch(url, { signal, maxBytes, timeMs: 20_000 });
    if (!answer.ok) throw new Error(`The feed answered ${answer.status}.`);
    return idsOfFeed(await answer.text());
  } catch (error) {
    signal.throwIfAborted();
    log.info({ channel: channel.id, err: error }, 'cannot read a feed');
    return null;
  }
}
