import { type Answer, escapeHtml, type SiteContext, notFound } from '../answer.ts';

/** The Atom feed of a channel: its fifteen newest videos of all kinds. */
export function channelFeed(channelId: string, { catalogue }: SiteContext): Answer {
  const channel = catalogue.channels.find(({ id, gone }) => id === channelId && !gone);
  if (!channel) return notFound();
  const newest = catalogue.videos
    .filter((video) => video.channelId === channelId && !video.unlisted)
    .sort((a, b) => b.published.getTime() - a.published.getTime())
    .slice(0, 15);
  const entries = newest.map(
    (video) => `<entry><id>yt:video:${video.id}</id><yt:videoId>${video.id}</yt:videoId><yt:channelId>${channelId}</yt:channelId>
<title>${escapeHtml(video.title)}</title><link rel="alternate" href="https://www.youtube.com/watch?v=${video.id}"/>
<author><name>${escapeHtml(channel.name)}</name></author><published>${video.published.toISOString()}</published>
<media:group><media:description>${escapeHtml(video.description)}</media:description></media:group></entry>`,
  );
  const body = `<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns:yt="http://www.youtube.com/xml/schemas/2015" xmlns:media="http://search.yahoo.com/mrss/" xmlns="http://www.w3.org/2005/Atom">
<id>yt:channel:${channelId.slice(2)}</id><yt:channelId>${channelId.slice(2)}</yt:channelId><title>${escapeHtml(channel.name)}</title>
${entries.join('\n')}
</feed>`;
  return { type: 'text/xml; charset=UTF-8', body };
}
