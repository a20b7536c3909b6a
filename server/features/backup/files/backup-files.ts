import { mkdir, readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Backup } from '#contract/backup.ts';
import { message, type Message } from '#contract/messages.ts';
import type { AppContext } from '../../../platform/context/app-context.ts';
import { fingerprint, moveUnlessTaken, PathTakenError } from '../../../platform/files/files.ts';
import { removeIfOlder } from '../../../platform/process/temp-dir.ts';
import { inBackups, keyOf, resolveStoredPath, withoutPrefix } from '../../../platform/storage/stored-path.ts';

/** The part of the app context that a backup needs; CLI commands have only this part. */
export type BackupContext = Pick<AppContext, 'config' | 'db' | 'files' | 'keys' | 'now' | 'log'>;

/** Local folder of backups that are being written or received and, without a bucket, of all. */
export const backupFolder = (part: Pick<AppContext, 'config'>) => dirname(resolveStoredPath(part, inBackups('x')));

// The API splits a name at its dashes into date and reason. A second backup of the same day is therefore numbered within the
// reason, as in `ta_backup-20261121-auto_2.zip`, which TubeArchivist can parse as well. Very old backups have no reason.
const namePattern = /^ta_[A-Za-z0-9_]{1,40}-(\d{8})(?:-([A-Za-z]{1,20})(?:_(\d{1,4}))?)?\.zip$/;

/** Returns why a backup name is invalid, or null if it is valid. */
export const invalidNameReason = (name: string): Message | null =>
  namePattern.test(name) ? null : message('backup.invalid-name');

/** Lists all backups, newest first. Ignores other files in the folder. @throws StorageError */
export async function listBackups({ config, files }: Pick<AppContext, 'config' | 'files'>): Promise<Backup[]> {
  const found: { shape: Backup; order: string }[] = [];
  for await (const { path, sizeBytes, modifiedMs } of files.list(inBackups(''))) {
    const filename = withoutPrefix(path);
    const read = namePattern.exec(filename);
    if (!read) continue;
    const [, timestamp = '', reason = 'False', place = '1'] = read;
    const file_path = config.s3 ? `s3://${config.s3.bucket}/${keyOf(path)}` : resolveStoredPath({ config }, path);
    const created = Math.floor(modifiedMs / 1000);
    const shape = { filename, file_path, file_size: sizeBytes, timestamp, reason, created };
    found.push({ shape, order: `${timestamp} ${String(Math.floor(modifiedMs)).padStart(15, '0')} ${place.padStart(4, '0')}` });
  }
  return found.sort((a, b) => (a.order < b.order ? 1 : -1)).map(({ shape }) => shape);
}

/** Finds a backup by name in the list of backups. A name that is not in it is never joined to a path. */
export const findBackup = async (part: Pick<AppContext, 'config' | 'files'>, filename: string) =>
  (await listBackups(part)).find((backup) => backup.filename === filename);

/**
 * Stores a finished local file as a backup; it is moved to a folder, or copied to a bucket and verified there. Never overwrites.
 * Returns whether the name was free.
 */
export async function storeBackup(
  { config, files }: Pick<AppContext, 'config' | 'files'>,
  local: string,
  filename: string,
): Promise<boolean> {
  if (!files.isRemote) return moveUnlessTaken(local, join(backupFolder({ config }), filename));
  try {
    await files.put(inBackups(filename), local, await fingerprint(local));
    return true;
  } catch (error) {
    if (error instanceof PathTakenError) return false;
    throw error;
  }
}

/** Formats a day as in backup names, in the server's time zone. */
export function dateForNames(now: number): string {
  const at = new Date(now * 1000);
  const two = (number: number) => String(number).padStart(2, '0');
  return `${at.getFullYear()}${two(at.getMonth() + 1)}${two(at.getDate())}`;
}

/** Returns a backup name that is not in use. */
export async function unusedName({ files }: Pick<AppContext, 'files'>, reason: string, now: number): Promise<string> {
  const day = dateForNames(now);
  const taken = new Set<string>();
  for await (const { path } of files.list(inBackups(''))) taken.add(withoutPrefix(path));
  for (let place = 1; ; place++) {
    const name = `ta_backup-${day}-${reason}${place > 1 ? `_${place}` : ''}.zip`;
    if (!taken.has(name)) return name;
  }
}

/** Creates the folder and deletes temporary files of killed runs. */
export async function removePartialBackups(part: Pick<AppContext, 'config'>): Promise<void> {
  const folder = backupFolder(part);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  for (const name of await readdir(folder)) if (/^\..*\.part$/.test(name)) await removeIfOlder(join(folder, name));
}
