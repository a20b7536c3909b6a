import { readdir, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { AppContext } from '../../platform/context/app-context.ts';
import { killOrphans } from '../../platform/process/kill-orphans.ts';
import { resetQueueSequence } from '../../platform/db/reset-sequence.ts';
import { workFolder, syncFolder, PathTakenError } from '../../platform/files/files.ts';
import { classifyDownloadError } from './classify-error.ts';
import { workDirOf, highestWorkDir, highestItemNumber } from './work-dir.ts';
import { hasRecording } from './recording-state.ts';
import { readManifest, removeDownload, type Manifest } from './manifest.ts';
import { publish } from './publish.ts';
import { claimItem, findItemByNumber, recordFailure, releaseLease, type QueueItem } from '../queue/claims.ts';

// Partial downloads can be resumed as long as the media URLs of the site are valid, usually less than a day.
const maxPartAgeSeconds = 24 * 3600;

async function newestChange(folder: string): Promise<number> {
  let newest = (await stat(folder)).mtimeMs;
  for (const name of await readdir(folder)) newest = Math.max(newest, (await stat(join(folder, name))).mtimeMs);
  return newest / 1000;
}

/** Returns whether this video with the same file size is already archived, so that this download is a duplicate. */
async function isAlreadyArchived({ db, files }: AppContext, { video: { id }, isForced }: Manifest): Promise<boolean> {
  if (isForced) return false;
  const row = await db.selectFrom('video').select(['mediaPath', 'sizeBytes']).where('id', '=', id).executeTakeFirst();
  const file = row && (await files.stat(row.mediaPath));
  return row !== undefined && file?.sizeBytes === row.sizeBytes;
}

/** Renames a work folder to an unused number, because in a restored database its number may belong to another video. */
async function renumber(app: AppContext, folder: string): Promise<void> {
  const free = Math.max(await highestItemNumber(app.db), await highestWorkDir(app)) + 1;
  await resetQueueSequence(app.db, free);
  await rename(folder, workDirOf(app, free));
  await syncFolder(workFolder(app.config));
}

async function recoverOne(app: AppContext, number: number) {
  const folder = join(workFolder(app.config), String(number));
  const found = await findItemByNumber(app.db, number);
  const item = found && (await claimItem(app.db, found.id, { runId: app.runId, now: app.now() }));
  if (found && !item) return; // being downloaded
  try {
    await recoverFolder(app, folder, { number, item });
  } finally {
    if (item) await releaseLease(app.db, item);
  }
}

async function recoverFolder(app: AppContext, folder: string, { number, item }: { number: number; item: QueueItem | undefined }) {
  // After a kill, child processes may still run and write into the folder.
  const killed = await killOrphans(folder);
  if (killed > 0) app.log.info({ folder: number, ended: killed }, 'ended child processes of an earlier run');
  const manifest = await readManifest(folder);
  if (manifest) {
    try {
      await publish(app, folder, manifest, item?.id === manifest.video.id ? { lease: item } : {});
      app.log.info({ id: manifest.video.id }, 'completed a download of an earlier run');
    } catch (problem) {
      if (problem instanceof PathTakenError && (await isAlreadyArchived(app, manifest))) {
        await removeDownload(folder);
        app.log.info({ id: manifest.video.id }, 'removed a duplicate download of an archived video');
        return;
      }
      app.log.error({ id: manifest.video.id, err: problem }, 'cannot publish a completed download');
      const belongsToOtherItem = item !== undefined && item.id !== manifest.video.id;
      if (belongsToOtherItem) await renumber(app, folder);
      else if (item) await recordFailure(app.db, item, classifyDownloadError(problem));
    }
    return;
  }
  if (item && ((await hasRecording(folder)) || app.now() - (await newestChange(folder)) < maxPartAgeSeconds)) return;
  await removeDownload(folder);
}

/**
 * Completes or removes the downloads that an earlier run left unfinished. Called before background work starts. An error in one
 * folder is logged and the folder is kept.
 */
export async function recoverDownloads(app: AppContext): Promise<void> {
  for (const name of await readdir(workFolder(app.config))) {
    if (!/^\d+$/.test(name)) continue; // not a work folder
    try {
      await recoverOne(app, Number(name));
    } catch (problem) {
      app.log.error({ folder: name, err: problem }, 'cannot recover the work folder of an earlier download');
    }
  }
  // A restored database would assign the numbers of remaining folders again, to other videos.
  const highest = await highestWorkDir(app);
  if (highest > 0) await resetQueueSequence(app.db, highest);
}
