import { message, type Message } from '#contract/messages.ts';
import { FailureKind } from '#contract/download.ts';
import type { ResolvedItem } from '#contract/resolve.ts';
import type { ParsedInput } from '../../archive/sites/parse-input.ts';
import { cooldownOf } from '../../archive/sites/site-cooldowns.ts';
import { visibleThumbnail } from '../../archive/publish/thumbnail.ts';
import { thumbnailUrl } from '../../archive/storage/thumbnail-path.ts';
import type { AppContext } from '../../platform/context/app-context.ts';
import { toolOf } from '../../platform/context/tools.ts';
import { checkUrl } from '../../platform/egress/host-policy.ts';
import { renderMessages } from '../../platform/messages/render.ts';
import { parseMessages } from '../../platform/messages/stored.ts';
import { bytesPerSecond } from '../download/queue-eta.ts';
import type { FoundAtSite } from './ask-site.ts';
import { findLookup, requestLookup } from './site-lookups.ts';
import { findChannels, findIdsByUrl, findPlaylists, findQueueItems, findVideos, handleOf, type ChannelFound } from './store.ts';

/** Number of links of one text for which sites are asked. */
const maxLookups = 20;

type Known = Omit<ResolvedItem, 'text' | 'url' | 'what' | 'lookup'>;

const unknown: Known = {
  id: null,
  state: 'new',
  name: null,
  channel_name: null,
  picture: null,
  count: null,
  count_is_more: false,
  duration_seconds: null,
  estimated_bytes: null,
  problem: null,
};

const problemOf = (messages: Message[], failure: FailureKind | null = null) => ({
  message: renderMessages(messages),
  messages,
  failure,
});

/** Converts what a site said. The length of a partly timed list is extrapolated from the videos with a length. */
function foundAtSite({ timed, seconds, count, ...found }: FoundAtSite, byteRate: number | null): Known {
  const length = timed === 0 ? null : Math.round(count === null ? seconds : (seconds / timed) * count);
  return {
    ...unknown,
    id: found.id,
    name: found.name,
    channel_name: found.channelName,
    picture: found.picture,
    count,
    count_is_more: found.isMore,
    duration_seconds: length,
    estimated_bytes: length === null || byteRate === null ? null : Math.round(length * byteRate),
  };
}

/** Returns the channel of a link by its id, handle or URL. */
const channelOf = (channels: ChannelFound[], wanted: ParsedInput, id: string | undefined) =>
  channels.find((one) => one.id === id) ??
  channels.find((one) => one.handle !== null && one.handle === handleOf(wanted)) ??
  channels.find((one) => one.url === wanted.url);

/** Loads what the database has about links. `idOf` returns their public ids, as far as they are known. */
async function loadKnown(app: AppContext, all: ParsedInput[], idOf: (wanted: ParsedInput) => string | undefined) {
  const { db } = app;
  const ids = all.flatMap((wanted) => idOf(wanted) ?? []);
  const handles = all.flatMap((wanted) => handleOf(wanted) ?? []);
  const [videos, queue, channels, playlists, byteRate] = await Promise.all([
    findVideos(db, ids),
    findQueueItems(db, ids),
    findChannels(db, { ids, handles, urls: all.map(({ url }) => url) }),
    findPlaylists(db, ids),
    bytesPerSecond(db),
  ]);
  const known = async (wanted: ParsedInput): Promise<Partial<Known> | null> => {
    const id = idOf(wanted) ?? '';
    const channel = wanted.what === 'video' || wanted.what === 'playlist' ? undefined : channelOf(channels, wanted, id);
    if (channel)
      return {
        id: channel.id,
        state: channel.isSubscribed ? 'subscribed' : 'known',
        name: channel.name,
        picture: channel.hasThumb ? `/cache/channels/${channel.id}_thumb.jpg` : null,
      };
    const playlist = playlists.get(id);
    if (playlist)
      return {
        id,
        state: playlist.isSubscribed ? 'subscribed' : 'known',
        name: playlist.name,
        channel_name: playlist.channelName,
        picture: playlist.hasThumb ? `/cache/playlists/${id}.jpg` : null,
        count: Number(playlist.entries),
      };
    const video = videos.get(id);
    if (video)
      return {
        id,
        state: 'archived',
        name: video.title,
        channel_name: video.channelName,
        picture: thumbnailUrl(id),
        duration_seconds: video.durationSeconds,
        estimated_bytes: video.sizeBytes,
      };
    const item = queue.get(id);
    if (!item) return null;
    const { durationSeconds, failure } = item;
    return {
      id,
      state: item.status === 'ignore' ? 'ignored' : 'queued',
      name: item.title,
      channel_name: item.channelName || null,
      picture: await visibleThumbnail(app, id),
      duration_seconds: durationSeconds,
      estimated_bytes: durationSeconds === null || byteRate === null ? null : Math.round(durationSeconds * byteRate),
      problem:
        failure === null || item.message === null
          ? null
          : problemOf(parseMessages(item.message), FailureKind.catch('unknown').parse(failure)),
    };
  };
  return { known, byteRate };
}

