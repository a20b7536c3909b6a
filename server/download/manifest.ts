import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { KnownChannel } from '../channel/save-known.ts';
import { exists, removeFile, removeFolder, syncFolder, writeWhole } from '../media/shelf.ts';
import { ArchivedVideo } from '../video/save-archived.ts';

/** Below the media folder, with forward slashes; never out of it. */
const shelfPath = z
  .string()
  .refine((path) => !path.startsWith('/') && path.split('/').every((part) => part !== '' && part !== '.' && part !== '..'));

/**
 * What a download that is whole and checked has yet to do: which files go where, and the rows to be. Once it is written
 * the download is not begun again; a start after a crash goes on with it.
 */
const Manifest = z.object({
  version: z.literal(1),
  /** Of the queue item, and the name of the folder. */
  number: z.int(),
  /** It takes the place of a file that is in the archive already. */
  isForced: z.boolean(),
  /** In the order in which they are placed; the media file is the last. `from` is a name in the download's own folder. */
  files: z.array(z.object({ from: z.string().regex(/^[^/]+$/), to: shelfPath, sizeBytes: z.int(), sha256: z.string() })),
  /** A picture in the folder to make the thumbnail from. */
  thumbnail: z
    .string()
    .regex(/^[^/]+$/)
    .nullable(),
  channel: KnownChannel,
  video: ArchivedVideo,
});
export type Manifest = z.infer<typeof Manifest>;

const pathIn = (folder: string) => join(folder, 'manifest.json');

/** Writes the manifest: the point of no return. */
export const writeManifest = (folder: string, manifest: Manifest) => writeWhole(pathIn(folder), JSON.stringify(manifest));

/** The manifest of a folder, or null when it has none, or none that was finished. */
export async function readManifest(folder: string): Promise<Manifest | null> {
  let text: string;
  try {
    text = await readFile(pathIn(folder), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  return Manifest.parse(JSON.parse(text));
}

/**
 * Removes the folder of a download. The manifest goes first and by itself: a crash half-way must not leave one whose files
 * are gone, because the next start would try to bring them to the shelf, again and again.
 */
export async function removeDownload(folder: string): Promise<void> {
  const path = pathIn(folder);
  if (await exists(path)) {
    await removeFile(path);
    await syncFolder(folder);
  }
  await removeFolder(folder);
}
