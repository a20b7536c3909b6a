import { mkdir, readdir, readFile, rmdir, stat } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { z } from 'zod';
import type { AppContext } from '../../../platform/context/app-context.ts';
import { importFolder } from '../../../platform/config/data-folder.ts';
import { removeFile, writeAtomically } from '../../../platform/files/files.ts';

// Files are deleted from the import folder only after their video is archived. They are recorded in a journal before the video is
// published, so that after a crash exactly these files are deleted.

const OriginalFile = z.object({
  /** Relative to the import folder. */
  path: z.string().refine((path) => !path.startsWith('/') && !path.split('/').includes('..')),
  sizeBytes: z.int(),
  changedAtMs: z.number(),
});
export type Original = z.infer<typeof OriginalFile>;

const Entry = z.object({
  id: z.string(),
  /** Checksum of the published media file. Originals stay if the archive has another file of the video. */
  sha256: z.string(),
  files: z.array(OriginalFile),
});

const journalFolder = ({ config }: Pick<AppContext, 'config'>) => join(config.cacheFolder, 'import');
const entryPath = (app: Pick<AppContext, 'config'>, id: string) => join(journalFolder(app), `${id}.json`);

/** Records path, size and modification time of a file in the import folder. */
export async function statOriginal({ config }: Pick<AppContext, 'config'>, path: string): Promise<Original> {
  const { size, mtimeMs } = await stat(path);
  return { path: relative(importFolder(config), path), sizeBytes: size, changedAtMs: mtimeMs };
}

/** Whether a file has the recorded size and modification time. */
export async function isUnchanged({ config }: Pick<AppContext, 'config'>, { path, sizeBytes, changedAtMs }: Original) {
  const { size, mtimeMs } = await stat(join(importFolder(config), path));
  return size === sizeBytes && mtimeMs === changedAtMs;
}

/** Writes the journal entry of the files to delete once this video is archived. */
export async function recordOriginals(app: AppContext, entry: z.infer<typeof Entry>) {
  await mkdir(journalFolder(app), { recursive: true });
  await writeAtomically(entryPath(app, entry.id), JSON.stringify(entry));
}

/** Deletes empty folders, up to but not including the import folder. */
async function removeEmpty(folder: string, root: string) {
  for (let at = folder; at.startsWith(`${root}/`); at = dirname(at)) {
    try {
      await rmdir(at);
    } catch {
      return; // not empty
    }
  }
}

const isGone = (error: unknown) => (error as NodeJS.ErrnoException).code === 'ENOENT';

/**
 * Deletes the originals of an archived video from the import folder; files changed since then stay. Does nothing if the archive
 * has another file of the video.
 * @throws if a file cannot be deleted; the journal entry stays for the next attempt.
 */
export async function deleteOriginals(app: AppContext, id: string): Promise<void> {
  const path = entryPath(app, id);
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if (isGone(error)) return;
    throw error;
  }
  const { sha256, files } = Entry.parse(JSON.parse(text));
  const video = await app.db.selectFrom('video').select('sha256').where('id', '=', id).executeTakeFirst();
  if (video?.sha256 !== sha256) return;
  const root = importFolder(app.config);
  for (const file of files) {
    const isStill = await isUnchanged(app, file).catch((error: unknown) => {
      if (isGone(error)) return false;
      throw error;
    });
    if (isStill) await removeFile(join(root, file.path));
  }
  for (const { path: removed } of files) await removeEmpty(dirname(join(root, removed)), root);
  await removeFile(path);
}

/** Deletes the originals that earlier runs did not. Failures are retried in the next run. */
export async function finishPendingDeletions(app: AppContext): Promise<void> {
  const names = await readdir(journalFolder(app)).catch((error: unknown) => {
    if (isGone(error)) return [];
    throw error;
  });
  for (const name of names) {
    if (!name.endsWith('.json')) continue;
    await deleteOriginals(app, name.slice(0, -'.json'.length)).catch((error: unknown) =>
      app.log.warn({ err: error, name }, 'cannot delete files of an earlier import'),
    );
  }
}
