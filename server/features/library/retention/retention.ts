import { message, messages, type Message } from '#contract/messages.ts';
import { z } from 'zod';
import type { Settings } from '#contract/settings.ts';
import type { AppContext } from '../../../platform/context/app-context.ts';
import { applyRules, mergeRules, ownRulesOf, type Rules } from '../../../archive/queue/filter-rules.ts';
import { parseOverrides, readSettings } from '../../../archive/settings/store.ts';
import type { SelectionSize } from '../../../archive/queries/total-size.ts';
import { defineTask } from '../../../platform/context/task.ts';
import { MessageError } from '../../../platform/messages/message-error.ts';
import { renderMessages } from '../../../platform/messages/render.ts';
import { whyMediaUnavailable } from '../../../archive/storage/mount-check.ts';
import { deleteVideo } from '../../trash/delete-video.ts';
import { watchedThreshold } from '../../video/watch/save-progress.ts';

/** A video that a cleanup rule deletes. */
export interface ExpiredVideo {
  id: string;
  title: string;
  channelId: string;
  channelName: string;
  sizeBytes: number;
  /** Position among the videos of its channel, newest first, from 0. */
  place: number;
  why: Message;
}

const day = 86_400;
const againDays = 7; // for this long, a position in a watched video counts as watching it again

/** When watched videos are deleted. */
interface WatchedRule {
  days: number;
  /** Bytes. */
  minSize: number;
  availableOnly: boolean;
}

/**
 * Loads the videos of a channel, or the video with this id, with everything that exempts a video from the rules: protection, a
 * user's saved position, membership in a custom playlist. With `watched`, only those that this rule can delete.
 */
const candidates = ({ db, now }: AppContext, by: 'video.channelId' | 'video.id', id: string, watched?: WatchedRule) =>
  db
    .selectFrom('video')
    .leftJoin('watch', (on) => on.onRef('watch.videoId', '=', 'video.id').on('watch.watchedAt', 'is not', null))
    .select(['video.id', 'video.title', 'video.sizeBytes', 'video.durationSeconds', 'video.publishedAt'])
    .select(['video.isProtected', 'video.isActive'])
    .select((e) => [
      e.fn.max('watch.watchedAt').as('watchedAt'),
      e
        .exists(
          e
            .selectFrom('watch as open')
            .select('open.videoId')
            .whereRef('open.videoId', '=', 'video.id')
            .where('open.watchedAt', 'is', null)
            .where('open.positionSeconds', '>', 0),
        )
        .as('isBegun'),
      e
        .selectFrom('watch as again')
        .select((some) => some.fn.min('again.positionSeconds').as('position'))
        .whereRef('again.videoId', '=', 'video.id')
        .where('again.watchedAt', 'is not', null)
        .where('again.positionSeconds', '>', 0)
        .where('again.updatedAt', '>', now() - againDays * day)
        .as('againAt'),
      e
        .exists(
          e
            .selectFrom('playlistEntry')
            .innerJoin('playlist', 'playlist.id', 'playlistEntry.playlistId')
            .select('playlist.id')
            .whereRef('playlistEntry.videoId', '=', 'video.id')
            .where('playlist.kind', '=', 'custom'),
        )
        .as('isCollected'),
    ])
    .where(by, '=', id)
    .$if(watched !== undefined, (q) =>
      q.where('watch.watchedAt', 'is not', null).where('video.sizeBytes', '>=', watched!.minSize),
    )
    .$if(watched?.availableOnly === true, (q) => q.where('video.isActive', '=', 1))
    .groupBy('video.id')
    .orderBy('video.publishedAt', 'desc')
    .orderBy('video.id')
    .execute();
type Candidate = Awaited<ReturnType<typeof candidates>>[number];

/** Whether a user is watching the video again. Positions in the last minutes, which players report too, do not count. */
function isWatchedAgain({ againAt, durationSeconds }: Candidate): boolean {
  if (againAt === null) return false;
  const over = watchedThreshold(durationSeconds);
  return over === null || againAt < over;
}

interface Channel {
  id: string;
  name: string;
  isSubscribed: 0 | 1;
  overwrites: string | null;
  rules: string | null;
}

/**
 * Returns which watched videos are deleted: the channel's overrides (0 days: immediately, 0 bytes: any size) or the global
 * settings. Null: none.
 */
function watchedRuleOf(channel: Channel, all: Settings['downloads']): WatchedRule | null {
  const own = parseOverrides(channel.overwrites);
  const days = own.autodelete_days ?? (all.autodelete_days || null);
  if (days === null) return null;
  return {
    days,
    minSize: own.autodelete_min_size ?? all.autodelete_min_size ?? 0,
    availableOnly: own.autodelete_available_only ?? all.autodelete_available_only,
  };
}

/** Rules of a channel. */
interface Verdict {
  /** Returns why a video is deleted, or null. */
  of(video: Candidate, place: number): Message | null;
  /** Set if no other rule deletes videos. */
  onlyWatched?: WatchedRule;
}

