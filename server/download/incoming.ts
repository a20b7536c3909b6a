import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Archive } from '../archive.ts';
import { incomingFolder, removeFolder } from '../media/shelf.ts';

/** The folder of one download: named by our own number, never by anything the site says. */
export const folderOf = ({ config }: Pick<Archive, 'config'>, number: number) => join(incomingFolder(config.mediaFolder), String(number));

export async function makeFolder(archive: Archive, number: number): Promise<string> {
  const folder = folderOf(archive, number);
  await mkdir(folder, { recursive: true });
  return folder;
}

/** Removes what downloads of forgotten items left lying. */
export async function forgetLeftovers(archive: Archive, items: { number: number }[]) {
  for (const { number } of items) await removeFolder(folderOf(archive, number));
}
