import { randomUUID } from 'node:crypto';
import { constants, type Stats } from 'node:fs';
import { copyFile, link, lstat, readlink, rename, stat, symlink, utimes } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import type { LinkKind, ViewLink } from '#contract/view.ts';
import { message, plainText, type Message } from '#contract/messages.ts';
import { MessageError } from '../../platform/messages/message-error.ts';
import { removeFile } from '../../platform/files/files.ts';
import { isDiskFull } from '../../platform/files/free-space.ts';

// Links from a view to media files: hard links, reflinks, relative symbolic links, or copies.

const order: LinkKind[] = ['hard', 'reflink', 'symbolic', 'copy'];

const kindNames = {
  hard: message('view.hard-links'),
  reflink: message('view.reflinks'),
  symbolic: message('view.symbolic-links'),
  copy: message('view.copies'),
};

const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code ?? String((error as Error).message);

/** The file system does not support a link type for this file: another type may work. */
const isUnsupported = (error: unknown) =>
  ['EXDEV', 'EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EINVAL', 'ENOTTY', 'EACCES'].includes(codeOf(error));

/** Copies under a temporary name, with the time of the source, so that the final name is always a complete file. */
async function copyComplete(source: string, target: string, mode: number) {
  const tempPath = `${target}.part`;
  try {
    await removeFile(tempPath);
    await copyFile(source, tempPath, mode);
    const { atime, mtime } = await stat(source);
    await utimes(tempPath, atime, mtime);
    await rename(tempPath, target);
  } finally {
    await removeFile(tempPath);
  }
}

/** Creates a link. An existing file is replaced only once the new link exists. */
async function linkComplete(create: (path: string) => Promise<void>, target: string) {
  try {
    await create(target);
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
    const tempPath = `${target}.part`;
    try {
      await removeFile(tempPath);
      await create(tempPath);
      await rename(tempPath, target);
    } finally {
      await removeFile(tempPath); // renaming one hard link to another of the same file does nothing
    }
  }
}

const makers: Record<LinkKind, (source: string, target: string) => Promise<void>> = {
  hard: (source, target) => linkComplete((path) => link(source, path), target),
  reflink: (source, target) => copyComplete(source, target, constants.COPYFILE_FICLONE_FORCE),
  symbolic: async (source, target) => {
    await stat(source); // no link that leads nowhere
    await linkComplete((path) => symlink(relative(dirname(target), source), path), target);
  },
  copy: (source, target) => copyComplete(source, target, constants.COPYFILE_FICLONE),
};

/**
 * Creates a link. `kind` is tried first; with `mayFallBack` also those after it, because folders of the media folder may be on
 * other disks.
 */
export async function makeLink(kind: LinkKind, source: string, target: string, mayFallBack: boolean): Promise<void> {
  const kinds = mayFallBack ? order.slice(order.indexOf(kind)) : [kind];
  for (const [index, one] of kinds.entries()) {
    try {
      return await makers[one](source, target);
    } catch (error) {
      if (!isUnsupported(error) || index === kinds.length - 1) throw error;
    }
  }
}

const reasons = {
  hard: () => message('view.link-hard'),
  reflink: (why: Message) => message('view.link-reflink', { why }),
  symbolic: (why: Message) => message('view.link-symbolic', { why }),
  copy: (why: Message) => message('view.link-copy', { why }),
};

/**
 * Tries link types with a file of the media folder. Returns the first that works, and why.
 * @throws MessageError if the only requested type does not work
 */
export async function chooseLink(wanted: ViewLink, source: string, root: string): Promise<{ kind: LinkKind; why: Message }> {
  const probe = join(root, `.reelkeep-${randomUUID()}`);
  let whyNotHard: Message = plainText('');
  for (const kind of wanted === 'auto' ? order : [wanted]) {
    try {
      await makers[kind](source, probe);
      await stat(probe); // a symbolic link may lead nowhere
      return { kind, why: wanted === 'auto' ? reasons[kind](whyNotHard) : message('view.link-chosen') };
    } catch (error) {
      if (isDiskFull(error)) throw error;
      const why = plainText(codeOf(error));
      if (wanted !== 'auto' || kind === 'copy')
        throw new MessageError(message('view.link-failed', { link: kindNames[kind], why }));
      if (kind === 'hard') whyNotHard = why;
    } finally {
      await removeFile(probe);
    }
  }
  throw new Error('unreachable');
}

/** Returns the state of a path without following links; null if there is nothing. */
export const statOf = (path: string): Promise<Stats | null> =>
  lstat(path).catch((error: unknown) => {
    if (['ENOENT', 'ENOTDIR'].includes(codeOf(error))) return null;
    throw error;
  });

/** Returns the mark of a file: what is compared to find out whether it is still the one that was created. */
export async function markOf(path: string, stats: Stats): Promise<string> {
  if (stats.isSymbolicLink()) return `link ${await readlink(path)}`;
  return stats.isFile() ? `file ${stats.size} ${Math.floor(stats.mtimeMs)}` : 'other';
}

/** Returns whether a copy has the time of its original. `utimes` sets it with a Date, which is rounded to a millisecond. */
export const hasTimeOf = (copy: Stats, original: Stats) => Math.abs(copy.mtimeMs - original.mtimeMs) < 1;

/** Returns whether an existing file is what a link to `source` would be. */
export async function isLinkTo(path: string, stats: Stats, source: string): Promise<boolean> {
  if (stats.isSymbolicLink()) return (await readlink(path)) === relative(dirname(path), source);
  const original = await statOf(source);
  if (!original || !stats.isFile()) return false;
  if (stats.ino === original.ino && stats.dev === original.dev) return true;
  return stats.size === original.size && hasTimeOf(stats, original);
}
