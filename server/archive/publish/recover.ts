import { readdir, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { AppContext } from '../../platform/context/app-context.ts';
import { killOrphans } from '../../platform/process/kill-orphans.ts';
import { resetQueueSequence } from '../../platform/db/reset-sequence.ts';
import { workFolder, syncFolder, PathTakenError } from '../../platform/files/files.ts';
import { classifyDownloadError } from './classify-error.ts';
import { workDirOf, highestWorkDir, highestItemNumber } from './work-dir.ts';
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
async function renumber(archive: AppContext, folder: string): Promise<void> {
  const free = Math.max(await highestItemNumber(archive.db), await highestWorkDir(archive)) + 1;
  await resetQueueSequence(archive.db, free);
  await rename(folder, workDirOf(archive, free));
  await syncFolder(workFolder(archive.config));
}

async function recoverOne(archive: AppContext, number: number) {
  const folder = join(workFolder(archive.config), String(number));
  const found = await findItemByNumber(archive.db, number);
  const item = found && (await claimItem(archive.db, found.id, { runId: archive.runId, now: archive.now() }));
  if (found && !item) return; // being downloaded
  try {
    await recoverFolder(archive, folder, { number, item });
  } finally {
    if (item) await releaseLease(archive.db, item);
  }
}

async function recoverFolder(
  archive: AppContext,
  folder: string,
  { number, item }: { number: number; item: QueueItem | undefined },
) {
  // After a kill, child processes may still run and write into the folder.
  const killed = await killOrphans(folder);
  if (killed > 0) archive.log.info({ folder: number, ended: killed }, 'ended child processes of an earlier run');
  const manifest = await readManifest(folder);
  if (manifest) {
    try {
      await publish(archive, folder, manifest, item?.id === manifest.video.id ? { lease: item } : {});
      archive.log.info({ id: manifest.video.id }, 'completed a download of an earlier run');
    } catch (problem) {
      if (problem instanceof PathTakenError && (await isAlreadyArchived(archive, manifest))) {
        await removeDownload(folder);
        archive.log.info({ id: manifest.video.id }, 'removed a duplicate download of an archived video');
        return;
      }
      archive.log.error({ id: manifest.video.id, err: problem }, 'cannot publish a completed download');
      const belongsToOtherItem = item !== undefined && item.id !== manifest.video.id;
      if (belongsToOtherItem) await renumber(archive, folder);
      else if (item) await recordFailure(archive.db, item, classifyDownloadError(problem));
    }
    return;
  }
  if (item && archive.now() - (await newestChange(folder)) < maxPartAgeSeconds) return;
  await removeDownload(folder);
}

/**
 * Completes or removes the downloads that an earlier run left unfinished. Called before background work starts. An error in one
 * folder is logged and the folder is kept.
 */
export async function recoverDownloads(archive: AppContext): Promise<void> {
  for (const name of await readdir(workFolder(archive.config))) {
    if (!/^\d+$/.test(name)) continue; // not a work folder
    try {
      await recoverOne(archive, Number(name));
    } catch (problem) {
      archive.log.error({ folder: name, err: problem }, 'cannot recover the work folder of an earlier download');
    }
  }
  // A restored database would assign the numbers of remaining folders again, to other videos.
  const highest = await highestWorkDir(archive);
  if (highest > 0) await resetQueueSequence(archive.db, highest);
}
