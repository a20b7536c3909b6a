import { z } from 'zod';
import type { ChannelOverwrites } from '#contract/channel.ts';
import type { Settings } from '#contract/settings.ts';
import type { Archive } from '../archive.ts';
import type { Db } from '../db/db.ts';
import { judge, mergeRules, ownRulesOf, type Rules } from '../download/rules.ts';
import { currentSettings } from '../settings/read.ts';
import type { Sum } from '../video/sum-of.ts';
import { defineTask } from '../task/task.ts';
import { whyNotBelieved } from './media-marker.ts';
import { deleteVideo } from '../video/delete-video.ts';

/** A video that a rule of people's own making takes away. */
export interface Leaving {
  id: string;
  title: string;
  channelName: string;
  sizeBytes: number;
  why: string;
}

const day = 86_400;

/**
 * Videos of a channel that a rule may take: not those that are marked to be kept, nor those somebody is in the middle of, nor
 * those that somebody put into a playlist of their own.
 */
const deletable = (db: Db, channelId: string) =>
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
    .where('video.channelId', '=', channelId)
    .groupBy('video.id')
    .orderBy('video.publishedAt', 'desc')
    .orderBy('video.id')
    .execute();

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

async function leavingOf(
  archive: Archive,
  channel: Channel,
  { rules, days }: { rules: Rules; days: number | null },
): Promise<Leaving[]> {
  // Only what a subscription brings in is bounded by how much of it is to be kept; what was fetched by hand is not.
  const bounded = channel.isSubscribed === 1 && (rules.keep_newest !== null || rules.keep_days !== null);
  if (days === null && !bounded) return [];
  const now = archive.now();
  const none = Object.fromEntries(Object.keys(rules).map((key) => [key, null])) as unknown as Rules;
  const tooOld = judge({ ...none, keep_newest: rules.keep_newest, keep_days: rules.keep_days }, now);
  const videos = await deletable(archive.db, channel.id);
  return videos.flatMap((video, place): Leaving[] => {
    if (video.isKept || video.isBegun || video.isCollected) return [];
    const leaving = (why: string) => [
      { id: video.id, title: video.title, channelName: channel.name, sizeBytes: video.sizeBytes, why },
    ];
    if (days !== null && video.watchedAt !== null && now - video.watchedAt >= days * day)
      return leaving(days === 0 ? 'It has been watched.' : `It was watched at least ${days} days ago.`);
    const out = bounded && tooOld({ ...video, isMembersOnly: false }, place);
    return out ? leaving(out.sentence) : [];
  });
}

/** What is looked at in place of what is kept: other settings, or one channel alone, as if it said this. */
export interface Supposed {
  settings?: Pick<Settings, 'downloads' | 'rules'>;
  channel?: Pick<Channel, 'id'> & Partial<Channel>;
}

/** Everything that would go if the rules were followed now, channel by channel. */
export async function* whatLeaves(archive: Archive, { settings, channel: only }: Supposed = {}): AsyncGenerator<Leaving> {
  const { downloads, rules: all } = settings ?? (await currentSettings(archive));
  const channels = await archive.db
    .selectFrom('channel')
    .select(['id', 'name', 'isSubscribed', 'overwrites', 'rules'])
    .$if(only !== undefined, (q) => q.where('id', '=', only!.id))
    .orderBy('sortName')
    .execute();
  for (const kept of channels) {
    const channel = { ...kept, ...only };
    const rules = mergeRules(all, ownRulesOf(channel));
    yield* await leavingOf(archive, channel, { rules, days: daysOf(channel, downloads.autodelete_days) });
  }
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
    const why = await whyNotBelieved(archive);
    if (why) throw new Error(why);
    let count = 0;
    for await (const { id, title, why } of whatLeaves(archive)) {
      signal.throwIfAborted();
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
