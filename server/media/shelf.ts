import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { link, mkdir, open, rename, rm, stat, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';

// The shelf is the media folder. What stands on it is never written over: files are written beside, checked, synced,
// and then given their final name.

/** Makes what was written to a folder's list of names survive a power cut. */
export async function syncFolder(folder: string) {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Writes a whole small file: beside, synced, renamed. With a `mode` it is never there in another. */
export async function writeWhole(path: string, content: string | Uint8Array, { mode }: { mode?: number } = {}) {
  const beside = `${path}.part`;
  const handle = await open(beside, 'w', mode ?? 0o644);
  try {
    if (mode !== undefined) await handle.chmod(mode); // one that was left lying keeps its own
    await handle.writeFile(content);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(beside, path);
  await syncFolder(dirname(path));
}

/** Makes the content of a file survive a power cut. */
export async function syncFile(path: string) {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Size in bytes and SHA-256 in hex of a file, read once, in 1 MB steps. */
export async function fingerprint(path: string, signal?: AbortSignal): Promise<{ sizeBytes: number; sha256: string }> {
  const hash = createHash('sha256');
  let sizeBytes = 0;
  for await (const chunk of createReadStream(path, { highWaterMark: 1024 * 1024, signal })) {
    hash.update(chunk as Buffer);
    sizeBytes += (chunk as Buffer).length;
  }
  return { sizeBytes, sha256: hash.digest('hex') };
}

const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code;

/** A finished file, what it holds, and where it is to stand. */
export interface Placing {
  from: string;
  to: string;
  sizeBytes: number;
  sha256: string;
}

/** Whether two names are `one` file, two files `alike` in content, or different ones. */
export async function compare(a: string, b: string): Promise<'one' | 'alike' | 'different'> {
  const [first, second] = await Promise.all([stat(a), stat(b)]);
  if (first.ino === second.ino && first.dev === second.dev) return 'one';
  if (first.size !== second.size) return 'different';
  return (await fingerprint(a)).sha256 === (await fingerprint(b)).sha256 ? 'alike' : 'different';
}

/** Whether what stands at a name is what the file held. */
async function holds(path: string, { sizeBytes, sha256 }: Placing): Promise<boolean> {
  if (!(await exists(path)) || (await stat(path)).size !== sizeBytes) return false;
  return (await fingerprint(path)).sha256 === sha256;
}

/** A file stands at the final name already, and it is another one. */
export class Taken extends Error {
  constructor(path: string) {
    super(`Another file stands at ${path} already.`);
  }
}

/** Makes the folder for a shelf's files, and the name it has in the folder above survive a power cut. */
export async function makeShelf(folder: string) {
  const first = await mkdir(folder, { recursive: true });
  if (first) await syncFolder(dirname(first));
}

/**
 * Gives finished files their final names on the shelf, in the order given; what stands there is never overwritten, unless
 * `replaces`: then at every moment the old or the new file has the name. A file that is there with the same content counts
 * as placed: a start after a crash comes here again. Throws Taken when another file has a name.
 */
export async function shelveFiles(files: Placing[], { replaces }: { replaces: boolean }) {
  const folders = new Set(files.map(({ to }) => dirname(to)));
  for (const folder of folders) await makeShelf(folder);
  const placed: Placing[] = [];
  try {
    for (const file of files) {
      if (replaces) await replace(file);
      else if (await place(file)) placed.push(file);
    }
  } catch (error) {
    // Without its media file the rest belongs to nobody: it goes back, so that nothing is left lying on the shelf.
    for (const { from, to } of placed) await ((await exists(from)) ? removeFile(to) : rename(to, from));
    throw error;
  }
  for (const folder of folders) await syncFolder(folder);
}

/** Gives a file its name. Answers false when a file of somebody else with the same content has it. */
async function place(file: Placing): Promise<boolean> {
  const { from, to } = file;
  try {
    await link(from, to);
    return true;
  } catch (error) {
    const code = codeOf(error) ?? '';
    // Where there are no links, an earlier start may have moved it before it was killed.
    if (code === 'ENOENT' && !(await exists(from)) && (await holds(to, file))) return true;
    // exFAT and some network shares know no links; there a rename must do, after a look that the name is free.
    if (!['EEXIST', 'EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EXDEV', 'EMLINK'].includes(code)) throw error;
    if (await exists(to)) {
      const found = await compare(from, to);
      if (found === 'different') throw new Taken(to);
      return found === 'one';
    }
    await rename(from, to);
    return true;
  }
}

async function replace(file: Placing) {
  const { from, to } = file;
  const beside = `${to}.new`;
  if (await exists(from)) {
    if (!(await exists(to))) return place(file);
    if ((await compare(from, to)) !== 'different') return removeFile(beside);
    await removeFile(beside);
    await place({ ...file, to: beside });
  } else if (!(await exists(beside)) && (await holds(to, file))) return; // moved by an earlier start, without links
  await rename(beside, to);
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

/** Removes a file; that it is gone already is fine. */
export async function removeFile(path: string) {
  await unlink(path).catch((error: unknown) => {
    if (codeOf(error) !== 'ENOENT') throw error;
  });
}

/** The folder of downloads under way, on the media's own file system so that the last step is a link or a rename. */
export const incomingFolder = (mediaFolder: string) => join(mediaFolder, '.incoming');

/** Where deleted files rest, on the file system that they were on, until they are put back or go for good. */
export const binFolder = (root: string) => join(root, '.bin');

export const removeFolder = (path: string) => rm(path, { recursive: true, force: true });