/** Compiles the rules of a channel. Null if none deletes videos. */
function verdictOf(
  channel: Channel,
  { downloads, rules: all }: Pick<Settings, 'downloads' | 'rules'>,
  { now, isWatchedOnly = false }: { now: number; isWatchedOnly?: boolean | undefined },
): Verdict | null {
  const rules = mergeRules(all, ownRulesOf(channel));
  const watched = watchedRuleOf(channel, downloads);
  // keep_newest and keep_days apply only to subscribed channels; videos that were downloaded manually stay.
  const bounded = !isWatchedOnly && channel.isSubscribed === 1 && (rules.keep_newest !== null || rules.keep_days !== null);
  if (watched === null && !bounded) return null;
  const goesWatched = ({ watchedAt, sizeBytes, isActive }: Candidate) =>
    watched !== null &&
    watchedAt !== null &&
    now - watchedAt >= watched.days * day &&
    sizeBytes >= watched.minSize &&
    (isActive === 1 || !watched.availableOnly);
  const none = Object.fromEntries(Object.keys(rules).map((key) => [key, null])) as unknown as Rules;
  const tooOld = applyRules({ ...none, keep_newest: rules.keep_newest, keep_days: rules.keep_days }, now);
  return {
    of(video, place) {
      if (video.isProtected || video.isBegun || video.isCollected || isWatchedAgain(video)) return null;
      if (goesWatched(video))
        return watched!.days === 0 ? message('delete.watched') : message('delete.watched-ago', { days: watched!.days });
      return (bounded && tooOld({ ...video, isMembersOnly: false }, place)?.message) || null;
    },
    ...(watched && !bounded && { onlyWatched: watched }),
  };
}

/** Proposed values for a preview: other settings, or one channel with other values. */
export interface ProposedRules {
  settings?: Pick<Settings, 'downloads' | 'rules'>;
  channel?: Pick<Channel, 'id'> & Partial<Channel>;
  /** Only the rule for watched videos. */
  isWatchedOnly?: boolean;
}

const channelsOf = ({ db }: AppContext) => db.selectFrom('channel').select(['id', 'name', 'isSubscribed', 'overwrites', 'rules']);

/** Lists all videos that the rules would delete now, channel by channel. */
export async function* findExpiredVideos(
  app: AppContext,
  { settings, channel: only, isWatchedOnly }: ProposedRules = {},
): AsyncGenerator<ExpiredVideo> {
  const settled = settings ?? (await readSettings(app.db));
  const channels = await channelsOf(app)
    .$if(only !== undefined, (q) => q.where('id', '=', only!.id))
    .orderBy('sortName')
    .execute();
  for (const kept of channels) {
    const channel = { ...kept, ...only };
    const verdict = verdictOf(channel, settled, { now: app.now(), isWatchedOnly });
    const videos = verdict ? await candidates(app, 'video.channelId', channel.id, verdict.onlyWatched) : [];
    for (const [place, video] of videos.entries()) {
      const why = verdict!.of(video, place);
      const { id, title, sizeBytes } = video;
      if (why !== null) yield { id, title, sizeBytes, channelId: channel.id, channelName: channel.name, place, why };
    }
  }
}

/**
 * Returns why the video is still to be deleted, or null: since it was listed, a user may have started or protected it, or changed
 * the rule.
 */
async function isStillExpired(app: AppContext, { id, channelId, place }: ExpiredVideo): Promise<Message | null> {
  const channel = await channelsOf(app).where('id', '=', channelId).executeTakeFirst();
  const verdict = channel && verdictOf(channel, await readSettings(app.db), { now: app.now() });
  const [video] = await candidates(app, 'video.id', id);
  return verdict && video ? verdict.of(video, place) : null;
}

/** Computes how much the proposed rules delete in addition to the current ones. */
export async function findAdditionallyExpired(app: AppContext, supposed: ProposedRules): Promise<SelectionSize> {
  const goes = new Set<string>();
  for await (const { id } of findExpiredVideos(app, supposed.channel ? { channel: { id: supposed.channel.id } } : {}))
    goes.add(id);
  const more = { videos: 0, sizeBytes: 0 };
  for await (const { id, sizeBytes } of findExpiredVideos(app, supposed)) {
    if (goes.has(id)) continue;
    more.videos++;
    more.sizeBytes += sizeBytes;
  }
  return more;
}

/** Deletes videos by the rules and adds them to the ignore list. A failure is reported, and the run continues. */
export const retention = defineTask<object>({
  name: 'autodelete',
  title: messages['task.autodelete'],
  group: 'setting:autodelete',
  isStartable: true,
  isStoppable: true,
  schedule: { auto: '30 3 *', isOnFromTheStart: true },
  input: z.object({}),

  async run({ signal, report, skip }, app) {
    const away = await whyMediaUnavailable(app);
    if (away) throw new MessageError(away);
    let count = 0;
    for await (const expired of findExpiredVideos(app)) {
      signal.throwIfAborted();
      const { id, title } = expired;
      const why = await isStillExpired(app, expired);
      if (why === null) continue;
      report({ messages: [message('delete.deleting-video', { title }), why] });
      try {
        await deleteVideo(app, id, { andIgnore: true, why });
        app.log.info({ id, title, why: renderMessages(why) }, 'deleted by a rule');
        count++;
      } catch (problem) {
        skip(title, problem as Error);
      }
    }
    return count > 0 ? message('delete.done-by-rules', { count }) : undefined;
  },
});
