import type { AppContext } from '../../platform/context/app-context.ts';
import { isLeaseLost } from '../../platform/context/task.ts';
import { removeFolder } from '../../platform/files/files.ts';
import { classifyDownloadError } from './classify-error.ts';
import { workDirOf, makeWorkDir, removeLostWorkDir } from './work-dir.ts';
import { keepLeaseRenewed } from '../queue/renew-lease.ts';
import { readManifest, type Manifest } from './manifest.ts';
import { registerDownload } from '../queue/active-downloads.ts';
import { publish, recordManifest } from './publish.ts';
import { claimItem, enqueue, recordFailure, releaseLease, removeItem, type NewItem, type QueueItem } from '../queue/claims.ts';

// Downloads skip items with a failure and no retry time, so a crash does not turn this item into a download.
const importMark = {
  failure: 'unknown',
  message: 'Its file is being brought in from the import folder. If that was cut off, start the import again.',
} as const;

/** Metadata of a video whose file exists locally. */
export type LocalFile = Pick<
  NewItem,
  'id' | 'site' | 'siteId' | 'url' | 'title' | 'channelId' | 'channelName' | 'kind' | 'durationSeconds' | 'publishedAt'
>;

/** Work folder in which a file is prepared for publishing. */
export interface IngestTarget {
  folder: string;
  number: number;
  /** Kind of the queue item, if the video was queued. */
  kind: QueueItem['kind'];
}

/** Restores the queue, unless the manifest exists: then the next import or start completes the work. */
async function restoreQueue({ db, config }: AppContext, item: QueueItem, { problem, isStopped }: Reason) {
  const { number, message } = item;
  const folder = workDirOf({ config }, number);
  if (await readManifest(folder)) {
    if (isStopped) await releaseLease(db, item);
    else await recordFailure(db, item, classifyDownloadError(problem));
    return;
  }
  await removeFolder(folder);
  if (message === importMark.message) await removeItem(db, item);
  else await releaseLease(db, item);
}
interface Reason {
  problem: unknown;
  isStopped: boolean;
}

/**
 * Publishes a video whose file exists locally in the same way as a download: with a queue item, a lease, a work folder and a
 * manifest, so that recovery after a crash is the same. `prepare` fills the folder and returns the manifest; until that is
 * written the signal stops the work. On failure the queue is restored.
 * @throws the reason of the failure
 */
export async function ingestLocalFile(
  app: AppContext,
  localFile: LocalFile,
  signal: AbortSignal,
  prepare: (target: IngestTarget, signal: AbortSignal) => Promise<Manifest>,
): Promise<void> {
  const { db, now, runId } = app;
  await enqueue(db, { ...localFile, ...importMark, status: 'pending', autoStart: 0, queuedAt: now() });
  const item = await claimItem(db, localFile.id, { runId, now: now() });
  if (!item) throw new Error('It is being downloaded right now.');
  const { number, kind } = item;
  const renewal = keepLeaseRenewed(app, item);
  try {
    await registerDownload(app, number, AbortSignal.any([signal, renewal.lost]), async (stop) => {
      stop.throwIfAborted();
      const existing = await readManifest(workDirOf(app, number));
      if (!existing) await removeFolder(workDirOf(app, number)); // left by an interrupted attempt
      const folder = await makeWorkDir(app, number);
      const manifest = existing ?? (await prepare({ folder, number, kind }, stop));
      stop.throwIfAborted();
      if (!existing) await recordManifest(app, folder, manifest);
      await publish(app, folder, manifest, { lease: item, signal: stop });
    });
  } catch (problem) {
    if (isLeaseLost(problem, signal)) await removeLostWorkDir(app, number);
    else await restoreQueue(app, item, { problem, isStopped: signal.aborted });
    throw problem;
  } finally {
    renewal.end();
    app.announce('download');
  }
}
