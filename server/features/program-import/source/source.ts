import { message } from '#contract/messages.ts';
import { createReadStream } from 'node:fs';
import { opendir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { openZip } from '../../../platform/files/zip.ts';
import { MessageError } from '../../../platform/messages/message-error.ts';

/** A file in the data of another program. */
export interface SourceFile {
  /** Relative to the chosen folder or ZIP, with forward slashes. */
  name: string;
  bytes: number;
  /** Absolute path; null in a ZIP. */
  path: string | null;
  read(signal?: AbortSignal): AsyncIterable<Buffer>;
}

/** The data of another program: a folder, a ZIP or one file. */
export interface Source {
  name: string;
  /** The chosen folder; null if a file was chosen. */
  folder: string | null;
  /** The wanted files, shallow ones first. */
  files: SourceFile[];
  close(): void;
}

const maxFiles = 2000;
const maxFolders = 2000;
const maxDepth = 6;

export const fileAt = (path: string, name: string, bytes: number): SourceFile => ({
  name,
  bytes,
  path,
  read: (signal) => createReadStream(path, { signal, highWaterMark: 256 * 1024 }),
});

/** Lists the wanted files of a folder, shallow ones first. Symbolic links are not followed. */
async function filesIn(root: string, isWanted: (name: string) => boolean): Promise<SourceFile[]> {
  const files: SourceFile[] = [];
  const folders = [{ below: '', depth: 0 }];
  for (const { below, depth } of folders) {
    const handle = await opendir(join(root, below)).catch(() => null);
    if (!handle) continue;
    for await (const entry of handle) {
      const name = below ? `${below}/${entry.name}` : entry.name;
      if (entry.isDirectory() && depth < maxDepth && folders.length < maxFolders) folders.push({ below: name, depth: depth + 1 });
      if (!entry.isFile() || !isWanted(name)) continue;
      if (files.length === maxFiles) throw new MessageError(message('migrate.too-many', { most: maxFiles }));
      files.push(fileAt(join(root, name), name, (await stat(join(root, name))).size));
    }
  }
  return files;
}

/**
 * Opens a folder, a ZIP, or a single file, whatever its name. The path was checked before.
 * @throws MessageError if a ZIP is faulty or harmful, or there are too many files
 */
export async function openSource(path: string, isWanted: (name: string) => boolean): Promise<Source> {
  const name = basename(path);
  const found = await stat(path).catch(() => {
    throw new MessageError(message('migrate.no-source', { path }));
  });
  if (found.isDirectory()) return { name, folder: path, files: await filesIn(path, isWanted), close() {} };
  if (!found.isFile()) throw new MessageError(message('migrate.no-source', { path }));
  if (!/\.zip$/i.test(name)) return { name, folder: null, files: [fileAt(path, name, found.size)], close() {} };
  const zip = await openZip(path);
  const wanted = [...zip.entries.values()].filter((entry) => isWanted(entry.name));
  if (wanted.length > maxFiles) {
    zip.close();
    throw new MessageError(message('migrate.too-many', { most: maxFiles }));
  }
  return {
    name,
    folder: null,
    files: wanted.map((entry) => ({
      name: entry.name,
      bytes: entry.bytes,
      path: null,
      read: (signal) => entry.read(signal),
    })),
    close: () => zip.close(),
  };
}
