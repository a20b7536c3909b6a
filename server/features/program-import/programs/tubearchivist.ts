import { message } from '#contract/messages.ts';
import { z } from 'zod';
import { MessageError, messagesOf } from '../../../platform/messages/message-error.ts';
import { countOf, isVideoId, numberOf, textOf, timeOf, youtubeVideo, type Item } from '../item/item.ts';
import { problem, unreadable, type Program, type Reading } from './program.ts';

// TubeArchivist while it runs: its backups contain no resume positions, so they are read from its API. Lists end at 10,000
// entries, so videos are listed per channel.

const maxPages = 10_000;
const timeMs = 60_000;

const Page = z.object({
  data: z.array(z.unknown()),
  paginate: z.looseObject({ last_page: z.union([z.number(), z.boolean()]).nullish() }).nullish(),
});
const Channel = z.looseObject({ channel_id: z.string().regex(/^[-\w.]{1,120}$/) });
const Video = z.looseObject({
  youtube_id: z.string(),
  player: z.looseObject({}).catch({}),
});

/** Yields the entries of a list page by page. @throws MessageError if the server does not answer as expected */
async function* listOf({ signal, live }: Reading, path: string): AsyncGenerator<unknown> {
  const { address, token, fetch } = live!;
  for (let page = 1; page <= maxPages; page++) {
    const url = new URL(path, `${address.replace(/\/+$/, '')}/`);
    url.searchParams.set('page', String(page));
    let body: unknown;
    try {
      // Redirects are not followed, so that the token reaches no other server.
      const headers = { authorization: `Token ${token}`, accept: 'application/json' };
      const response = await fetch(url.href, { headers, redirect: 'manual', signal, timeMs });
      if (response.status === 401 || response.status === 403) throw new MessageError(message('migrate.live-token'));
      if (response.status === 404 && page > 1) return;
      if (!response.ok) throw new MessageError(message('migrate.live-status', { status: response.status }));
      body = await response.json().catch(() => null);
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof MessageError && error.constructor === MessageError) throw error;
      throw new MessageError(message('migrate.live-reach', { why: messagesOf(error) }));
    }
    const read = Page.safeParse(body);
    if (!read.success) throw new MessageError(message('migrate.live-shape'));
    const { data, paginate } = read.data;
    yield* data;
    const last = paginate?.last_page;
    if (data.length === 0 || (typeof last === 'number' ? page >= last : last !== true)) return;
  }
}

function itemOf(value: unknown): Item | null {
  const read = Video.safeParse(value);
  if (!read.success || !isVideoId(read.data.youtube_id)) return problem('TubeArchivist', unreadable);
  const { youtube_id: id, player, ...rest } = read.data;
  const video = youtubeVideo(id, { title: textOf(rest['title']) ?? id, durationSeconds: countOf(player['duration']) });
  if (player['watched'] === true)
    return { what: 'watched', video, watchedAt: timeOf(player['watched_date']), positionSeconds: null };
  const position = numberOf(player['position']);
  return position !== null && position >= 1 ? { what: 'watched', video, watchedAt: null, positionSeconds: position } : null;
}

export const tubearchivist: Program = {
  name: 'TubeArchivist',
  takes: ['watched'],
  standard: ['watched'],
  isWanted: () => false,
  async *read(reading) {
    for await (const value of listOf(reading, 'api/channel/')) {
      const channel = Channel.safeParse(value);
      if (!channel.success) {
        yield problem('TubeArchivist', unreadable);
        continue;
      }
      for await (const video of listOf(reading, `api/video/?channel=${encodeURIComponent(channel.data.channel_id)}`)) {
        const item = itemOf(video);
        if (item) yield item;
      }
    }
  },
};
