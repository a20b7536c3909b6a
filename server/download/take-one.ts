import type { Archive } from '../archive.ts';
import { currentSettings } from '../settings/read.ts';
import { Shutdown, type Work } from '../task/task.ts';
import { untilWritten } from '../task/until-written.ts';
import { archiveVideo } from './archive-video.ts';
import { failureOfDownload } from './failure.ts';
import { folderOf } from './incoming.ts';
import { keepLease } from './keep-lease.ts';
import { readManifest, removeDownload } from './manifest.ts';
import { pause } from './pause.ts';
import { nextTry } from './retry.ts';
import { abandonable, TakenAway } from './running.ts';
import { countAnswer, countFailure } from './site-day.ts';
import { forgetPause, pauseSite } from './site-pause.ts';
import { noteFailure, releaseLease, type QueueItem } from './store.ts';

/** Downloads one item, holding its lease; with a pause first when its site was asked for one just before. */
async function download(archive: Archive, item: QueueItem, work: Work<unknown>, pausesFirst: boolean) {
  const letGo = keepLease(archive, item.number);
  try {
    await abandonable(archive, item.number, work.signal, async (signal) => {
      if (pausesFirst) {
        work.report({ messages: [item.title, 'Pausing before the next download.'] });
        await pause((await currentSettings(archive)).downloads.sleep_interval, signal);
      }
      await archiveVideo(archive, item, { ...work, signal });
    });
  } finally {
    letGo();
  }
}

/**
 * Leaves the item as it was: a stop leaves nothing behind, the end of the program leaves what can be gone on with. What is
 * whole and checked is never thrown away.
 */
async function putDown(archive: Archive, item: QueueItem, reason: unknown) {
  const folder = folderOf(archive, item.number);
  if (!(reason instanceof Shutdown) && !(await readManifest(folder))) await removeDownload(folder);
  await releaseLease(archive.db, item.number);
  archive.announce('download');
}

async function noteWhy(archive: Archive, item: QueueItem, problem: unknown, signal: AbortSignal) {
  const { db, log } = archive;
  const failure = failureOfDownload(problem);
  const now = archive.now();
  log.warn({ id: item.id, failure: failure.kind, err: problem }, 'a download failed');
  archive.meter.downloadFailures.inc({ site: archive.meter.site(item.site), class: failure.kind });
  const retryAt = nextTry(failure.kind, { failures: item.failures + 1, now, againInSeconds: failure.againInSeconds });
  const write = async () => {
    await pauseSite(db, item.site, failure, now);
    await noteFailure(db, item.number, { ...failure, retryAt });
    await countFailure(db, item.site, failure.kind, now);
  };
  // What cannot be noted at all is taken again when its lease has run out.
  await untilWritten(write, archive, signal).catch((error: unknown) =>
    log.error({ id: item.id, err: error }, 'why a download failed could not be noted'),
  );
  return failure;
}

async function countBytes({ db, meter }: Archive, { id, site }: QueueItem) {
  const video = await db.selectFrom('video').select('sizeBytes').where('id', '=', id).executeTakeFirst();
  meter.downloadedBytes.inc({ site: meter.site(site) }, video?.sizeBytes ?? 0);
}

/** What came of one item. */
export type Outcome = 'archived' | 'failed' | 'disk-full' | 'put down';

/** Takes one item of the queue to its end: archived, failed with its reason, or put down because of a stop. Never throws. */
export async function takeOne(
  archive: Archive,
  item: QueueItem,
  work: Work<unknown>,
  { pausesFirst }: { pausesFirst: boolean },
): Promise<Outcome> {
  archive.announce('download');
  try {
    await download(archive, item, work, pausesFirst);
    await forgetPause(archive.db, item.site);
    await countAnswer(archive.db, item.site, 'archived', archive.now());
    await countBytes(archive, item);
    work.note({ kind: 'new', what: item.title, videoId: item.id });
    return 'archived';
  } catch (problem) {
    if (work.signal.aborted || problem instanceof TakenAway) {
      await putDown(archive, item, work.signal.aborted ? work.signal.reason : problem).catch((error: unknown) =>
        archive.log.error({ id: item.id, err: error }, 'a download could not be put down well'),
      );
      return 'put down';
    }
    const failure = await noteWhy(archive, item, problem, work.signal);
    work.skip(item.title, failure.message, { videoId: item.id, cause: problem });
    return failure.kind === 'disk-full' ? 'disk-full' : 'failed';
  } finally {
    archive.announce('download');
  }
}
