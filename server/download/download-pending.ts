import { z } from 'zod';
import type { Archive } from '../archive.ts';
import { makeRoom } from '../bin/make-room.ts';
import { overwritesOf } from '../channel/overwrites.ts';
import { indexPlaylists } from '../playlist/index-playlists.ts';
import { makeRoomFor } from '../rendition/keep.ts';
import { currentSettings } from '../settings/read.ts';
import { defineTask, Shutdown, type Work } from '../task/task.ts';
import { lanes } from './lanes.ts';
import { pause } from './pause.ts';
import { gigabyte, whyNoRoom } from './room-left.ts';
import { claimNext, clearAutoStart, keepForLater, standDown } from './store.ts';
import { takeOne, type Outcome } from './take-one.ts';

const Input = z.object({ autoOnly: z.boolean().default(false) });
type Input = z.infer<typeof Input>;

// A long list takes a while to look up; what is found is fetched meanwhile.
const lookAgainMs = 500;

/** Whether more is being looked up that is to be downloaded by itself. */
async function isMoreComing(archive: Archive): Promise<boolean> {
  const { tasks } = archive;
  const adding = (await tasks.underWay('extract_download')) as { autostart?: boolean }[];
  if (adding.some(({ autostart }) => autostart === true)) return true;
  const isScanning = (await tasks.underWay('update_subscribed')).length > 0;
  return isScanning && (await currentSettings(archive)).subscriptions.auto_start;
}

/** Playlists of a channel that are to be indexed may hold what has just come. */
async function indexTheirPlaylists({ db, tasks }: Archive, channelIds: Set<string>) {
  const wanted = [];
  for (const id of channelIds) if ((await overwritesOf(db, id)).index_playlists) wanted.push(id);
  if (wanted.length > 0) await tasks.start(indexPlaylists, { channels: wanted });
}

/** Takes items while there are any, as many at once as the settings allow. Answers how many were archived. */
async function downloadAll(work: Work<Input>, archive: Archive): Promise<number> {
  const { input, signal, report } = work;
  const { db, runId } = archive;
  const under = new Map<number, Promise<void>>();
  const channels = new Set<string>();
  const visited = new Set<string>(); // sites asked in this run: before the next of theirs there is a pause
  const came: Record<Outcome, number> = { archived: 0, failed: 0, 'disk-full': 0, 'put down': 0 };
  const { reportOf, end } = lanes(report);

  const takeNext = async (): Promise<boolean> => {
    const { queue } = await currentSettings(archive);
    if (under.size >= queue.at_once) return false;
    const claimed = {
      runId,
      now: archive.now(),
      autoOnly: input.autoOnly,
      perSite: queue.per_site,
      underWay: [...under.keys()],
    };
    const item = await claimNext(db, claimed);
    if (!item) return false;
    const pausesFirst = visited.has(item.site);
    visited.add(item.site);
    const one = takeOne(archive, item, { ...work, report: reportOf(item.number) }, { pausesFirst });
    under.set(
      item.number,
      one.then((outcome) => {
        came[outcome]++;
        if (outcome === 'archived') channels.add(item.channelId);
        under.delete(item.number);
        end(item.number);
      }),
    );
    return true;
  };

  // What can be made again gives way first, then what rests in the bin, the oldest first, and that is said.
  const whyNone = async () => {
    const wasFull = came['disk-full'] > 0;
    const why = wasFull ? 'The disk is full. Downloads go on by themselves when there is room.' : await whyNoRoom(archive);
    if (!why) return why;
    const freed = await makeRoomFor(archive, wasFull ? gigabyte : 0);
    const gone = await makeRoom(archive, { wasFull });
    if (freed === 0 && gone.length === 0) return why;
    came['disk-full'] = 0;
    for (const { title } of gone)
      work.note({ kind: 'step', what: title, why: 'Deleted from the bin for good: downloads found no room.' });
    return whyNoRoom(archive);
  };

  for (;;) {
    // Asked first: what is put on the queue between the two questions is then still waited for.
    const isMore = await isMoreComing(archive);
    const noRoom = await whyNone();
    if (!signal.aborted && !noRoom && (await takeNext())) continue;
    if (under.size > 0) {
      // While one goes on, another may come that can be taken beside it.
      await Promise.race([...under.values(), pause(lookAgainMs / 1000, new AbortController().signal)]);
      continue;
    }
    signal.throwIfAborted();
    if (noRoom) throw new Error(noRoom);
    if (!isMore) {
      await indexTheirPlaylists(archive, channels);
      return came.archived;
    }
    report({ messages: ['Waiting for what is being looked up.'] });
    await pause(lookAgainMs / 1000, signal);
  }
}

/** Downloads what waits in the queue. */
export const downloadPending = defineTask<Input>({
  name: 'download_pending',
  title: 'Downloading',
  group: 'download:run',
  isStartable: true,
  isStoppable: true,
  schedule: { auto: '0 16 *' },
  input: Input,

  async run(work, archive) {
    const { db, tools } = archive;
    if (!tools.ytdlp || !tools.ffmpeg)
      throw new Error(`${tools.ytdlp ? 'ffmpeg' : 'yt-dlp'} is not there, so nothing can be downloaded. The queue waits.`);
    work.report({ messages: ['Looking at the queue.'] });
    try {
      const archived = await downloadAll(work, archive);
      if (!work.input.autoOnly) await keepForLater(db, archive.now());
      await clearAutoStart(db, archive.now());
      return archived > 0 ? `downloaded ${archived} video(s).` : undefined;
    } catch (problem) {
      if (work.signal.aborted && !(work.signal.reason instanceof Shutdown)) await standDown(db, archive.now());
      throw problem;
    } finally {
      archive.announce('download');
    }
  },
});
