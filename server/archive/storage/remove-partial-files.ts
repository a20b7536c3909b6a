import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { removeIfOlder } from '../../platform/process/temp-dir.ts';

/** Deletes unfinished images that a kill left below a folder. Only files older than this process, which may be writing new ones. */
export async function removePartialFiles(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !/\.jpg\.(new|(new\.)?(part|fetched))$/.test(entry.name)) continue;
    await removeIfOlder(join(entry.parentPath, entry.name));
  }
}
