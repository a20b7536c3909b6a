import { mkdir, readdir, readlink, rename, rm, symlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { exists, syncFolder } from '../files/files.ts';

/** Something that is installed in versions: `tools/<link>` leads to `tools/<folder>/<n>-<version>/<link>`. The previous one is kept. */
export interface Managed {
  link: string;
  folder: string;
}

const ytdlp: Managed = { link: 'yt-dlp', folder: 'ytdlp' };

export const managedLink = (toolsFolder: string, { link } = ytdlp) => join(toolsFolder, link);
export const managedProgram = (toolsFolder: string) => managedLink(toolsFolder);
/** Folder of an installation from PyPI; a release is one file. */
export const packagesFolder = 'packages';
const versions = (toolsFolder: string, { folder }: Managed) => join(toolsFolder, folder);

/** Returns the folder of a new installation. The number distinguishes installations of one day. */
export const folderFor = (toolsFolder: string, version: string, managed = ytdlp) =>
  join(versions(toolsFolder, managed), `${Date.now()}-${version.replace(/[^\w.]/g, '')}`);

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

async function current(toolsFolder: string, managed: Managed): Promise<string | null> {
  const target = await readlink(managedLink(toolsFolder, managed)).catch(() => null);
  return target && basename(dirname(target));
}

const all = async (toolsFolder: string, managed: Managed) =>
  (await readdir(versions(toolsFolder, managed)).catch(() => [])).sort();

const newestBefore = async (toolsFolder: string, managed: Managed, now: string | null) =>
  (await all(toolsFolder, managed)).findLast((name) => now !== null && name < now);

const versionOf = (name: string) => name.replace(/^\d+-/, '');

/** Returns the installed version, or null. */
export async function currentVersion(toolsFolder: string, managed = ytdlp): Promise<string | null> {
  const name = await current(toolsFolder, managed);
  return name && versionOf(name);
}

/** Returns where an installed program came from; null for a program that is not managed. */
export async function sourceOfManaged(toolsFolder: string, command: string): Promise<'release' | 'pypi' | null> {
  const name = command === managedProgram(toolsFolder) ? await current(toolsFolder, ytdlp) : null;
  if (name === null) return null;
  return (await exists(join(versions(toolsFolder, ytdlp), name, packagesFolder))) ? 'pypi' : 'release';
}

/** Returns the version available for a rollback, or null. */
export async function previousVersion(toolsFolder: string, managed = ytdlp): Promise<string | null> {
  const before = await newestBefore(toolsFolder, managed, await current(toolsFolder, managed));
  return before ? versionOf(before) : null;
}

/** Switches atomically to a version. Versions older than the previous one are deleted. */
export async function promote(toolsFolder: string, program: string, managed = ytdlp): Promise<void> {
  await mkdir(toolsFolder, { recursive: true });
  const before = await current(toolsFolder, managed);
  const link = managedLink(toolsFolder, managed);
  const tempPath = `${link}.next`;
  await rm(tempPath, { force: true });
  await symlink(join(managed.folder, basename(dirname(program)), managed.link), tempPath);
  await rename(tempPath, link);
  await syncFolder(toolsFolder);
  const now = basename(dirname(program));
  for (const name of await all(toolsFolder, managed))
    if (name !== now && name !== before) await rm(join(versions(toolsFolder, managed), name), { recursive: true, force: true });
}

/** Switches back to the previous version. Returns false if there is none. */
export async function rollBackInstall(toolsFolder: string, managed = ytdlp): Promise<boolean> {
  const now = await current(toolsFolder, managed);
  const before = await newestBefore(toolsFolder, managed, now);
  if (!before || !now) return false;
  await promote(toolsFolder, join(versions(toolsFolder, managed), before, managed.link), managed);
  await rm(join(versions(toolsFolder, managed), now), { recursive: true, force: true });
  return true;
}

/** Deletes a version that failed. */
export const discard = (program: string) => rm(dirname(program), { recursive: true, force: true });
