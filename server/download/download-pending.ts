import { z } from 'zod';
import type { Archive } from '../archive.ts';
import { currentSettings } from '../settings/read.ts';
import { defineTask, Shutdown, type Work } from '../task/task.ts';
import { archiveVideo } from './archive-video.ts';
import { failureOfDownload } from './failure.ts';
import { folderOf } from './incoming.ts';
import { removeFolder } from '../media/shelf.ts';
import { pause } from './pause.ts';
import { claimNext, clearAutoStart, leaseSeconds, noteFailure, releaseLease, renewLease, type QueueItem } from './store.ts';

const Input = z.object({ autoOnly: z.boolean().default(false) });

// A site that turns us away will do so for the next video too, and longer each time it is asked.
const pausesSite = new Set(['blocked', 'rate-limited']);

async function takeOne(archive: Archive, item: QueueItem, work: Work<unknown>) {
  const renewal = setInterval(
    () => renewLease(archive.db, item.number, archive.now()).catch((error: unknown) => archive.log.warn({ err: error }, 'a lease was not renewed')),
    (leaseSeconds / 4) * 1000,
  );
  try {
    await archiveVideo(archive, item, work);
  } finally {
    clearInterval(renewal);
  }
}

/** Leaves the item as it was: a stop leaves nothing behind, the end of the program leaves what can be gone on with. */
async function putDown(archive: Archive, item: QueueItem, reason: unknown) {
  if (!(reason instanceof Shutdown)) await removeFolder(folderOf(archive, item.number));
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
      throw new Error(`${archive.tools.ytdlp ? 'ffmpeg' : 'yt-dlp'} is not there, so nothing can be downloaded. The queue waits.`);
    const exceptSites: string[] = [];
    let archived = 0;
    let failed = 0;
    report({ messages: ['Looking at the queue.'] });
    try {
      for (;;) {
        signal.throwIfAborted();
        const { runId, db } = archive;
        const item = await claimNext(db, { runId, now: archive.now(), autoOnly: input.autoOnly, exceptSites });
        if (!item) break;
        archive.announce('download');
        try {
          if (archived + failed > 0) {
            report({ messages: [item.title, 'Pausing before the next download.'] });
            await pause((await currentSettings(archive)).downloads.sleep_interval, signal);
          }
          await takeOne(archive, item, work);
          archived++;
        } catch (problem) {
          if (signal.aborted) {
            await putDown(archive, item, signal.reason);
            throw signal.reason;
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
