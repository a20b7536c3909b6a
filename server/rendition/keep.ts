import { readdir, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import type { Archive } from '../archive.ts';
import { chunks } from '../db/db.ts';
import { gigabyte, roomIn } from '../download/room-left.ts';
import { stampOf } from '../http/files.ts';
import { removeFile, removeFolder } from '../media/shelf.ts';

// Renditions stand below the cache folder, `renditions/<video>/<stamp>-s1.m4a`. They can be made again at any time, so no row
// knows of them, no backup holds them, and who finds the folder gone makes it anew.

const mostBytes = 5 * gigabyte;
const hour = 3600;

const renditionsFolder = ({ config }: Pick<Archive, 'config'>) => join(config.cacheFolder, 'renditions');

/** Where those of a video stand; null for an id that is no name of a folder. */
export const folderOf = (archive: Pick<Archive, 'config'>, videoId: string) =>
  /^[-\w][-\w.]{0,129}$/.test(videoId) ? join(renditionsFolder(archive), videoId) : null;

/** Where they are written before they are whole; no name in it can be asked for. */
export const makingFolder = (archive: Pick<Archive, 'config'>) => join(renditionsFolder(archive), '.making');

/** A rendition that is there. */
interface Kept {
  videoId: string;
  /** Of the file that it was made of. */
  stamp: string;
  path: string;
  sizeBytes: number;
  usedAt: number;
}

async function everyKept(archive: Archive): Promise<Kept[]> {
  const folder = renditionsFolder(archive);
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const found: Kept[] = [];
  for (const entry of entries) {
    const videoId = entry.parentPath.slice(folder.length + 1);
    if (!entry.isFile() || videoId === '.making') continue;
    const path = join(entry.parentPath, entry.name);
    const about = await stat(path).catch(() => null);
    const stamp = entry.name.split('-')[0]!;
    if (about) found.push({ videoId, stamp, path, sizeBytes: about.size, usedAt: about.atimeMs / 1000 });
  }
  return found;
}

/** Notes that it is played; systems may be told not to note it by themselves. */
export async function noteUse({ now }: Archive, path: string): Promise<void> {
  const about = await stat(path).catch(() => null);
  if (about && Math.abs(now() - about.atimeMs / 1000) > hour) await utimes(path, now(), about.mtime).catch(() => undefined);
}

/** Removes those that were not used for longest, until so many bytes more fit; all but `spared` may go. Answers the bytes freed. */
export async function makeRoomFor(archive: Archive, bytes: number, spared?: string): Promise<number> {
  const { free, reserve } = await roomIn(archive, archive.config.cacheFolder);
  const kept = (await everyKept(archive)).toSorted((a, b) => a.usedAt - b.usedAt);
  let lacking = reserve + bytes - free;
  let over = kept.reduce((sum, { sizeBytes }) => sum + sizeBytes, bytes) - mostBytes;
  let freed = 0;
  for (const { path, sizeBytes } of kept) {
    if (lacking <= 0 && over <= 0) break;
    if (path === spared) continue;
    await removeFile(path);
    freed += sizeBytes;
    lacking -= sizeBytes;
    over -= sizeBytes;
  }
  return freed;
}

/** Removes everything that was made of a video's file: it has gone, or another takes its place. */
export async function dropRenditions(archive: Archive, videoId: string): Promise<void> {
  const folder = folderOf(archive, videoId);
  if (!folder) return;
  await removeFolder(folder).catch((error: unknown) =>
    archive.log.warn({ folder, err: error }, 'what was made of a video could not be removed; it is tried again in a minute'),
  );
}

/** Removes what was made of files that are no video's any more. */
async function dropStale(archive: Archive): Promise<void> {
  const kept = Map.groupBy(await everyKept(archive), ({ videoId }) => videoId);
  for (const ids of chunks([...kept.keys()])) {
    const videos = await archive.db.selectFrom('video').select(['id', 'sha256', 'sizeBytes']).where('id', 'in', ids).execute();
    const stamps = new Map(videos.map((video) => [video.id, stampOf(video)]));
    for (const id of ids) {
      const stamp = stamps.get(id);
      if (stamp === undefined) await dropRenditions(archive, id);
      else for (const one of kept.get(id)!) if (one.stamp !== stamp) await removeFile(one.path);
    }
  }
}

/** Looked at from time to time: what is stale goes, and what is too much. */
export async function keepRenditions(archive: Archive): Promise<void> {
  await dropStale(archive);
  await makeRoomFor(archive, 0);
}

/** What a kill left half made goes. */
export const removeHalfMadeRenditions = (archive: Pick<Archive, 'config'>) => removeFolder(makingFolder(archive));
