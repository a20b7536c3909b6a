import { message } from '#contract/messages.ts';
import { lstat, realpath } from 'node:fs/promises';
import { isAbsolute, join, posix, relative, sep } from 'node:path';
import type { Config } from '../../../platform/config/config.ts';
import { importFolder } from '../../../platform/config/data-folder.ts';
import { MessageError } from '../../../platform/messages/message-error.ts';

/** Folders that imports may read. The first one is the import folder. */
export const allowedFolders = (config: Pick<Config, 'dataFolder' | 'importFolders'>): string[] => [
  importFolder(config),
  ...config.importFolders,
];

const isBelow = (folder: string, path: string) =>
  path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);

/**
 * Checks a path: it must exist in one of the folders, and no part below the folder may be a symbolic link. Relative paths start
 * at the first folder. Returns the absolute path.
 * @throws MessageError with the reason
 */
export async function checkPath(folders: readonly string[], path: string): Promise<string> {
  const wanted = isAbsolute(path) ? join(path) : join(folders[0]!, path);
  const trimmed = wanted.length > 1 && wanted.endsWith(sep) ? wanted.slice(0, -1) : wanted;
  const folder = folders.map((one) => join(one, '.')).find((one) => isBelow(one, trimmed));
  if (trimmed.includes('\0') || folder === undefined)
    throw new MessageError(message('migrate.outside', { path, folders: folders.join(', ') }));
  let at = folder;
  for (const part of relative(folder, trimmed).split(sep).filter(Boolean)) {
    at = join(at, part);
    const found = await lstat(at).catch(() => null);
    if (!found) throw new MessageError(message('migrate.no-source', { path }));
    if (found.isSymbolicLink()) throw new MessageError(message('migrate.link', { path }));
  }
  // The folder itself is the choice of the operator, and may be a link.
  await realpath(folder).catch(() => {
    throw new MessageError(message('migrate.no-source', { path }));
  });
  return trimmed;
}

/** Maps folders of another program's container to folders here, longest first. */
export type PathMap = readonly { from: string; to: string }[];

export const pathMapOf = (map: Record<string, string>): PathMap =>
  Object.entries(map)
    .map(([from, to]) => ({ from: posix.normalize(from).replace(/\/+$/, ''), to: to.replace(/\/+$/, '') }))
    .toSorted((a, b) => b.from.length - a.from.length);

/** Applies the path map to a stored path. Null if no mapping fits. `..` never leads out of the mapped folder. */
export function mapPath(map: PathMap, path: string): string | null {
  const plain = posix.normalize(path);
  for (const { from, to } of map)
    if (plain === from || plain.startsWith(`${from}/`)) return join(to || '/', plain.slice(from.length));
  return null;
}
