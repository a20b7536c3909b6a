import { mkdir, readdir, readFile, rmdir, stat } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { z } from 'zod';
import type { Archive } from '../archive.ts';
import { importFolder } from '../data-folder.ts';
import { removeFile, writeWhole } from '../media/shelf.ts';

// Files leave the import folder only when their video is in the archive. Which files those are is written down before the
// video goes to the shelf, so that a crash in between makes nothing of somebody else's vanish, and nothing stay for ever.

const Original = z.object({
  /** Below the import folder. */
  path: z.string().refine((path) => !path.startsWith('/') && !path.split('/').includes('..')),
  sizeBytes: z.int(),
  changedAtMs: z.number(),
});
export type Original = z.infer<typeof Original>;

const Entry = z.object({
  id: z.string(),
  /** Of the media file on the shelf: another file of the same video is no reason to remove anything. */
  sha256: z.string(),
  files: z.array(Original),
});

const journalFolder = ({ config }: Pick<Archive, 'config'>) => join(config.cacheFolder, 'import');
const entryPath = (archive: Pick<Archive, 'config'>, id: string) => join(journalFolder(archive), `${id}.json`);

/** Describes a file of the import folder, so that it is known again. */
export async function originalOf({ config }: Pick<Archive, 'config'>, path: string): Promise<Original> {
  const { size, mtimeMs } = await stat(path);
  return { path: relative(importFolder(config), path), sizeBytes: size, changedAtMs: mtimeMs };
}

/** Whether a file is still what it was. */
export async function isUnchanged({ config }: Pick<Archive, 'config'>, { path, sizeBytes, changedAtMs }: Original) {
  const { size, mtimeMs } = await stat(join(importFolder(config), path));
  return size === sizeBytes && mtimeMs === changedAtMs;
}

/** Writes down which files are to go when this video is in the archive. */
export async function noteOriginals(archive: Archive, entry: z.infer<typeof Entry>) {
  await mkdir(journalFolder(archive), { recursive: true });
  await writeWhole(entryPath(archive, entry.id), JSON.stringify(entry));
}

/** Removes folders that have become empty, up to the import folder itself. */
async function removeEmpty(folder: string, root: string) {
  for (let at = folder; at.startsWith(`${root}/`); at = dirname(at)) {
    try {
      await rmdir(at);
    } catch {
      return; // something else is in it
    }
  }
}

const isGone = (error: unknown) => (error as NodeJS.ErrnoException).code === 'ENOENT';

/**
 * Removes the files of a video that came into the archive from the import folder; those that somebody changed meanwhile stay.
 * Does nothing when the archive has the video by another way. Throws when they cannot be removed; they are tried again.
 */
export async function removeOriginals(archive: Archive, id: string): Promise<void> {
  const path = entryPath(archive, id);
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if (isGone(error)) return;
    throw error;
  }
  const { sha256, files } = Entry.parse(JSON.parse(text));
  const video = await archive.db.selectFrom('video').select('sha256').where('id', '=', id).executeTakeFirst();
  if (video?.sha256 !== sha256) return;
  const root = importFolder(archive.config);
  for (const file of files) {
    const isStill = await isUnchanged(archive, file).catch((error: unknown) => {
      if (isGone(error)) return false;
      throw error;
    });
    if (isStill) await removeFile(join(root, file.path));
  }
  for (const { path: removed } of files) await removeEmpty(dirname(join(root, removed)), root);
  await removeFile(path);
}

/** Does what an earlier run did not come to. What cannot be done now stays for the next. */
export async function finishEarlier(archive: Archive): Promise<void> {
  const names = await readdir(journalFolder(archive)).catch((error: unknown) => {
    if (isGone(error)) return [];
    throw error;
  });
  for (const name of names) {
    if (!name.endsWith('.json')) continue;
    await removeOriginals(archive, name.slice(0, -'.json'.length)).catch((error: unknown) =>
      archive.log.warn({ err: error, name }, 'files of an earlier import cannot be removed'),
    );
  }
}
