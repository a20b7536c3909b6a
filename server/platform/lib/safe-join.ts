import { join, sep } from 'node:path';

/**
 * Joins a path to a folder.
 * @throws if the result is outside the folder
 */
export function safeJoin(folder: string, path: string): string {
  const full = join(folder, path);
  if (!full.startsWith(join(folder, sep))) throw new Error(`${JSON.stringify(path)} leads out of its folder.`);
  return full;
}
