import { mkdir, readdir, readlink, rename, rm, symlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { syncFolder } from '../media/shelf.ts';

// tools/yt-dlp is a link to tools/ytdlp/<n>-<version>/yt-dlp; the one before it stays there, to go back to.

export const managedProgram = (toolsFolder: string) => join(toolsFolder, 'yt-dlp');
const versions = (toolsFolder: string) => join(toolsFolder, 'ytdlp');

/** A folder for a version that is being brought; numbered, so that two of one day are told apart. */
export const folderFor = (toolsFolder: string, version: string) =>
  join(versions(toolsFolder), `${Date.now()}-${version.replace(/[^\w.]/g, '')}`);

async function current(toolsFolder: string): Promise<string | null> {
  const target = await readlink(managedProgram(toolsFolder)).catch(() => null);
  return target && basename(dirname(target));
}

const all = async (toolsFolder: string) => (await readdir(versions(toolsFolder)).catch(() => [])).sort();

const newestBefore = async (toolsFolder: string, now: string | null) =>
  (await all(toolsFolder)).findLast((name) => now !== null && name < now);

/** The version that can be gone back to, or null. */
export async function previousVersion(toolsFolder: string): Promise<string | null> {
  const before = await newestBefore(toolsFolder, await current(toolsFolder));
  return before ? before.replace(/^\d+-/, '') : null;
}

/** Makes a version the one that is used, at once and whole. What is older than the one before it goes. */
export async function promote(toolsFolder: string, program: string): Promise<void> {
  await mkdir(toolsFolder, { recursive: true });
  const before = await current(toolsFolder);
  const beside = `${managedProgram(toolsFolder)}.next`;
  await rm(beside, { force: true });
  await symlink(join('ytdlp', basename(dirname(program)), 'yt-dlp'), beside);
  await rename(beside, managedProgram(toolsFolder));
  await syncFolder(toolsFolder);
  const now = basename(dirname(program));
  for (const name of await all(toolsFolder))
    if (name !== now && name !== before) await rm(join(versions(toolsFolder), name), { recursive: true, force: true });
}

/** Goes back to the version before. Answers false when there is none. */
export async function goBack(toolsFolder: string): Promise<boolean> {
  const now = await current(toolsFolder);
  const before = await newestBefore(toolsFolder, now);
  if (!before || !now) return false;
  await promote(toolsFolder, join(versions(toolsFolder), before, 'yt-dlp'));
  await rm(join(versions(toolsFolder), now), { recursive: true, force: true });
  return true;
}

/** Throws away a version that did not do. */
export const discard = (program: string) => rm(dirname(program), { recursive: true, force: true });
