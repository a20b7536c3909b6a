import type { AppContext } from '../../platform/context/app-context.ts';
import { StorageError } from '../../platform/storage/file-store.ts';
import { inCache } from '../../platform/storage/stored-path.ts';

/**
 * Deletes images whose rows were deleted. `paths` are relative to the cache folder. Images that remain because a bucket does not
 * answer belong to nothing, and the next thumbnail check deletes them.
 */
export async function removeImages({ files, log }: Pick<AppContext, 'files' | 'log'>, paths: string[]): Promise<void> {
  for (const path of paths)
    await files.remove(inCache(path)).catch((error: unknown) => {
      if (!(error instanceof StorageError)) throw error;
      log.warn({ path, err: error }, 'cannot delete an image; the next thumbnail check does');
    });
}
