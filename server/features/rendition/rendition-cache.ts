import { stat } from 'node:fs/promises';
import type { AppContext } from '../../platform/context/app-context.ts';
import { chunks } from '../../platform/db/db.ts';
import { freeSpaceIn, missingSpace } from '../../archive/storage/disk-space.ts';
import { readSettings } from '../../archive/settings/store.ts';
import { gigabyte } from '../../platform/files/free-space.ts';
import { etagOf } from '../../platform/http/files/media-types.ts';
import { removeFolder } from '../../platform/files/files.ts';
import { resolveStoredPath } from '../../platform/storage/stored-path.ts';
import {
  deleteRenditions,
  isClipFile,
  partialRenditionsFolder,
  renditionsPrefix,
} from '../../archive/storage/rendition-files.ts';

/** Returns the size limit of the cache in bytes. */
export const cacheLimit = async (app: AppContext): Promise<number> =>
  (await readSettings(app.db)).queue.rendition_limit * gigabyte;

/** A cached rendition or clip. */
interface Kept {
  videoId: string;
  /** Stamp of the source file. */
  stamp: string;
  /** Stored path. */
  path: string;
  sizeBytes: number;
  usedAt: number;
}

async function everyKept(app: AppContext): Promise<Kept[]> {
  const found: Kept[] = [];
  for await (const { path, sizeBytes, modifiedMs } of app.files.list(renditionsPrefix)) {
    const [videoId = '', name] = path.slice(renditionsPrefix.length).split('/');
    if (name === undefined || videoId === '.making') continue;
    // A bucket does not know when a file was used, so the oldest ones are removed first.
    const about = app.files.isRemote ? null : await stat(resolveStoredPath(app, path)).catch(() => null);
    const usedAt = (about?.atimeMs ?? modifiedMs) / 1000;
    found.push({ videoId, stamp: name.split('-')[0]!, path, sizeBytes, usedAt });
  }
  return found;
}

/** Returns the sizes of all renditions by `<video id>/<name>`. */
export const renditionSizes = async (app: AppContext): Promise<Record<string, number>> =>
  Object.fromEntries((await everyKept(app)).map(({ path, sizeBytes }) => [path.slice(renditionsPrefix.length), sizeBytes]));

const totalBytes = (renditions: Kept[]) => renditions.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);

/** Returns the free and the required space in GB if `bytes` do not fit even when all other renditions are removed, else null. */
export async function missingCacheSpace(app: AppContext, bytes: number): Promise<{ free: number; needed: number } | null> {
  const removable = app.files.isRemote ? 0 : totalBytes(await everyKept(app));
  return missingSpace(app, app.config.cacheFolder, bytes - removable);
}

/**
 * Removes the least recently used renditions until this many bytes fit, except the one with the stored path `spared`. Returns the
 * number of bytes freed.
 */
export async function freeSpaceFor(app: AppContext, bytes: number, spared?: string): Promise<number> {
  const { free, reserve } = await freeSpaceIn(app, app.config.cacheFolder);
  const renditions = (await everyKept(app)).toSorted((a, b) => a.usedAt - b.usedAt);
  // Renditions in a bucket take no space of this disk.
  let lacking = app.files.isRemote ? 0 : reserve + bytes - free;
  let over = totalBytes(renditions) + bytes - (await cacheLimit(app));
  let freed = 0;
  for (const { path, sizeBytes } of renditions) {
    if (lacking <= 0 && over <= 0) break;
    if (path === spared) continue;
    await app.files.remove(path);
    freed += sizeBytes;
    lacking -= sizeBytes;
    over -= sizeBytes;
  }
  return freed;
}

/** Removes renditions whose source file no longer belongs to a video, and files of clips that no clip has. */
async function dropStale(app: AppContext): Promise<void> {
  const renditions = Map.groupBy(await everyKept(app), ({ videoId }) => videoId);
  for (const ids of chunks([...renditions.keys()])) {
    const videos = await app.db.selectFrom('video').select(['id', 'sha256', 'sizeBytes']).where('id', 'in', ids).execute();
    const stamps = new Map(videos.map((video) => [video.id, etagOf(video)]));
    const clips = await app.db.selectFrom('clip').select('path').where('videoId', 'in', ids).execute();
    const paths = new Set(clips.map(({ path }) => path));
    const isStale = (one: Kept) => one.stamp !== stamps.get(one.videoId) || (isClipFile(one.path) && !paths.has(one.path));
    for (const id of ids) {
      if (!stamps.has(id)) await deleteRenditions(app, id);
      else for (const one of renditions.get(id)!) if (isStale(one)) await app.files.remove(one.path);
    }
  }
}

/** Removes stale renditions, and the least recently used ones above the size limit. Called periodically. */
export async function cleanRenditionCache(app: AppContext): Promise<void> {
  await dropStale(app);
  await freeSpaceFor(app, 0);
}

/** Removes temporary files of renditions that a crash interrupted. */
export const removePartialRenditions = (app: Pick<AppContext, 'config'>) => removeFolder(partialRenditionsFolder(app));
