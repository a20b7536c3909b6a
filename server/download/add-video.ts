import type { Archive } from '../archive.ts';
import { currentSettings } from '../settings/read.ts';
import { isSavedSince, knownVideoIds } from '../video/known.ts';
import { failureOf, YtdlpFailed, type Failure } from '../ytdlp/failure.ts';
import { stillOn } from '../ytdlp/fetch-video.ts';
import type { Live, VideoInfo } from '../ytdlp/info.ts';
import { lookUp } from '../ytdlp/listing.ts';
import { ytdlpOf } from '../ytdlp-of.ts';
import { wireId } from '../ytdlp/wire-id.ts';
import type { Adding, Manner } from './adding.ts';
import type { Wanted } from './classify.ts';
import { nextTry } from './retry.ts';
import { isPaused, pauseSite } from './site-pause.ts';
import type { judge } from './rules.ts';
import { changeItem } from './queue-store.ts';
import { enqueue, enqueueAgain, enqueueAll, queuedIds, type NewItem } from './store.ts';
import { fetchThumbnail } from './thumbnail.ts';

/** What a video's page tells the queue. */
function itemOf(info: VideoInfo, wanted: { kind?: Wanted['kind'] | undefined }, manner: Manner, now: number): NewItem {
  return {
    id: wireId(info.site, info.siteId),
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
    isForced: manner.force ? 1 : 0,
    queuedAt: now,
  };
}

/** Whether an id need not be added, because it is there already. What waits is moved up when it is to start by itself. */
export async function isThere({ archive, manner, work }: Adding, id: string): Promise<boolean> {
  const queued = (await queuedIds(archive.db, [id])).get(id);
  if (queued === 'pending' && manner.autostart) {
    await changeItem(archive.db, id, 'priority');
    return true;
  }
  // Asked for again, it is fetched again: once, also when the program was ended between that and the end of this task.
  if (manner.force && manner.status === 'pending')
    return work.againSince !== null && (await isSavedSince(archive, id, work.againSince));
  if (queued) return manner.status === 'pending' || queued === 'ignore';
  return (await knownVideoIds(archive, [id])).size > 0;
}

/** Puts an item on the queue, and fetches its picture. */
export async function putOnQueue({ archive, manner, work, added }: Adding, item: NewItem) {
  const isNew =
    manner.force || manner.status === 'ignore' ? (await enqueueAgain(archive.db, [item]), true) : await enqueue(archive.db, item);
  if (!isNew) return;
  work.note({ kind: 'new', what: item.title, videoId: item.id });
  await added();
  archive.announce('download');
  if (item.thumbnailUrl && item.status === 'pending') await fetchThumbnail(archive, item.id, item.thumbnailUrl, work.signal);
}

/** Puts what a listing told on the queue at once, without looking any of it up. Pictures come later. */
export async function putAllOnQueue({ archive, manner, added, work }: Adding, items: NewItem[]) {
  const isIgnored = manner.status === 'ignore';
  const count = isIgnored ? items.length : await enqueueAll(archive.db, items);
  if (isIgnored) for (const item of items) await enqueueAgain(archive.db, [item]);
  if (count === 0) return;
  for (const { id, title } of items) work.note({ kind: 'new', what: title, videoId: id });
  await added(count);
  archive.announce('download');
}

async function look({ archive, work }: Pick<Adding, 'archive' | 'work'>, url: string): Promise<VideoInfo> {
  const { downloads } = await currentSettings(archive);
  return lookUp(await ytdlpOf(archive), url, { lang: downloads.extractor_lang, signal: work.signal });
}

/**
 * Looks a video up and puts it on the queue. One that cannot be looked up is put there too, with the reason, so that it
 * can be tried again; one that is live or still to come is left out, and said.
 */
export async function addVideo(
  adding: Adding,
  wanted: { id: string; url: string; kind?: Wanted['kind'] | undefined },
  { listed, leftOut }: { listed?: NewItem; leftOut?: ReturnType<typeof judge> | null } = {},
) {
  const { archive, work, manner } = adding;
  if (await isThere(adding, wanted.id)) return;
  const plain = listed ?? unknownItem(wanted, manner, archive);
  // A site that turned us away is not asked on and on: what its listing told is enough until the item's turn comes.
  if (await isPaused(archive.db, plain.site, archive.now())) return putOnQueue(adding, plain);
  let info: VideoInfo;
  try {
    info = await look(adding, wanted.url);
  } catch (problem) {
    work.signal.throwIfAborted();
    const failure = problem instanceof YtdlpFailed ? problem.failure : failureOf(String(problem));
    // Only now it is known that it is for members; a source that leaves those out is not asked about it again.
    const forMembers = failure.kind === 'members-only' && leftOut?.({ ...judgedOf(plain), isMembersOnly: true });
    if (forMembers) return work.note({ kind: 'left-out', what: plain.title, why: forMembers.sentence, videoId: wanted.id });
    await pauseSite(archive.db, plain.site, failure, archive.now());
    await putOnQueue(adding, failed(plain, failure, archive.now()));
    work.skip(listed?.title ?? wanted.id, failure.message, { videoId: wanted.id, cause: problem });
    return;
  }
  if (wireId(info.site, info.siteId) !== wanted.id)
    throw new Error(`The site answered with another video (${info.siteId}); nothing was added.`);
  const why = leftOut?.({ ...info, isMembersOnly: false })?.sentence;
  if (why) return work.note({ kind: 'left-out', what: info.title, why, videoId: wanted.id });
  await putOnQueue(adding, whenOver(info, itemOf(info, wanted, manner, archive.now())));
}

/** Adds the one video of a page of any site; only looking it up tells what it is called there. */
export async function addPage(adding: Adding, url: string) {
  const info = await look(adding, url);
  if (await isThere(adding, wireId(info.site, info.siteId))) return;
  await putOnQueue(adding, whenOver(info, itemOf(info, {}, adding.manner, adding.archive.now())));
}

/** An item with the reason why it cannot be fetched now; it is tried again when that reason has an end. */
const failed = (item: NewItem, { kind, message, againInSeconds }: Failure, now: number): NewItem => ({
  ...item,
  failure: kind,
  message,
  failures: 1,
  retryAt: item.status === 'pending' ? nextTry(kind, { failures: 1, now, againInSeconds }) : null,
});

/** What is live or still to come waits on the queue until it is over. */
export const whenOver = ({ live }: { live: Live }, item: NewItem): NewItem =>
  (live === 'live' || live === 'upcoming') && item.status === 'pending' ? failed(item, stillOn, item.queuedAt) : item;

const judgedOf = ({ title, durationSeconds = null, publishedAt = null }: NewItem) => ({ title, durationSeconds, publishedAt });

const unknownItem = (
  wanted: { id: string; url: string; kind?: Wanted['kind'] | undefined },
  manner: Manner,
  archive: Archive,
): NewItem => ({
  id: wanted.id,
  site: 'youtube',
  siteId: wanted.id,
  url: wanted.url,
  title: wanted.id,
  channelId: '',
  channelName: '',
  kind: wanted.kind ?? 'unknown',
  status: manner.status,
  autoStart: manner.autostart && manner.status === 'pending' ? 1 : 0,
  isForced: manner.force ? 1 : 0,
  queuedAt: archive.now(),
});
