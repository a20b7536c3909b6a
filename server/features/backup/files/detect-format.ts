import { message } from '#contract/messages.ts';
import { manifestName } from './manifest.ts';
import { InvalidBackupError } from './invalid-backup-error.ts';
import { InvalidZipError, openZip, type ZipFile } from '../../../platform/files/zip.ts';

const ours =
  /^(manifest\.json|tables\/[A-Za-z]{1,50}-\d{1,5}\.ndjson|history\/[-\w.]{1,200}\.jpg|pictures\/(videos\/[^/.]|channels)\/[-\w.]{1,200}\.jpg)$/;
/** A file in a TubeArchivist backup: index, date, part. */
export const tubearchivistName = /^es_(config|channel|video|download|playlist|subtitle|comment)-\d{8}(?:-(\d{1,6}))?\.json$/;

/**
 * Detects which program wrote a backup.
 * @throws InvalidBackupError if the format is unknown, or if a Reelkeep backup contains an unexpected entry.
 */
export function detectFormat({ entries }: ZipFile): 'ours' | 'original' {
  const names = [...entries.keys()];
  if (entries.has(manifestName)) {
    const strange = names.find((name) => !ours.test(name));
    if (strange) throw new InvalidBackupError(message('restore.unknown-file', { name: JSON.stringify(strange.slice(0, 100)) }));
    return 'ours';
  }
  if (names.some((name) => tubearchivistName.test(name))) return 'original';
  throw new InvalidBackupError(message('restore.unknown-format'));
}

/** Detects which program wrote a backup file. */
export async function formatOf(path: string): Promise<'ours' | 'original'> {
  const zip = await openZip(path);
  try {
    return detectFormat(zip);
  } finally {
    zip.close();
  }
}

/**
 * Whether restoring this file replaces users and their credentials, as a Reelkeep backup does. False if the file is no backup.
 */
export async function includesUsers(path: string): Promise<boolean> {
  try {
    return (await formatOf(path)) === 'ours';
  } catch (error) {
    if (error instanceof InvalidZipError) return false;
    throw error;
  }
}
