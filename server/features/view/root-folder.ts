import { lstat, mkdir, readFile, realpath, writeFile } from 'node:fs/promises';
import { dirname, join, resolve, sep } from 'node:path';
import { message, plainText, type Message } from '#contract/messages.ts';
import type { AppContext } from '../../platform/context/app-context.ts';
import { MessageError } from '../../platform/messages/message-error.ts';
import { isDiskFull } from '../../platform/files/free-space.ts';

// The folder of a view lies below one that the operator allows, also after symbolic links are resolved.

type WithConfig = Pick<AppContext, 'config'>;

/** A view cannot be updated now. Its files stay as they are. */
export class ViewUnavailableError extends MessageError {}

const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code;
const isBelow = (path: string, folder: string) => path.startsWith(join(folder, sep));
export const overlaps = (one: string, other: string) => one === other || isBelow(one, other) || isBelow(other, one);

/** Returns the real path of a path whose last folders may not exist yet. */
async function realPathOf(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT' || dirname(path) === path) throw error;
    // A dangling link is no missing folder: creating it would follow the link.
    if (await lstat(path).catch(() => null)) throw error;
    return join(await realPathOf(dirname(path)), path.slice(dirname(path).length + (dirname(path) === sep ? 0 : 1)));
  }
}

/** Returns the absolute path of a folder for a view, or why it is not allowed. */
export async function resolveRoot({ config }: WithConfig, root: string): Promise<string | Message> {
  const folder = config.viewsFolder;
  const path = resolve(folder, root);
  if (!isBelow(path, folder)) return message('view.root-outside', { folder });
  try {
    const [realFolder, realRoot] = [await realPathOf(folder), await realPathOf(path)];
    if (!isBelow(realRoot, realFolder)) return message('view.root-link', { folder });
    for (const other of [config.mediaFolder, config.cacheFolder, config.dataFolder]) {
      const real = await realPathOf(other);
      // Views may be in the data folder, but not around it.
      if (real === realRoot || isBelow(real, realRoot) || (other !== config.dataFolder && isBelow(realRoot, real)))
        return message('view.root-media');
    }
    const stats = await lstat(path).catch(() => null);
    return stats && !stats.isDirectory() ? message('view.root-file', { folder: path }) : path;
  } catch (error) {
    return message('view.root-unusable', { folder: path, why: plainText((error as Error).message) });
  }
}

const markerName = '.reelkeep-view';

interface RootRow {
  root: string;
  marker: string;
}

const readMarker = (root: string) =>
  readFile(join(root, markerName), 'utf8').then(
    (text) => text.trim(),
    (error: unknown) => {
      if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return null;
      throw new ViewUnavailableError(message('view.root-unusable', { folder: root, why: plainText((error as Error).message) }));
    },
  );

/**
 * Checks that the folder of a view is allowed and has its files, and is no mount point of an unmounted disk.
 * @throws ViewUnavailableError
 */
export async function checkRoot(app: WithConfig, { root, marker }: RootRow): Promise<void> {
  const path = await resolveRoot(app, root);
  if (typeof path !== 'string') throw new ViewUnavailableError(path);
  await checkMarker({ root, marker });
}

/**
 * Checks only that the files of a view are there.
 * @throws ViewUnavailableError
 */
export async function checkMarker({ root, marker }: RootRow): Promise<void> {
  const found = await readMarker(root);
  if (found === null) throw new ViewUnavailableError(message('view.root-missing', { folder: root }));
  if (found !== marker) throw new ViewUnavailableError(message('view.root-other', { folder: root }));
}

/**
 * Creates the folder of a view that has no files yet. Files of others that are there stay.
 * @throws ViewUnavailableError
 */
export async function createRoot(app: WithConfig, { root, marker }: RootRow): Promise<void> {
  const path = await resolveRoot(app, root);
  if (typeof path !== 'string') throw new ViewUnavailableError(path);
  try {
    await mkdir(root, { recursive: true });
    if ((await readMarker(root)) === null) await writeFile(join(root, markerName), `${marker}\n`, { flag: 'wx' });
  } catch (error) {
    if (error instanceof ViewUnavailableError) throw error;
    throw new ViewUnavailableError(
      isDiskFull(error)
        ? message('view.disk-full', { folder: root })
        : message('view.root-unusable', { folder: root, why: plainText((error as Error).message) }),
    );
  }
  await checkRoot(app, { root, marker });
}

export const markerPath = (root: string) => join(root, markerName);
