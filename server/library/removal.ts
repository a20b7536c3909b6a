import type { Archive } from '../archive.ts';
import { below } from '../below.ts';
import type { Tx } from '../db/db.ts';
import { removeFile } from '../media/shelf.ts';
import { earlierFolder } from '../video/earlier.ts';
import { whyNotBelieved } from './media-marker.ts';

// A path is below the media folder unless a mark stands before it; no path on the shelf has a colon in its first part.
const marks = { cache: 'cache:', earlier: 'earlier:' };

/** Whether a file is not below the media folder, so that it is there whatever disk is not. */
export const isMarked = (path: string) => Object.values(marks).some((mark) => path.startsWith(mark));

/** A file below the cache folder. */
export const inCache = (path: string) => `${marks.cache}${path}`;
/** A picture that a video had before. */
export const inEarlier = (name: string) => `${marks.earlier}${name}`;

/** A path without the mark that may stand before it. */
export const unmarked = (path: string) => {
  const mark = Object.values(marks).find((one) => path.startsWith(one)) ?? '';
  return path.slice(mark.length);
};

/** Where a file stands that is spoken of in these words. Throws for words that lead out of the folder they speak of. */
export function whereIs(archive: Pick<Archive, 'config'>, path: string): string {
  const { config } = archive;
  if (path.startsWith(marks.cache)) return below(config.cacheFolder, unmarked(path));
  if (path.startsWith(marks.earlier)) return below(earlierFolder(archive), unmarked(path));
  return below(config.mediaFolder, path);
}

/** Says in the same transaction that takes their row away which files go with it. */
export async function letGo(tx: Tx, paths: string[]): Promise<void> {
  if (paths.length === 0) return;
  await tx
    .insertInto('removal')
    .values(paths.map((path) => ({ path })))
    .onConflict((c) => c.doNothing())
    .execute();
}

/** A row names these files again: they stay. */
export const keepFiles = (tx: Tx, paths: string[]) => tx.deleteFrom('removal').where('path', 'in', paths).execute();

/**
 * Removes the files that no row names any more; also what a crash left of that. One that cannot be removed is tried again at
 * the next start, and so are those of a disk that is not there: a missing folder is not a file that is gone.
 */
export async function removePending(archive: Archive, paths?: string[]): Promise<void> {
  const { db, log } = archive;
  if (paths?.length === 0) return;
  const isThere = (await whyNotBelieved(archive)) === null;
  const rows = await db
    .selectFrom('removal')
    .select('path')
    .$if(paths !== undefined, (q) => q.where('path', 'in', paths!))
    .execute();
  for (const { path } of rows) {
    if (!isThere && !isMarked(path)) continue;
    try {
      await removeFile(whereIs(archive, path));
      await db.deleteFrom('removal').where('path', '=', path).execute();
    } catch (error) {
      log.warn({ path, err: error }, 'a file could not be removed; it is tried again at the next start');
    }
  }
}
