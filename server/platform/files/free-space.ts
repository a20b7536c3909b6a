import { statfs } from 'node:fs/promises';

/** Bytes of a gigabyte in settings and messages. */
export const gigabyte = 1e9;
/** Formats gigabytes with one decimal. */
export const inGigabytes = (bytes: number) => Math.round((bytes / gigabyte) * 10) / 10;

/** Returns the free bytes on the file system of a folder that are available to this account. */
export async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

/** Whether an operation on a file failed because its disk, or the quota of this account on it, is full. */
export const isDiskFull = (error: unknown): boolean => ['ENOSPC', 'EDQUOT'].includes((error as NodeJS.ErrnoException).code ?? '');
