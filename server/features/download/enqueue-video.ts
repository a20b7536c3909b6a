import { MessageError } from '../../platform/messages/message-error.ts';
import { storeMessages } from '../../platform/messages/stored.ts';
import { message } from '#contract/messages.ts';
import type { AppContext } from '../../platform/context/app-context.ts';
import { readSettings } from '../../archive/settings/store.ts';
import { isSavedSince, existingIds } from '../../archive/video/store.ts';
import { failureOf, YtdlpFailed, type Failure } from '../../platform/ytdlp/failure.ts';
import type { VideoInfo } from '../../platform/ytdlp/info.ts';
import { lookUp } from '../../platform/ytdlp/listing.ts';
import { ytdlpSession } from '../../archive/sites/ytdlp-session.ts';
import { publicId } from '../../platform/ytdlp/public-id.ts';
import type { EnqueueContext, EnqueueMode } from './enqueue-context.ts';
import type { ParsedInput } from '../../archive/sites/parse-input.ts';
import { nextAttemptAt } from '../../archive/sites/retry-policy.ts';
import { isCoolingDown, startCooldown } from '../../archive/sites/site-cooldowns.ts';
import type { applyRules } from '../../archive/queue/filter-rules.ts';
import { changeItem } from '../../archive/queue/items.ts';
import { enqueue, enqueueAgain, enqueueAll, queuedIds, type NewItem } from '../../archive/queue/claims.ts';
import { queueDownloadFailure } from '../../archive/outbox/queue-event.ts';
import { recordIfWanted, wantsRecording } from './start-recording.ts';
import { scheduleOf } from './stream-schedule.ts';
import { fetchThumbnail } from '../../archive/publish/thumbnail.ts';

interface WantedVideo {
  id: string;
  site: string;
  siteId: string;
  url: string;
  kind?: ParsedInput['kind'] | undefined;
}

/** Builds a queue item from the metadata of a video page. */
function itemOf(info: VideoInfo, wanted: { kind?: ParsedInput['kind'] | undefined }, manner: EnqueueMode, now: number): NewItem {
  return {
    id: publicId(info.site, info.siteId),
    site: info.site,
    siteId: info.siteId,
    url: info.url,
    title: info.title,
    channelId: info.channelId,
    channelName: info.channelName,
    kind: wanted.kind ?? info.kind,
    durationSeconds: info.durationSeconds,
    publishedAt: info.publishedAt,
    thumbnailUrl: info.thumbnailUrl,
    status: manner.status,
    autoStart: manner.autostart && manner.status === 'pending' ? 1 : 0,
    isOnRequest: manner.isOnRequest ? 1 : 0,
    isForced: manner.force ? 1 : 0,
    queuedAt: now,
  };
}

/** Returns whether an id is already archived or queued. A queued item is prioritized if auto-start is on. */
export async function isArchivedOrQueued({ app, manner, work }: EnqueueContext, id: string): Promise<boolean> {
  const queued = (await queuedIds(app.db, [id])).get(id);
  if (queued === 'pending' && manner.autostart) {
    await changeItem(app.db, id, 'priority');
    return true;
  }
  // A forced item is enqueued again, but only once: a task resumed after a restart skips what it has already saved.
  if (manner.force && manner.status === 'pending')
    return work.againSince !== null && (await isSavedSince(app.db, id, work.againSince));
  if (queued) return manner.status === 'pending' || queued === 'ignore';
  return (await existingIds(app.db, [id])).size > 0;
}

/** Enqueues an item and fetches its thumbnail. */
export async function enqueueVideo({ app, manner, work, added }: EnqueueContext, item: NewItem) {
  const isNew =
    manner.force || manner.status === 'ignore' ? (await enqueueAgain(app.db, [item]), true) : await enqueue(app.db, item);
  if (!isNew) return;
  work.note({ kind: 'new', what: item.title, videoId: item.id });
  await added();
  app.announce('download');
  if (item.thumbnailUrl && item.status === 'pending') await fetchThumbnail(app, item.id, item.thumbnailUrl, work.signal);
}

/** Enqueues items with the data of their listing, without looking them up. Thumbnails are fetched later. */
export async function enqueueVideos({ app, manner, added, work }: EnqueueContext, items: NewItem[]) {
  const isIgnored = manner.status === 'ignore';
  const count = isIgnored ? items.length : (await enqueueAll(app.db, items)).length;
  if (isIgnored) for (const item of items) await enqueueAgain(app.db, [item]);
  if (count === 0) return;
  for (const { id, title } of items) work.note({ kind: 'new', what: title, videoId: id });
  await added(count);
  app.announce('download');
}

async function look({ app, work }: Pick<EnqueueContext, 'app' | 'work'>, url: string): Promise<VideoInfo> {
  const { downloads } = await readSettings(app.db);
  return lookUp(await ytdlpSession(app), url, { lang: downloads.extractor_lang, signal: work.signal });
}

