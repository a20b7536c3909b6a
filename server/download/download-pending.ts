import { z } from 'zod';
import type { Archive } from '../archive.ts';
import { currentSettings } from '../settings/read.ts';
import { defineTask, Shutdown, type Work } from '../task/task.ts';
import { archiveVideo } from './archive-video.ts';
import { failureOfDownload } from './failure.ts';
import { folderOf } from './incoming.ts';
import { readManifest } from './manifest.ts';
import { removeFolder } from '../media/shelf.ts';
import { pause } from './pause.ts';
import { abandonable, TakenAway } from './running.ts';
import { claimNext, clearAutoStart, leaseSeconds, noteFailure, releaseLease, renewLease, type QueueItem } from './store.ts';

const Input = z.object({ autoOnly: z.boolean().default(false) });

// A site that turns us away will do so for the next video too, and longer each time it is asked.
const pausesSite = new Set(['blocked', 'rate-limited']);

// A long list takes a while to look up; what is found is fetched meanwhile.
const lookAgainMs = 500;

/** Whether more is being looked up that is to be downloaded by itself. */
async function isMoreComing({ tasks }: Archive): Promise<boolean> {
  const inputs = (await tasks.underWay('extract_download')) as { autostart?: boolean }[];
  return inputs.some(({ autostart }) => autostart === true);
}

/** Downloads one item, holding its lease; with a pause first when it is not the first. */
async function takeOne(archive: Archive, item: QueueItem, work: Work<unknown>, pausesFirst: boolean) {
  const renewal = setInterval(
    () =>
      renewLease(archive.db, item.number, archive.now()).catch((error: unknown) =>
        archive.log.warn({ err: error }, 'a lease was not renewed'),
      ),
    (leaseSeconds / 4) * 1000,
  );
  try {
    await abandonable(archive, item.number, work.signal, async (signal) => {
      if (pausesFirst) {
        work.report({ messages: [item.title, 'Pausing before the next download.'] });
        await pause((await currentSettings(archive)).downloads.sleep_interval, signal);
      }
      await archiveVideo(archive, item, { ...work, signal });
    });
  } finally {
    clearInterval(renewal);
  }
}

/**
 * Leaves the item as it was: a stop leaves nothing behind, the end of the program leaves what can be gone on with. What is
 * whole and checked is never thrown away.
 */
async function putDown(archive: Archive, item: QueueItem, reason: unknown) {
  const folder = folderOf(archive, item.number);
  if (!(reason instanceof Shutdown) && !(await readManifest(folder))) await removeFolder(folder);
  await releaseLease(archive.db, item.number);
  archive.announce('download');
}

/** Downloads what waits in the queue, one after the other. */
export const downloadPending = defineTask<z.infer<typeof Input>>({
  name: 'download_pending',
  title: 'Downloading',
  group: 'download:run',
  isStartable: true,
  isStoppable: true,
  input: Input,

  async run(work, archive) {
    const { input, signal, report } = work;
    if (!archive.tools.ytdlp || !archive.tools.ffmpeg)
      throw new Error(
        `${archive.tools.ytdlp ? 'ffmpeg' : 'yt-dlp'} is not there, so nothing can be downloaded. The queue waits.`,
      );
    const exceptSites: string[] = [];
    let archived = 0;
    let failed = 0;
    report({ messages: ['Looking at the queue.'] });
    try {
      for (;;) {
        signal.throwIfAborted();
        const { runId, db } = archive;
        // Asked first: what is put on the queue between the two questions is then still waited for.
        const isMore = await isMoreComing(archive);
        const item = await claimNext(db, { runId, now: archive.now(), autoOnly: input.autoOnly, exceptSites });
        if (!item && isMore) {
          report({ messages: ['Waiting for what is being looked up.'] });
          await pause(lookAgainMs / 1000, signal);
          continue;
        }
        if (!item) break;
        archive.announce('download');
        try {
          await takeOne(archive, item, work, archived + failed > 0);
          archived++;
        } catch (problem) {
          if (signal.aborted) {
            await putDown(archive, item, signal.reason);
            throw signal.reason;
          }
          if (problem instanceof TakenAway) {
            await putDown(archive, item, problem);
            continue;
          }
          const failure = failureOfDownload(problem);
          archive.log.warn({ id: item.id, failure: failure.kind, err: problem }, 'a download failed');
          await noteFailure(db, item.number, failure);
          work.skip(item.title, failure.message);
          failed++;
          if (pausesSite.has(failure.kind)) exceptSites.push(item.site);
        }
        archive.announce('download');
      }
    } finally {
      if (!(signal.reason instanceof Shutdown)) await clearAutoStart(archive.db);
      archive.announce('download');
    }
    return archived > 0 ? `downloaded ${archived} video(s).` : undefined;
  },
});
