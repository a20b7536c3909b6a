import type { AppContext } from '../../platform/context/app-context.ts';
import { chunks, type Db } from '../../platform/db/db.ts';
import { batchesOf } from '../../platform/lib/batch.ts';
import type { FileStore } from '../../platform/storage/file-store.ts';
import { ignoredNames } from './walk.ts';
import { knownPaths } from './known-paths.ts';

// Compares the rows with one listing of the bucket (1,000 objects per request) instead of asking for each object.

type Part = Pick<AppContext, 'db' | 'files'>;

const batchSize = 500;
/** Objects without a row may be part of an upload that began just now. */
const youngMs = 3_600_000;

/** Result of a complete listing. */
export interface MediaObjects {
  /** Size of each media object of a video, by path. */
  sizes: Map<string, number>;
  /** Folders of the trash entries that have objects. */
  trashFolders: Set<string>;
}

/** Returns which of these objects rows name that folders do not need: those of the trash, of uploads and of pending deletions. */
async function reservedPaths(db: Db, paths: string[], trashFolders: Set<string>): Promise<string[]> {
  const rows = await db
    .selectFrom('trashFile')
    .select(['path', 'folder'])
    .where('state', 'in', ['in', 'leaving', 'returning'])
    .where('path', 'in', paths)
    .execute();
  for (const { folder } of rows) trashFolders.add(folder);
  const deleted = await db.selectFrom('pendingDeletion').select('path').where('path', 'in', paths).execute();
  return [...rows, ...deleted].map(({ path }) => path);
}

/**
 * Lists all media objects and yields the paths of those that no row names. The result is complete when the last one was yielded.
 * @throws StorageError if the bucket does not answer; nothing can be concluded from the result then
 */
export async function* findUnknownObjects(
  { db, files }: Part,
  { sizes, trashFolders }: MediaObjects,
  signal?: AbortSignal,
): AsyncGenerator<string> {
  for await (const batch of batchesOf(files.list('', signal), batchSize)) {
    // Before the videos, because the rows of an upload replace it.
    const uploads = await db.selectFrom('upload').select('paths').execute();
    const known = new Set(uploads.flatMap((row) => JSON.parse(row.paths) as string[]));
    for (const part of chunks(batch)) {
      const paths = part.map(({ path }) => path);
      for (const path of await reservedPaths(db, paths, trashFolders)) known.add(path);
      const { media, others } = await knownPaths(db, paths);
      for (const path of others) known.add(path);
      for (const { path, sizeBytes } of part) if (media.has(path)) sizes.set(path, sizeBytes);
    }
    for (const { path, modifiedMs } of batch)
      if (!known.has(path) && !sizes.has(path) && Date.now() - modifiedMs > youngMs && !path.split('/').some(isIgnored))
        yield path;
  }
}
const isIgnored = (name: string) => ignoredNames.test(name);

/** Returns the size of the media object of a video, or null if it is missing for certain. @throws StorageError */
export async function sizeOfObject(files: FileStore, { sizes }: MediaObjects, path: string): Promise<number | null> {
  // A video may have been archived after its part of the list was read.
  return sizes.get(path) ?? (await files.stat(path))?.sizeBytes ?? null;
}

export const noObjects = (): MediaObjects => ({ sizes: new Map(), trashFolders: new Set() });
