import { z } from 'zod';
import type { ChannelOverwrites } from '#contract/channel.ts';
import type { Settings } from '#contract/settings.ts';
import type { Archive } from '../archive.ts';
import { judge, mergeRules, ownRulesOf, type Rules } from '../download/rules.ts';
import { currentSettings } from '../settings/read.ts';
import type { Sum } from '../video/sum-of.ts';
import { defineTask } from '../task/task.ts';
import { whyNotBelieved } from './media-marker.ts';
import { deleteVideo } from '../video/delete-video.ts';
import { watchedFrom } from '../video/save-progress.ts';

/** A video that a rule of people's own making takes away. */
export interface Leaving {
  id: string;
  title: string;
  channelId: string;
  channelName: string;
  sizeBytes: number;
  /** Among the videos of its channel, newest first, from 0. */
  place: number;
  why: string;
}

const day = 86_400;
const againDays = 7; // for so long who has watched something, and stopped in the middle of it, counts as watching it again

/**
 * Videos of a channel, or the one with this id, with what keeps a rule from taking them: that they are marked to be kept, that
 * somebody is in the middle of them, or put them into a playlist of their own.
 */
const candidates = ({ db, now }: Archive, by: 'video.channelId' | 'video.id', id: string) =>
  db
    .selectFrom('video')
    .leftJoin('watch', (on) => on.onRef('watch.videoId', '=', 'video.id').on('watch.watchedAt', 'is not', null))
    .select(['video.id', 'video.title', 'video.sizeBytes', 'video.durationSeconds', 'video.publishedAt', 'video.isKept'])
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
    .groupBy('video.id')
    .orderBy('video.publishedAt', 'desc')
    .orderBy('video.id')
    .execute();
type Candidate = Awaited<ReturnType<typeof candidates>>[number];

/** Whether somebody who has watched it is in the middle of it again; a player also tells of the last minutes, which are none. */
function isWatchedAgain({ againAt, durationSeconds }: Candidate): boolean {
  if (againAt === null) return false;
  const over = watchedFrom(durationSeconds);
  return over === null || againAt < over;
}

interface Channel {
  id: string;
  name: string;
  isSubscribed: 0 | 1;
  overwrites: string | null;
  rules: string | null;
}

/** After how many days what was watched goes: the channel's own choice (0 is at once) before the one for all. Null: never. */
function daysOf(channel: Channel, forAll: number | null): number | null {
  const own = (JSON.parse(channel.overwrites ?? '{}') as Partial<ChannelOverwrites>).autodelete_days;
  return own ?? (forAll === null || forAll === 0 ? null : forAll);
}

type Verdict = (video: Candidate, place: number) => string | null;

/** What the rules that hold for a channel say of its videos: why one goes, or null. No function where they take nothing. */
function verdictOf(
  channel: Channel,
  { downloads, rules: all }: Pick<Settings, 'downloads' | 'rules'>,
  now: number,
): Verdict | null {
  const rules = mergeRules(all, ownRulesOf(channel));
  const days = daysOf(channel, downloads.autodelete_days);
  // Only what a subscription brings in is bounded by how much of it is to be kept; what was fetched by hand is not.
  const bounded = channel.isSubscribed === 1 && (rules.keep_newest !== null || rules.keep_days !== null);
  if (days === null && !bounded) return null;
  const none = Object.fromEntries(Object.keys(rules).map((key) => [key, null])) as unknown as Rules;
  const tooOld = judge({ ...none, keep_newest: rules.keep_newest, keep_days: rules.keep_days }, now);
  return (video, place) => {
    if (video.isKept || video.isBegun || video.isCollected || isWatchedAgain(video)) return null;
    if (days !== null && video.watchedAt !== null && now - video.watchedAt >= days * day)
      return days === 0 ? 'It has been watched.' : `It was watched at least ${days} days ago.`;
    return (bounded && tooOld({ ...video, isMembersOnly: false }, place)?.sentence) || null;
  };
}

/** What is looked at in place of what is kept: other settings, or one channel alone, as if it said this. */
export interface Supposed {
  settings?: Pick<Settings, 'downloads' | 'rules'>;
  channel?: Pick<Channel, 'id'> & Partial<Channel>;
}

const channelsOf = ({ db }: Archive) => db.selectFrom('channel').select(['id', 'name', 'isSubscribed', 'overwrites', 'rules']);

/** Everything that would go if the rules were followed now, channel by channel. */
export async function* whatLeaves(archive: Archive, { settings, channel: only }: Supposed = {}): AsyncGenerator<Leaving> {
  const settled = settings ?? (await currentSettings(archive));
  const channels = await channelsOf(archive)
    .$if(only !== undefined, (q) => q.where('id', '=', only!.id))
    .orderBy('sortName')
    .execute();
  for (const kept of channels) {
    const channel = { ...kept, ...only };
    const verdict = verdictOf(channel, settled, archive.now());
    const videos = verdict ? await candidates(archive, 'video.channelId', channel.id) : [];
    for (const [place, video] of videos.entries()) {
      const why = verdict!(video, place);
      const { id, title, sizeBytes } = video;
      if (why !== null) yield { id, title, sizeBytes, channelId: channel.id, channelName: channel.name, place, why };
    }
  }
}

/** Whether it still goes, and why: since all were looked at, somebody may have begun it, marked it, or changed the rule. */
async function stillLeaves(archive: Archive, { id, channelId, place }: Leaving): Promise<string | null> {
  const channel = await channelsOf(archive).where('id', '=', channelId).executeTakeFirst();
  const verdict = channel && verdictOf(channel, await currentSettings(archive), archive.now());
  const [video] = await candidates(archive, 'video.id', id);
  return verdict && video ? verdict(video, place) : null;
}

/** How much would go by what is supposed that does not go by what is kept now. */
export async function leavingMore(archive: Archive, supposed: Supposed): Promise<Sum> {
  const goes = new Set<string>();
  for await (const { id } of whatLeaves(archive, supposed.channel ? { channel: { id: supposed.channel.id } } : {})) goes.add(id);
  const more = { videos: 0, sizeBytes: 0 };
  for await (const { id, sizeBytes } of whatLeaves(archive, supposed)) {
    if (goes.has(id)) continue;
    more.videos++;
    more.sizeBytes += sizeBytes;
  }
  return more;
}

/** Deletes what the rules say, and puts it on the ignore list. One that cannot be deleted is a line in the report. */
export const retention = defineTask<object>({
  name: 'autodelete',
  title: 'Delete what is watched or old',
  group: 'setting:autodelete',
  isStartable: true,
  isStoppable: true,
  schedule: { auto: '30 3 *', isOnFromTheStart: true },
  input: z.object({}),

  async run({ signal, report, skip }, archive) {
    const away = await whyNotBelieved(archive);
    if (away) throw new Error(away);
    let count = 0;
    for await (const leaving of whatLeaves(archive)) {
      signal.throwIfAborted();
      const { id, title } = leaving;
      const why = await stillLeaves(archive, leaving);
      if (why === null) continue;
      report({ messages: [`Deleting ${title}`, why] });
      try {
        await deleteVideo(archive, id, { andIgnore: true, why });
        archive.log.info({ id, title, why }, 'deleted by a rule');
        count++;
      } catch (problem) {
        skip(title, problem);
      }
    }
    return count > 0 ? `Deleted ${count} video(s) by the rules.` : undefined;
  },
});
