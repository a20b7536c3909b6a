import { mkdir, readdir, readlink, rename, rm, symlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { exists, syncFolder } from '../files/files.ts';

// tools/yt-dlp is a link to tools/ytdlp/<n>-<version>/yt-dlp; the previous version is kept for a rollback.

export const managedProgram = (toolsFolder: string) => join(toolsFolder, 'yt-dlp');
/** Folder of an installation from PyPI; a release is one file. */
export const packagesFolder = 'packages';
const versions = (toolsFolder: string) => join(toolsFolder, 'ytdlp');

/** Returns the folder of a new installation. The number distinguishes installations of one day. */
export const folderFor = (toolsFolder: string, version: string) =>
  join(versions(toolsFolder), `${Date.now()}-${version.replace(/[^\w.]/g, '')}`);

/** Fills an empty folder. Nothing of it stays after a failure, so that an installation that fills the disk gives the space back. */
export async function fillFolder(folder: string, fill: () => Promise<void>): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  try {
    await fill();
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}

/** Returns the tools folder of an installation. */
export const toolsFolderOfVersion = (folder: string) => dirname(dirname(folder));

async function current(toolsFolder: string): Promise<string | null> {
  const target = await readlink(managedProgram(toolsFolder)).catch(() => null);
  return target && basename(dirname(target));
}

const all = async (toolsFolder: string) => (await readdir(versions(toolsFolder)).catch(() => [])).sort();

const newestBefore = async (toolsFolder: string, now: string | null) =>
  (await all(toolsFolder)).findLast((name) => now !== null && name < now);

/** Returns where an installed program came from; null for a program that is not managed. */
export async function sourceOfManaged(toolsFolder: string, command: string): Promise<'release' | 'pypi' | null> {
  const name = command === managedProgram(toolsFolder) ? await current(toolsFolder) : null;
  if (name === null) return null;
  return (await exists(join(versions(toolsFolder), name, packagesFolder))) ? 'pypi' : 'release';
}

/** Returns the version available for a rollback, or null. */
export async function previousVersion(toolsFolder: string): Promise<string | null> {
  const before = await newestBefore(toolsFolder, await current(toolsFolder));
  return before ? before.replace(/^\d+-/, '') : null;
}

/** Switches atomically to a version. Versions older than the previous one are deleted. */
export async function promote(toolsFolder: string, program: string): Promise<void> {
  await mkdir(toolsFolder, { recursive: true });
  const before = await current(toolsFolder);
  const tempPath = `${managedProgram(toolsFolder)}.next`;
  await rm(tempPath, { force: true });
  await symlink(join('ytdlp', basename(dirname(program)), 'yt-dlp'), tempPath);
  await rename(tempPath, managedProgram(toolsFolder));
  await syncFolder(toolsFolder);
  const now = basename(dirname(program));
  for (const name of await all(toolsFolder))
    if (name !== now && name !== before) await rm(join(versions(toolsFolder), name), { recursive: true, force: true });
}

/** Switches back to the previous version. Returns false if there is none. */
export async function rollBackInstall(toolsFolder: string): Promise<boolean> {
  const now = await current(toolsFolder);
  const before = await newestBefore(toolsFolder, now);
  if (!before || !now) return false;
  await promote(toolsFolder, join(versions(toolsFolder), before, 'yt-dlp'));
  await rm(join(versions(toolsFolder), now), { recursive: true, force: true });
  return true;
}

/** Deletes a version that failed. */
export const discard = (program: string) => rm(dirname(program), { recursive: true, force: true });
