import { createReadStream } from 'node:fs';
import { copyFile, mkdir, opendir, stat } from 'node:fs/promises';
import { once } from 'node:events';
import { dirname, join, relative } from 'node:path';
import type { Config } from '../config/config.ts';
import { exists, fingerprint, moveUnlessTaken, PathTakenError, removeFile, syncFile } from '../files/files.ts';
import { moveFiles } from '../files/move.ts';
import { fileMissing, type FileInfo, type FileStore, type ListedFile } from './file-store.ts';
import { hasPrefix, inBackups, inCache, inHistory, resolveStoredPath } from './stored-path.ts';

const isAbsence = (error: unknown) => ['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '');

async function statOf(path: string): Promise<FileInfo | null> {
  try {
    const found = await stat(path);
    return found.isFile() ? { sizeBytes: found.size, modifiedMs: found.mtimeMs } : null;
  } catch (error) {
    if (isAbsence(error)) return null;
    throw error;
  }
}

async function* filesBelow(folder: string): AsyncGenerator<string> {
  const folders: string[] = [];
  try {
    for await (const entry of await opendir(folder)) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) folders.push(path);
      else if (entry.isFile()) yield path;
    }
  } catch (error) {
    if (!isAbsence(error)) throw error;
  }
  for (const one of folders) yield* filesBelow(one);
}

/** The files in the folders of the configuration. */
export function createDiskStore(config: Config): FileStore {
  const localOf = (path: string) => resolveStoredPath({ config }, path);

  return {
    isRemote: false,
    stat: async (path) => statOf(localOf(path)),
    async read(path, range, signal) {
      const stream = createReadStream(localOf(path), { ...(range && { start: range.from, end: range.to }), signal });
      await once(stream, 'open');
      return stream;
    },
    async localPath(path) {
      const local = localOf(path);
      if (!(await statOf(local))) throw fileMissing(path);
      return local;
    },
    async put(path, local, { sizeBytes, sha256 }, signal) {
      const target = localOf(path);
      await mkdir(dirname(target), { recursive: true });
      const tempPath = `${target}.part`;
      try {
        await copyFile(local, tempPath);
        await syncFile(tempPath);
        const copied = await fingerprint(tempPath, signal);
        if (copied.sizeBytes !== sizeBytes || copied.sha256 !== sha256)
          throw new Error(`What was copied to ${tempPath} is not what was read.`);
        if (await moveUnlessTaken(tempPath, target)) return;
        if ((await exists(target)) && (await fingerprint(target, signal)).sha256 !== sha256) throw new PathTakenError(target);
      } finally {
        await removeFile(tempPath);
      }
    },
    async save() {},
    move: async (moves) => moveFiles(moves.map(({ from, to }) => ({ from: localOf(from), to: localOf(to) }))),
    remove: async (path) => removeFile(localOf(path)),
    async *list(start): AsyncGenerator<ListedFile> {
      const prefix = hasPrefix(start) ? start.slice(0, start.indexOf(':') + 1) : '';
      const root = localOf(`${prefix}x`).slice(0, -2);
      const folder = start.slice(prefix.length).replace(/[^/]*$/, '');
      const storedPath =
        { [inCache('')]: inCache, [inHistory('')]: inHistory, [inBackups('')]: inBackups }[prefix] ?? ((path: string) => path);
      for await (const full of filesBelow(join(root, folder))) {
        const path = storedPath(relative(root, full).replaceAll('\\', '/'));
        const info = path.startsWith(start) ? await statOf(full) : null;
        if (info) yield { path, ...info };
      }
    },
    link: async () => null,
    readMarker: async () => null,
    async writeMarker() {},
    async removeMarker() {},
    async abortUploads() {},
    async trimCopies() {},
    close() {},
  };
}
