import { statfs } from 'node:fs/promises';
import type { Archive } from '../archive.ts';
import { whyNotBelieved } from '../library/media-marker.ts';
import { currentSettings } from '../settings/read.ts';

/** Bytes in a gigabyte, as settings and sentences count them. */
export const gigabyte = 1e9;
/** As sentences say it. */
export const inGigabytes = (bytes: number) => (bytes / gigabyte).toFixed(1);

/** Free bytes on the file system of a folder, as far as we may use them. */
export async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

/** Bytes that are free where a folder is, and those that are to stay free there, as the settings have it. */
export async function roomIn(archive: Archive, folder: string): Promise<{ free: number; reserve: number }> {
  const { queue } = await currentSettings(archive);
  return { free: await freeBytes(folder), reserve: queue.reserve * gigabyte };
}

/** Where so many bytes more have no room, what is free and what would have to be, as the end of a sentence; else null. */
export async function whatLacks(archive: Archive, folder: string, bytes: number): Promise<string | null> {
  const { free, reserve } = await roomIn(archive, folder);
  if (free >= bytes + reserve) return null;
  return `${inGigabytes(free)} GB are free, and ${inGigabytes(bytes + reserve)} GB are needed with what is set aside.`;
}

/** Why no download should begin now, as a sentence; null when there is room. What is set aside stays free. */
export async function whyNoRoom(archive: Archive): Promise<string | null> {
  // Into the mount point of a disk that is not there, nothing is written.
  const notThere = await whyNotBelieved(archive);
  if (notThere) return `${notThere} Downloads go on by themselves when it is back.`;
  for (const folder of new Set([archive.config.mediaFolder, archive.config.dataFolder])) {
    const { free, reserve } = await roomIn(archive, folder);
    if (free < reserve)
      return `Only ${inGigabytes(free)} GB are left in ${folder}, and ${reserve / gigabyte} GB are to stay free (under Settings). Downloads go on by themselves when there is room.`;
  }
  return null;
}
