import { join, sep } from 'node:path';

/** Returns whether a value is a valid path segment. Ids become file names too. */
export const isSafeName = (value: unknown): value is string =>
  typeof value === 'string' && !['', '.', '..'].includes(value) && !/[/\0]/.test(value);

/** Returns whether a value is a relative path with forward slashes that stays in its folder. */
export const isSafePath = (value: unknown): value is string => typeof value === 'string' && value.split('/').every(isSafeName);

/**
 * Joins a path to a folder.
 * @throws if the result is outside the folder
 */
export function safeJoin(folder: string, path: string): string {
  const full = join(folder, path);
  if (!full.startsWith(join(folder, sep))) throw new Error(`${JSON.stringify(path)} leads out of its folder.`);
  return full;
}