/**
 * Looks up a video and enqueues it. If the lookup fails, the item is enqueued with the reason and retried. A live stream or
 * premiere is skipped and reported.
 */
export async function addVideo(
  adding: EnqueueContext,
  wanted: WantedVideo,
  { listed, leftOut }: { listed?: NewItem; leftOut?: ReturnType<typeof applyRules> | null } = {},
) {
  const { app, work, manner } = adding;
  if (await isArchivedOrQueued(adding, wanted.id)) return;
  const plain = listed ?? unknownItem(wanted, manner, app);
  // A site in a cooldown is not asked: the data of the listing is enough until the item is processed.
  if (await isCoolingDown(app, plain.site)) return enqueueVideo(adding, plain);
  let info: VideoInfo;
  try {
    info = await look(adding, wanted.url);
  } catch (problem) {
    work.signal.throwIfAborted();
    const failure = problem instanceof YtdlpFailed ? problem.failure : failureOf(String(problem));
    // Members-only status is known only after the lookup. If the rules exclude it, the video is not looked up again.
    const forMembers = failure.kind === 'members-only' && leftOut?.({ ...judgedOf(plain), isMembersOnly: true });
    if (forMembers) return work.note({ kind: 'left-out', what: plain.title, why: forMembers.message, videoId: wanted.id });
    await startCooldown(app, plain.site, failure);
    const item = failed(plain, failure, app.now());
    await enqueueVideo(adding, item);
    await queueDownloadFailure(app.db, item, { ...failure, retryAt: item.retryAt ?? null }, app.now());
    work.skip(listed?.title ?? wanted.id, failure.message, { videoId: wanted.id, cause: problem });
    return;
  }
  if (publicId(info.site, info.siteId) !== wanted.id) throw new MessageError(message('failure.other-added', { id: info.siteId }));
  const why = leftOut?.({ ...info, isMembersOnly: false })?.message;
  if (why) return work.note({ kind: 'left-out', what: info.title, why, videoId: wanted.id });
  await enqueueStreamOrVideo(adding, info, itemOf(info, wanted, manner, app.now()));
}

/** Enqueues the video of a page on any site. Its id on that site is known only after the lookup. */
export async function enqueuePage(adding: EnqueueContext, url: string) {
  const info = await look(adding, url);
  if (await isArchivedOrQueued(adding, publicId(info.site, info.siteId))) return;
  await enqueueStreamOrVideo(adding, info, itemOf(info, {}, adding.manner, adding.app.now()));
}

/** Enqueues an item, and starts to record its stream if it runs and that is wanted. */
export async function enqueueStreamOrVideo(adding: EnqueueContext, video: LiveVideo, item: NewItem): Promise<void> {
  await enqueueVideo(adding, await afterStream(adding.app, video, item));
  if (video.live === 'live' && item.status === 'pending' && !item.isOnRequest) await recordIfWanted(adding.app, item);
}

/** Returns the item with the reason of its failure and the time of the next attempt, if the failure is temporary. */
const failed = (item: NewItem, { kind, message, againInSeconds }: Failure, now: number): NewItem => ({
  ...item,
  failure: kind,
  message: storeMessages(message),
  failures: 1,
  retryAt: item.status === 'pending' ? nextAttemptAt(kind, { failures: 1, now, againInSeconds }) : null,
});

type LiveVideo = Pick<VideoInfo, 'live' | 'startsAt'>;

/** Whether a stream or premiere runs or is announced, so that it is not downloaded now. */
export const waits = ({ live }: Pick<VideoInfo, 'live'>) => live === 'live' || live === 'upcoming';

/** Returns the item of a stream or premiere that runs or is announced: it waits until it starts, or is over. */
export async function afterStream(app: AppContext, video: LiveVideo, item: NewItem): Promise<NewItem> {
  if (!waits(video) || item.status !== 'pending') return item;
  const isWanted = !item.isOnRequest && (await wantsRecording(app, item));
  const { kind, startsAt, retryAt, ...schedule } = scheduleOf(video, { isWanted, now: item.queuedAt });
  return { ...item, failure: kind, message: storeMessages(schedule.message), failures: 1, startsAt, retryAt };
}

const judgedOf = ({ title, durationSeconds = null, publishedAt = null }: NewItem) => ({ title, durationSeconds, publishedAt });

const unknownItem = (wanted: WantedVideo, manner: EnqueueMode, app: AppContext): NewItem => ({
  id: wanted.id,
  site: wanted.site,
  siteId: wanted.siteId,
  url: wanted.url,
  title: wanted.id,
  channelId: '',
  channelName: '',
  kind: wanted.kind ?? 'unknown',
  status: manner.status,
  autoStart: manner.autostart && manner.status === 'pending' ? 1 : 0,
  isOnRequest: manner.isOnRequest ? 1 : 0,
  isForced: manner.force ? 1 : 0,
  queuedAt: app.now(),
});
