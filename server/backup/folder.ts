import { link, mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Backup } from '#contract/backup.ts';
import type { Archive } from '../archive.ts';
import type { Config } from '../config.ts';
import { exists, removeFile, syncFolder } from '../media/shelf.ts';

/** What a backup needs of the archive; a console command has no more. */
export type Part = Pick<Archive, 'config' | 'db' | 'keys' | 'now' | 'log'>;

export const backupFolder = ({ config }: { config: Pick<Config, 'dataFolder'> }) => join(config.dataFolder, 'backup');

// The API parts a name at its dashes: a date, a reason, and no more. So a second backup of a day is told apart within the
// reason: `ta_backup-20261121-auto_2.zip`, which the original program reads as well. Very old ones have no reason.
const namePattern = /^ta_[A-Za-z0-9_]{1,40}-(\d{8})(?:-([A-Za-z]{1,20})(?:_(\d{1,4}))?)?\.zip$/;

/** Why a name is none of a backup's, as a sentence; null when it is fine. */
export const whyNoName = (name: string): string | null =>
  namePattern.test(name)
    ? null
    : 'A backup is called ta_backup-<year, month, day>-<reason>.zip, such as ta_backup-20261121-manual.zip. Name the file so.';

/** Every backup there is, newest first. Other files in the folder are passed over. */
export async function listBackups(part: { config: Pick<Config, 'dataFolder'> }): Promise<Backup[]> {
  const folder = backupFolder(part);
  const names = await readdir(folder).catch(() => []);
  const found = await Promise.all(
    names.map(async (filename) => {
      const read = namePattern.exec(filename);
      const about = read && (await stat(join(folder, filename)).catch(() => null));
      if (!about?.isFile()) return [];
      const [, timestamp = '', reason = 'False', place = '1'] = read!;
      const shape = { filename, file_path: join(folder, filename), file_size: about.size, timestamp, reason };
      return [{ shape, order: `${timestamp} ${String(Math.floor(about.mtimeMs)).padStart(15, '0')} ${place.padStart(4, '0')}` }];
    }),
  );
  return found
    .flat()
    .sort((a, b) => (a.order < b.order ? 1 : -1))
    .map(({ shape }) => shape);
}

/** The backup of this name, looked up in the list; a name is never made a path. */
export const findBackup = async (part: Pick<Archive, 'config'>, filename: string) =>
  (await listBackups(part)).find((backup) => backup.filename === filename);

/** A day as names of backups have it, where the server is. */
export function dayInNames(now: number): string {
  const at = new Date(now * 1000);
  const two = (number: number) => String(number).padStart(2, '0');
  return `${at.getFullYear()}${two(at.getMonth() + 1)}${two(at.getDate())}`;
}

/** A name that nobody has yet. */
export async function freeName(part: Pick<Archive, 'config'>, reason: string, now: number): Promise<string> {
  const day = dayInNames(now);
  const taken = new Set(await readdir(backupFolder(part)).catch(() => []));
  for (let place = 1; ; place++) {
    const name = `ta_backup-${day}-${reason}${place > 1 ? `_${place}` : ''}.zip`;
    if (!taken.has(name)) return name;
  }
}

/** Makes the folder, and removes what a killed run left half made in it; at a start what was being uploaded too. */
export async function tidyFolder(part: Pick<Archive, 'config'>, { uploads = false } = {}): Promise<void> {
  const folder = backupFolder(part);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  for (const name of await readdir(folder))
    if (name.endsWith('.part') || (uploads && name.endsWith('.upload'))) await rm(join(folder, name), { force: true });
}

/** Gives a finished file in the folder its name, when nobody has that; never takes that of another. Answers whether it could. */
export async function giveName(part: Pick<Archive, 'config'>, path: string, filename: string): Promise<boolean> {
  const to = join(backupFolder(part), filename);
  try {
    await link(path, to);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return false;
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'].includes(code ?? '')) throw error;
    if (await exists(to)) return false; // where there are no links, a rename after a look
    await rename(path, to);
  }
  await removeFile(path);
  await syncFolder(backupFolder(part));
  return true;
}