/** Returns why a site must not be asked now. */
async function refusalOf(app: AppContext, wanted: ParsedInput) {
  if (!(await toolOf(app.tools, 'ytdlp'))) return problemOf([message('queue.no-ytdlp')]);
  const refusal = checkUrl(wanted.url, app.config.allowPrivate);
  if (refusal) return problemOf([refusal], 'refused');
  const cooldown = await cooldownOf(app, wanted);
  return cooldown && problemOf([message('resolve.paused', { site: cooldown.site, until: { at: cooldown.untilAt } })], 'blocked');
}

/** Returns the facts from the site as far as they are known, and asks it in the background for the rest. */
async function lookUp(app: AppContext, wanted: ParsedInput, byteRate: number | null) {
  let lookup = findLookup(app, wanted);
  if (!lookup || lookup.state === 'waiting' || lookup.state === 'running') {
    const problem = lookup ? null : await refusalOf(app, wanted);
    if (problem) return { ...unknown, lookup: 'failed' as const, problem };
    lookup = requestLookup(app, wanted);
  }
  return {
    ...foundAtSite(lookup.found, byteRate),
    lookup: lookup.state === 'waiting' ? ('running' as const) : lookup.state,
    problem: lookup.problem && problemOf(lookup.problem.messages, lookup.problem.failure),
  };
}

/** Returns what links point to: from the database, else from their site. */
export async function resolveAll(app: AppContext, all: ParsedInput[]): Promise<ResolvedItem[]> {
  const unnamed = all.filter(({ what, id }) => what !== 'channel' && !id);
  const byUrl = await findIdsByUrl(
    app.db,
    unnamed.map(({ url }) => url),
  );
  const idOf = (wanted: ParsedInput) => wanted.id ?? byUrl.get(wanted.url) ?? findLookup(app, wanted)?.found.id ?? undefined;
  const { known, byteRate } = await loadKnown(app, all, idOf);
  const items: ResolvedItem[] = [];
  let lookups = 0;
  for (const wanted of all) {
    const { text, url, what, id = null } = wanted;
    const before = findLookup(app, wanted);
    const fromDatabase = await known(wanted);
    // Of a channel that is not subscribed the database does not know how many videos it has at the site.
    const isComplete = fromDatabase && (fromDatabase.state !== 'known' || typeof fromDatabase.count === 'number');
    if (fromDatabase && (before ? before.state === 'failed' : isComplete))
      items.push({ text, url, what, ...unknown, ...fromDatabase, lookup: 'done' });
    else if (lookups++ >= maxLookups && !before) items.push({ text, url, what, ...unknown, id, lookup: 'skipped' });
    else {
      const found = await lookUp(app, wanted, byteRate);
      const facts = Object.fromEntries(Object.entries(fromDatabase ?? {}).filter(([, value]) => value !== null));
      items.push({ text, url, what, ...found, id: found.id ?? id, ...facts });
    }
  }
  return items;
}
