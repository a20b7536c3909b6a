import type { Archive } from '../archive.ts';

const mostBytes = 2_000_000;

/** Where the feed of a channel is, for sites that have one. */
export const feedUrl = ({ site, siteId }: { site: string; siteId: string }): string | null =>
  site === 'youtube' && siteId.startsWith('UC')
    ? `https://www.youtube.com/feeds/videos.xml?channel_id=${encodeURIComponent(siteId)}`
    : null;

/** The ids of the newest videos of a feed in Atom. Throws when it is none. */
export async function idsOfFeed(text: string): Promise<string[]> {
  const { parseXml, XmlElement } = await import('@rgrove/parse-xml'); // only where somebody subscribes to something
  const feed = parseXml(text).root;
  if (feed?.name !== 'feed') throw new Error('The site answered with something that is no feed.');
  return feed.children.flatMap((entry) =>
    entry instanceof XmlElement && entry.name === 'entry'
      ? entry.children.flatMap((part) => (part instanceof XmlElement && part.name === 'yt:videoId' ? [part.text.trim()] : []))
      : [],
  );
}

/** Asks the feed of a channel for its newest videos; null when it has none, or does not answer: then the listing tells. */
export async function readFeed(
  { tools, log }: Archive,
  channel: { id: string; site: string; siteId: string },
  signal: AbortSignal,
): Promise<string[] | null> {
  const url = feedUrl(channel);
  if (!url) return null;
  try {
    const answer = await tools.gate.fetch(url, { signal, maxBytes: mostBytes, timeMs: 20_000 });
    if (!answer.ok) throw new Error(`The feed answered ${answer.status}.`);
    return idsOfFeed(await answer.text());
  } catch (error) {
    signal.throwIfAborted();
    log.info({ channel: channel.id, err: error }, 'a feed cannot be read');
    return null;
  }
}
