import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { KnownChannel } from '../channel/upsert-channel.ts';
import { exists, removeFile, removeFolder, syncFolder, writeAtomically } from '../../platform/files/files.ts';
import { ArchivedVideo } from '../video/save-archived.ts';

/** Relative to the media folder, with forward slashes, without `..`. */
const mediaPath = z
  .string()
  .refine((path) => !path.startsWith('/') && path.split('/').every((part) => part !== '' && part !== '.' && part !== '..'));

/**
 * The remaining work of a verified download: target paths of the files, and the rows to insert. Once written, the download is not
 * started again; a start after a crash completes it. See docs/decisions/manifest-and-hard-links.md.
 */
const Manifest = z.object({
  version: z.literal(1),
  /** Number of the queue item, and name of the folder. */
  number: z.int(),
  /** Replaces a file that is already archived. */
  isForced: z.boolean(),
  /** Folder of the trash for the file that is replaced; without it that file is deleted. */
  replacedFolder: z
    .string()
    .regex(/^[0-9a-f]+$/)
    .optional(),
  /** In the order in which they are placed, the media file last. `from` is a name in the work folder. */
  files: z.array(z.object({ from: z.string().regex(/^[^/]+$/), to: mediaPath, sizeBytes: z.int(), sha256: z.string() })),
  /** Name of an image in the work folder for the thumbnail. */
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
export const writeManifest = (folder: string, manifest: Manifest) => writeAtomically(pathIn(folder), JSON.stringify(manifest));

/** @throws if the text is no manifest */
export const parseManifest = (text: string): Manifest => Manifest.parse(JSON.parse(text));

/** Reads the manifest of a folder, or returns null if there is none or it was not completed. */
export async function readManifest(folder: string): Promise<Manifest | null> {
  let text: string;
  try {
    text = await readFile(pathIn(folder), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  return parseManifest(text);
}

/**
 * Deletes the work folder of a download. The manifest is deleted first: if a crash left it without its files, every start would
 * try to publish them.
 */
export async function removeDownload(folder: string): Promise<void> {
  const path = pathIn(folder);
  if (await exists(path)) {
    await removeFile(path);
    await syncFolder(folder);
  }
  await removeFolder(folder);
}
