import { readdir, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Archive } from '../archive.ts';
import { endOrphans } from '../child/orphans.ts';
import { countQueueFrom } from '../db/counted.ts';
import { incomingFolder, syncFolder, Taken } from '../media/shelf.ts';
import { failureOfDownload } from './failure.ts';
import { folderOf, highestFolder, highestItem } from './incoming.ts';
import { readManifest, removeDownload, type Manifest } from './manifest.ts';
import { shelve } from './shelve.ts';
import { findByNumber, noteFailure } from './store.ts';

// A part of a download is worth going on with for as long as the site's addresses are good for, and a little longer.
const partsKeptSeconds = 24 * 3600;

async function newestChange(folder: string): Promise<number> {
  let newest = (await stat(folder)).mtimeMs;
  for (const name of await readdir(folder)) newest = Math.max(newest, (await stat(join(folder, name))).mtimeMs);
  return newest / 1000;
}

/** Whether this very video is in the archive already, with its file: it came by another way, and what is here is a second one. */
async function isThereAlready({ db, config }: Archive, { video: { id }, isForced }: Manifest): Promise<boolean> {
  if (isForced) return false;
  const row = await db.selectFrom('video').select(['mediaPath', 'sizeBytes']).where('id', '=', id).executeTakeFirst();
  const file = row && (await stat(join(config.mediaFolder, row.mediaPath)).catch(() => null));
  return file?.size !== undefined && file.size === row?.sizeBytes;
}

/** Gives a folder a number that nobody has: in a database that was gone back to, its own may be another video's. */
async function renumber(archive: Archive, folder: string): Promise<void> {
  const free = Math.max(await highestItem(archive.db), await highestFolder(archive)) + 1;
  await countQueueFrom(archive.db, free);
  await rename(folder, folderOf(archive, free));
  await syncFolder(incomingFolder(archive.config.mediaFolder));
}

async function recoverOne(archive: Archive, number: number) {
  const folder = join(incomingFolder(archive.config.mediaFolder), String(number));
  const item = await findByNumber(archive.db, number);
  // On PostgreSQL another program may be at work on it right now.
  if (item?.leasedBy && (item.leaseUntil ?? 0) >= archive.now()) return;
  // Killed, we took none of our children with us; two of them in one folder would spoil it.
  const ended = await endOrphans(folder);
  if (ended > 0) archive.log.info({ folder: number, ended }, 'ended what an earlier run left running');
  const manifest = await readManifest(folder);
  if (manifest) {
    try {
      await shelve(archive, folder, manifest);
      archive.log.info({ id: manifest.video.id }, 'finished what an earlier start began');
    } catch (problem) {
      if (problem instanceof Taken && (await isThereAlready(archive, manifest))) {
        await removeDownload(folder);
        archive.log.info({ id: manifest.video.id }, 'a second download of what is there already was removed');
        return;
      }
      archive.log.error({ id: manifest.video.id, err: problem }, 'a finished download cannot be brought to the shelf');
      const isOthers = item !== undefined && item.id !== manifest.video.id;
      if (isOthers) await renumber(archive, folder);
      else if (item) await noteFailure(archive.db, number, failureOfDownload(problem));
    }
    return;
  }
  if (item && archive.now() - (await newestChange(folder)) < partsKeptSeconds) return;
  await removeDownload(folder);
}

/** Puts right what an earlier run left between the site and the shelf; before any work begins. One bad folder is logged, and left. */
export async function recoverIncoming(archive: Archive): Promise<void> {
  for (const name of await readdir(incomingFolder(archive.config.mediaFolder))) {
    if (!/^\d+$/.test(name)) continue; // not ours
    try {
      await recoverOne(archive, Number(name));
    } catch (problem) {
      archive.log.error({ folder: name, err: problem }, 'a folder of an earlier download cannot be put right');
    }
  }
  // A database that was gone back to would give the numbers of what stays once more, and to other videos.
  const highest = await highestFolder(archive);
  if (highest > 0) await countQueueFrom(archive.db, highest);
}
