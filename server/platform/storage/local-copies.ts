import { opendir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { removeFile } from '../files/files.ts';

/** Copies used within this time may be open in a program. */
const usedMs = 3_600_000;

/** Folders of the cache folder with local files that are in no bucket. */
const ownFolders = new Set(['ytdlp', 'refresh', 'import', 'chapters']);

/** Deletes the files of a folder that were used longest ago until the others have at most `bytes`. */
export async function trimFolder(root: string, bytes: number): Promise<void> {
  const files: { path: string; size: number; usedAtMs: number }[] = [];
  let total = 0;
  const look = async (folder: string, isRoot: boolean) => {
    for await (const entry of await opendir(folder)) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) {
        if (!isRoot || !ownFolders.has(entry.name)) await look(path, false);
        continue;
      }
      const found = await stat(path).catch(() => null); // deleted meanwhile
      if (!found) continue;
      total += found.size;
      // Writing changes only the second: a large file may be written for hours.
      files.push({ path, size: found.size, usedAtMs: Math.max(found.atimeMs, found.mtimeMs) });
    }
  };
  await look(root, true);
  for (const { path, size, usedAtMs } of files.sort((a, b) => a.usedAtMs - b.usedAtMs)) {
    if (total <= bytes || Date.now() - usedAtMs < usedMs) return;
    await removeFile(path);
    total -= size;
  }
}
