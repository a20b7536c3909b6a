import { opendir } from 'node:fs/promises';

const maxNames = 20;
const maxCount = 1000;

/** Lists the first entries of the import folder. Hidden files are not imported and not listed. */
export async function listImportFolder(folder: string) {
  const names: string[] = [];
  let isMore = false;
  try {
    for await (const entry of await opendir(folder)) {
      if (entry.name.startsWith('.')) continue;
      if (names.length === maxCount) {
        isMore = true;
        break;
      }
      names.push(entry.isDirectory() ? `${entry.name}/` : entry.name);
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  return { folder, names: names.toSorted().slice(0, maxNames), count: names.length, is_more: isMore };
}
