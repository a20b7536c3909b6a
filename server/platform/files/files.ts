import { message } from '#contract/messages.ts';
import { MessageError } from '../messages/message-error.ts';
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { link, mkdir, open, rename, rm, stat, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';

// Files in the media folder are never overwritten: new files are written under a temporary name, verified, synced, and then
// renamed or linked.

/** Syncs the directory entries of a folder to disk. */
export async function syncFolder(folder: string) {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Writes a small file atomically: temporary file, sync, rename. With `mode` it never exists with another mode. */
export async function writeAtomically(path: string, content: string | Uint8Array, { mode }: { mode?: number } = {}) {
  const tempPath = `${path}.part`;
  const handle = await open(tempPath, 'w', mode ?? 0o644);
  try {
    if (mode !== undefined) await handle.chmod(mode); // a leftover temporary file has its own mode
    await handle.writeFile(content);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(tempPath, path);
  await syncFolder(dirname(path));
}

/** Syncs the content of a file to disk. */
export async function syncFile(path: string) {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Returns size in bytes and SHA-256 in hex of a file, read once in 1 MB steps. */
export const fingerprint = (path: string, signal?: AbortSignal) =>
  fingerprintOf(createReadStream(path, { highWaterMark: 1024 * 1024, signal }));

/** Returns size in bytes and SHA-256 in hex of the content of a stream. */
export async function fingerprintOf(stream: Readable): Promise<{ sizeBytes: number; sha256: string }> {
  const hash = createHash('sha256');
  let sizeBytes = 0;
  for await (const chunk of stream) {
    hash.update(chunk as Buffer);
    sizeBytes += (chunk as Buffer).length;
  }
  return { sizeBytes, sha256: hash.digest('hex') };
}

const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code;

/** A finished file with its checksum and target path. */
export interface PlacedFile {
  from: string;
  to: string;
  sizeBytes: number;
  sha256: string;
}

/** Returns whether two paths are `one` file, two files with equal content (`alike`), or `different`. */
export async function compareFiles(a: string, b: string): Promise<'one' | 'alike' | 'different'> {
  const [first, second] = await Promise.all([stat(a), stat(b)]);
  if (first.ino === second.ino && first.dev === second.dev) return 'one';
  if (first.size !== second.size) return 'different';
  return (await fingerprint(a)).sha256 === (await fingerprint(b)).sha256 ? 'alike' : 'different';
}

/** Returns whether the file at a path has this size and checksum. */
async function hasContent(path: string, { sizeBytes, sha256 }: PlacedFile): Promise<boolean> {
  if (!(await exists(path)) || (await stat(path)).size !== sizeBytes) return false;
  return (await fingerprint(path)).sha256 === sha256;
}

/** The target path belongs to another file. */
export class PathTakenError extends MessageError {
  constructor(path: string) {
    super(message('failure.path-taken', { path }));
  }
}

/** Creates a media folder and syncs its directory entry. */
export async function makeMediaFolders(folder: string) {
  const first = await mkdir(folder, { recursive: true });
  if (first) await syncFolder(dirname(first));
}

/**
 * Moves finished files to their target paths in this order. Existing files are not overwritten unless `replaces`; then the old or
 * the new file exists at every moment. A target with equal content counts as done, so the call can be repeated after a crash.
 * @throws PathTakenError if another file has a target path
 */
export async function placeFiles(files: PlacedFile[], { replaces }: { replaces: boolean }) {
  const folders = new Set(files.map(({ to }) => dirname(to)));
  for (const folder of folders) await makeMediaFolders(folder);
  const placed: PlacedFile[] = [];
  try {
    for (const file of files) {
      if (replaces) await replace(file);
      else if (await placeFile(file)) placed.push(file);
    }
  } catch (error) {
    // Without the media file the other files would be orphans, so they are moved back.
    for (const { from, to } of placed) await ((await exists(from)) ? removeFile(to) : rename(to, from));
    throw error;
  }
  for (const folder of folders) await syncFolder(folder);
}

/** Links or moves a file to its target path. Returns false if a different file with equal content is there. */
async function placeFile(file: PlacedFile): Promise<boolean> {
  const { from, to } = file;
  try {
    await link(from, to);
    return true;
  } catch (error) {
    const code = codeOf(error) ?? '';
    // Without hard links an earlier start may have moved the file before it was killed.
    if (code === 'ENOENT' && !(await exists(from)) && (await hasContent(to, file))) return true;
    // exFAT and some network shares have no hard links; there the file is renamed after a check that the path is free.
    if (!['EEXIST', 'EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EXDEV', 'EMLINK'].includes(code)) throw error;
    if (await exists(to)) {
      const found = await compareFiles(from, to);
      if (found === 'different') throw new PathTakenError(to);
      return found === 'one';
    }
    await rename(from, to);
    return true;
  }
}

async function replace(file: PlacedFile) {
  const { from, to } = file;
  const tempPath = `${to}.new`;
  if (await exists(from)) {
    if (!(await exists(to))) return placeFile(file);
    if ((await compareFiles(from, to)) !== 'different') return removeFile(tempPath);
    await removeFile(tempPath);
    await placeFile({ ...file, to: tempPath });
  } else if (!(await exists(tempPath)) && (await hasContent(to, file))) return; // moved by an earlier start, without hard links
  await rename(tempPath, to);
}

export async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    (error: unknown) => {
      if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return false;
      throw error;
    },
  );
}

/** Deletes a file if it exists. */
export async function removeFile(path: string) {
  await unlink(path).catch((error: unknown) => {
    if (codeOf(error) !== 'ENOENT') throw error;
  });
}

/**
 * Folder of running downloads, on the file system of the media, so that the last step is a link or a rename. Each node has its own:
 * yt-dlp of a frozen node may still write while another node downloads the same video.
 */
export const workFolder = ({ mediaFolder, node }: { mediaFolder: string; node?: string | undefined }) =>
  join(mediaFolder, '.incoming', ...(node === undefined ? [] : [`node-${node}`]));

/** Trash folder, on the same file system as the deleted files. */
export const trashFolder = (root: string) => join(root, '.trash');

export const removeFolder = (path: string) => rm(path, { recursive: true, force: true });

/** Moves a file within its folder unless the name is taken; never overwrites. Returns whether the file was moved. */
export async function moveUnlessTaken(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return false;
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'].includes(code ?? '')) throw error;
    if (await exists(to)) return false; // file systems without hard links: check, then rename
    await rename(from, to);
  }
  await removeFile(from);
  await syncFolder(dirname(to));
  return true;
}
