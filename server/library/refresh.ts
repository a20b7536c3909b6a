import { z } from 'zod';
import type { Archive } from '../archive.ts';
import { refreshChannel } from '../channel/refresh-channel.ts';
import { failureOfDownload } from '../download/failure.ts';
import { pause } from '../download/pause.ts';
import { isPaused, pauseSite } from '../download/site-pause.ts';
import { listPlaylist } from '../playlist/list-playlist.ts';
import { validateCookie } from '../settings/cookie.ts';
import { currentSettings } from '../settings/read.ts';
import { noteGone } from '../source-gone.ts';
import { defineTask, type Work } from '../task/task.ts';
import { YtdlpFailed } from '../ytdlp/failure.ts';
import { countWishes, takeWish, wish, wishWhatIsDue, type Kind } from './refresh-queue.ts';
import { refreshVideo } from './refresh-video.ts';

const Input = z.object({
  /** Puts on the list what was not looked at for so many days; absent: only what is on it already. */
  days: z.int().min(1).optional(),
});
type Input = z.infer<typeof Input>;

interface Thing {
  name: string;
  site: string;
  /** False when it was deleted meanwhile. */
  refresh(): Promise<boolean | void>;
}

/** What there is to refresh under this id; null when there is nothing (any more). */
async function find(archive: Archive, kind: Kind, id: string, work: Work<Input>): Promise<Thing | null> {
  const { db } = archive;
  if (kind === 'video') {
    const video = await db
      .selectFrom('video')
      .select(['id', 'site', 'siteId', 'url', 'channelId', 'mediaPath', 'title'])
      .where('id', '=', id)
      .executeTakeFirst();
    return video ? { name: video.title, site: video.site, refresh: () => refreshVideo(archive, video, work) } : null;
  }
  if (kind === 'channel') {
    const channel = await db.selectFrom('channel').select(['name', 'site']).where('id', '=', id).executeTakeFirst();
    return channel ? { ...channel, refresh: () => refreshChannel(archive, id, work.signal) } : null;
  }
  const list = await db.selectFrom('playlist').select(['name', 'url', 'kind']).where('id', '=', id).executeTakeFirst();
  if (!list || list.kind === 'custom') return null;
  const url = list.url ?? `https://www.youtube.com/playlist?list=${id}`;
  return { name: list.name, site: 'youtube', refresh: async () => void (await listPlaylist(archive, url, work.signal)) };
}

/** Refreshes one thing. Answers whether it was, or is to be put back because its site is left alone. */
async function refreshOne(archive: Archive, work: Work<Input>, { kind, id }: { kind: Kind; id: string }) {
  const { db, now } = archive;
  const thing = await find(archive, kind, id, work);
  if (!thing) return 'gone from here';
  if (await isPaused(db, thing.site, now())) return 'later';
  work.report({ messages: [`Refreshing ${thing.name}`, `${await countWishes(db)} more to go.`] });
  try {
    return (await thing.refresh()) === false ? 'gone from here' : 'refreshed';
  } catch (problem) {
    work.signal.throwIfAborted();
    const failure = failureOfDownload(problem);
    await pauseSite(db, thing.site, failure, now());
    if (failure.kind === 'blocked' || failure.kind === 'rate-limited') return 'later';
    // Only the site's own word that it is gone counts; what goes wrong on our side says nothing.
    const isGone = problem instanceof YtdlpFailed && (await noteGone(db, kind, id, { kind: failure.kind, now: now() }));
    work.skip(thing.name, isGone ? `${failure.message} It is marked as gone; its file stays.` : failure.message);
    // Else it would be the first again tomorrow, and the day after.
    await db.updateTable(kind).set({ refreshedAt: now() }).where('id', '=', id).execute();
    return 'failed';
  }
}

const sentence = (counts: Record<Kind, number>) => {
  const parts = (['video', 'channel', 'playlist'] as const).flatMap((kind) =>
    counts[kind] > 0 ? [`${counts[kind]} ${kind}s`] : [],
  );
  return parts.length > 0 ? `reindexed ${parts.join(', ')}` : undefined;
};

/** Brings videos, channels and playlists up to date: what was asked for, and by schedule what was not looked at for longest. */
export const checkReindex = defineTask<Input>({
  name: 'check_reindex',
  title: 'Reindex Documents',
  group: 'reindex:run',
  isStartable: false,
  isStoppable: false,
  schedule: { auto: '0 12 *', config: { days: { initial: 90, min: 1, max: 9999 } } },
  input: Input,

  async run(work, archive) {
    const { db } = archive;
    const { downloads } = await currentSettings(archive);
    if (downloads.cookie_import && !(await validateCookie(archive)))
      throw new Error('The stored login has ended, so nothing was refreshed: what it opens would look as if it were gone.');
    if (work.input.days !== undefined) await wishWhatIsDue(archive, work.input.days);
    const counts: Record<Kind, number> = { video: 0, channel: 0, playlist: 0 };
    const later: { number: number; kind: Kind; id: string; isByHand: 0 | 1 }[] = [];
    try {
      for (let next; (next = await takeWish(db));) {
        work.signal.throwIfAborted();
        let outcome: Awaited<ReturnType<typeof refreshOne>> | 'stopped' = 'stopped';
        try {
          outcome = await refreshOne(archive, work, next);
        } finally {
          if (outcome === 'later' || outcome === 'stopped') later.push(next);
        }
        if (outcome === 'refreshed') counts[next.kind]++;
        if (outcome === 'refreshed' || outcome === 'failed') await pause(downloads.sleep_interval, work.signal);
      }
    } finally {
      for (const { kind, id, isByHand } of later) await wish(db, kind, [id], isByHand);
      archive.announce('video', 'channel', 'playlist');
    }
    if (later.length > 0)
      work.skip(`${later.length} more`, 'Their site is left alone for now; they are refreshed the next time.');
    return sentence(counts);
  },
});
