import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { removeIfOlder } from '../child/scratch.ts';

/**
 * Removes the pictures that a kill left half made below a folder: what is named like one, and older than this program, which
 * makes others already.
 */
export async function removeHalfMade(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !/\.jpg\.(new|(new\.)?(part|fetched))$/.test(entry.name)) continue;
    await removeIfOlder(join(entry.parentPath, entry.name));
  }
}
