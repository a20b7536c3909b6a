import type { Archive } from '../archive.ts';
import { removeFolder } from '../media/shelf.ts';
import { failureOfDownload } from './failure.ts';
import { folderOf, makeFolder } from './incoming.ts';
import { keepLease } from './keep-lease.ts';
import { readManifest, writeManifest, type Manifest } from './manifest.ts';
import { abandonable } from './running.ts';
import { shelve } from './shelve.ts';
import { claimItem, enqueue, noteFailure, releaseLease, removeItem, type NewItem, type QueueItem } from './store.ts';

// An item with a failure and without a time to try again is left alone by downloads: a crash does not make one of it.
const marked = {
  failure: 'unknown',
  message: 'Its file is being brought in from the import folder. If that was cut off, start the import again.',
} as const;

/** What is known of a video whose file is here already. */
export type Here = Pick<
  NewItem,
  'id' | 'site' | 'siteId' | 'url' | 'title' | 'channelId' | 'channelName' | 'kind' | 'durationSeconds' | 'publishedAt'
>;

/** Where a file is made ready for the shelf. */
export interface Place {
  folder: string;
  number: number;
  /** What the queue knew of the video, when it was there. */
  kind: QueueItem['kind'];
}

/** Leaves the queue as it was, unless everything is ready: then the next import, or the next start, does the rest. */
async function putDown({ db, config }: Archive, { number, message }: QueueItem, { problem, isStopped }: Reason) {
  const folder = folderOf({ config }, number);
  if (await readManifest(folder)) {
    if (isStopped) await releaseLease(db, number);
    else await noteFailure(db, number, failureOfDownload(problem));
    return;
  }
  await removeFolder(folder);
  if (message === marked.message) await removeItem(db, number);
  else await releaseLease(db, number);
}
interface Reason {
  problem: unknown;
  isStopped: boolean;
}

/**
 * Brings a video whose file is here already to the shelf, by the way that downloads go: with a number of its own on the
 * queue, a lease, a folder and a manifest, so that a crash at any point is put right as theirs is. `prepare` fills the folder
 * and answers the manifest; a stop is heard until that is written. Throws why it could not be done; the queue is then as before.
 */
export async function bringIn(
  archive: Archive,
  here: Here,
  signal: AbortSignal,
  prepare: (place: Place, signal: AbortSignal) => Promise<Manifest>,
): Promise<void> {
  const { db, now, runId } = archive;
  await enqueue(db, { ...here, ...marked, status: 'pending', autoStart: 0, queuedAt: now() });
  const item = await claimItem(db, here.id, { runId, now: now() });
  if (!item) throw new Error('It is being downloaded right now.');
  const { number, kind } = item;
  const letGo = keepLease(archive, number);
  try {
    await abandonable(archive, number, signal, async (stop) => {
      stop.throwIfAborted();
      const whole = await readManifest(folderOf(archive, number));
      if (!whole) await removeFolder(folderOf(archive, number)); // of a try that was cut off
      const folder = await makeFolder(archive, number);
      const manifest = whole ?? (await prepare({ folder, number, kind }, stop));
      stop.throwIfAborted();
      if (!whole) await writeManifest(folder, manifest);
      await shelve(archive, folder, manifest);
    });
  } catch (problem) {
    await putDown(archive, item, { problem, isStopped: signal.aborted });
    throw problem;
  } finally {
    letGo();
    archive.announce('download');
  }
}
