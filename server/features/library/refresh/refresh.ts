import { MessageError } from '../../../platform/messages/message-error.ts';
import { message, messages, type Message } from '#contract/messages.ts';
import { z } from 'zod';
import type { AppContext } from '../../../platform/context/app-context.ts';
import { refreshChannel } from '../../../archive/channel/refresh-channel.ts';
import { classifyDownloadError } from '../../../archive/publish/classify-error.ts';
import { jitteredDelay } from '../../../archive/sites/jittered-delay.ts';
import { usesLogin } from '../../../archive/sites/login-egress.ts';
import { isCoolingDown, startCooldown } from '../../../archive/sites/site-cooldowns.ts';
import { listPlaylist } from '../../../archive/playlist/list-playlist.ts';
import { validateCookie } from '../../../archive/cookies/stored-cookies.ts';
import { readSettings } from '../../../archive/settings/store.ts';
import { markUnavailable } from '../../../archive/sites/mark-unavailable.ts';
import { defineTask, type TaskWork } from '../../../platform/context/task.ts';
import { YtdlpFailed } from '../../../platform/ytdlp/failure.ts';
import { countRequests, takeRequest, requestRefresh, requestDueRefreshes, type RefreshKind } from './refresh-queue.ts';
import { refreshVideo } from './refresh-video.ts';

const title = messages['task.check_reindex'];

const Input = z.object({
  /** Enqueues items that were not refreshed for this many days; if absent, only the existing queue is processed. */
  days: z.int().min(1).optional(),
});
type Input = z.infer<typeof Input>;

interface Thing {
  name: string;
  site: string;
  /** Returns false if the item was deleted meanwhile. */
  refresh(): Promise<boolean | void>;
}

/** Finds the item with this id; null if it does not exist or cannot be refreshed. */
async function find(app: AppContext, kind: RefreshKind, id: string, work: TaskWork<Input>): Promise<Thing | null> {
  const { db } = app;
  if (kind === 'video') {
    const video = await db
      .selectFrom('video')
      .select(['id', 'site', 'siteId', 'url', 'channelId', 'mediaPath', 'title', 'durationSeconds', 'live'])
      .where('id', '=', id)
      .executeTakeFirst();
    return video ? { name: video.title, site: video.site, refresh: () => refreshVideo(app, video, work) } : null;
  }
  if (kind === 'channel') {
    const channel = await db.selectFrom('channel').select(['name', 'site']).where('id', '=', id).executeTakeFirst();
    return channel ? { ...channel, refresh: () => refreshChannel(app, id, work.signal) } : null;
  }
  const list = await db.selectFrom('playlist').select(['name', 'url', 'kind']).where('id', '=', id).executeTakeFirst();
  if (!list || list.kind === 'custom') return null;
  const url = list.url ?? `https://www.youtube.com/playlist?list=${id}`;
  return { name: list.name, site: 'youtube', refresh: async () => void (await listPlaylist(app, url, work.signal)) };
}

/** Refreshes one item. Returns the outcome; `later` means that its site is in cooldown and the item goes back to the queue. */
async function refreshOne(app: AppContext, work: TaskWork<Input>, { kind, id }: { kind: RefreshKind; id: string }) {
  const { db, now } = app;
  const thing = await find(app, kind, id, work);
  if (!thing) return 'gone from here';
  if (await isCoolingDown(app, thing.site)) return 'later';
  work.report({
    messages: [
      message('refresh.running', { name: thing.name }),
      message('refresh.remaining', { count: await countRequests(db) }),
    ],
  });
  try {
    return (await thing.refresh()) === false ? 'gone from here' : 'refreshed';
  } catch (problem) {
    work.signal.throwIfAborted();
    const failure = classifyDownloadError(problem);
    await startCooldown(app, thing.site, failure);
    if (failure.kind === 'blocked' || failure.kind === 'rate-limited') return 'later';
    // Only a response of the site marks an item as unavailable; errors on this side do not.
    const isGone = problem instanceof YtdlpFailed && (await markUnavailable(db, kind, id, { kind: failure.kind, now: now() }));
    work.skip(thing.name, isGone ? [failure.message, message('refresh.gone')] : failure.message);
    // Otherwise the item would be the first of every scheduled run.
    await db.updateTable(kind).set({ refreshedAt: now() }).where('id', '=', id).execute();
    return 'failed';
  }
}

// TubeArchivist always uses the plural, and its clients read it.
const countIds = { video: 'count.video', channel: 'count.channel', playlist: 'count.playlist' } as const;

function resultOf(counts: Record<RefreshKind, number>): Message | undefined {
  const parts = (['video', 'channel', 'playlist'] as const).flatMap((kind) =>
    counts[kind] > 0 ? [message(countIds[kind], { count: counts[kind] })] : [],
  );
  return parts.length > 0 ? message('refresh.done', { counts: { list: parts } }) : undefined;
}

/** Refreshes the queued videos, channels and playlists; scheduled runs first enqueue the least recently refreshed ones. */
export const checkReindex = defineTask<Input>({
  name: 'check_reindex',
  title,
  group: 'reindex:run',
  isStartable: false,
  isStoppable: false,
  schedule: { auto: '0 12 *', isOnFromTheStart: 'new', config: { days: { initial: 90, min: 1, max: 9999 } } },
  needs: ['ytdlp', 'ffmpeg'],
  input: Input,

  async run(work, app) {
    const { db } = app;
    const settings = await readSettings(app.db);
    if (settings.downloads.cookie_import && usesLogin(app, settings) && !(await validateCookie(app)))
      throw new MessageError(message('refresh.no-login'));
    if (work.input.days !== undefined) await requestDueRefreshes(app, work.input.days);
    const counts: Record<RefreshKind, number> = { video: 0, channel: 0, playlist: 0 };
    const later: { number: number; kind: RefreshKind; id: string; isManual: 0 | 1 }[] = [];
    try {
      for (let next; (next = await takeRequest(db));) {
        work.signal.throwIfAborted();
        let outcome: Awaited<ReturnType<typeof refreshOne>> | 'stopped' = 'stopped';
        try {
          outcome = await refreshOne(app, work, next);
        } finally {
          if (outcome === 'later' || outcome === 'stopped') later.push(next);
        }
        if (outcome === 'refreshed') counts[next.kind]++;
        if (outcome === 'refreshed' || outcome === 'failed') await jitteredDelay(settings.downloads.sleep_interval, work.signal);
      }
    } finally {
      for (const { kind, id, isManual } of later) await requestRefresh(db, kind, [id], isManual);
      app.announce('video', 'channel', 'playlist');
    }
    if (later.length > 0) work.skip(title, message('refresh.postponed', { count: later.length }));
    return resultOf(counts);
  },
});
