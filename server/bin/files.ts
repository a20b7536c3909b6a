import { readdir, rmdir } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import type { Archive } from '../archive.ts';
import { chunks, inTransaction, type Tx } from '../db/db.ts';
import type { BinFileTable } from '../db/tables-bin.ts';
import { whyNotBelieved } from '../library/media-marker.ts';
import { inCache, isMarked, whereIs } from '../library/removal.ts';
import { moveFiles } from '../media/move.ts';
import { binFolder, exists, removeFile } from '../media/shelf.ts';

/** Where a file rests while it is in the bin, in the words of library/removal.ts: below the root that it came from. */
export function restingPath({ folder, name, path }: Pick<BinFileTable, 'folder' | 'name' | 'path'>): string {
  const below = `.bin/${folder}/${name}`;
  return isMarked(path) ? inCache(below) : below;
}

/**
 * Whether what stands at a name may go for a file that comes back: the picture of a video may have been fetched again since, for
 * an item of the queue. Only what nobody else has is never overwritten.
 */
export const givesWay = (path: string) => path.startsWith(inCache('videos/'));

/** Says in the same transaction that takes their rows away which files go into the bin, and under which name. */
export async function listFiles(tx: Tx, folder: string, paths: string[]): Promise<void> {
  const names = new Set<string>();
  const rows = paths.map((path, place) => {
    const own = basename(path);
    const name = names.has(own) ? `${place}${extname(path)}` : own; // people may have put them into different folders
    names.add(name);
    return { folder, name, path, state: 'leaving' as const };
  });
  await tx.insertInto('binFile').values(rows).execute();
}

/** Removes the folders of a deletion that have nothing in them any more. */
export async function removeEmpty({ config }: Pick<Archive, 'config'>, folder: string): Promise<void> {
  for (const root of [config.mediaFolder, config.cacheFolder]) await rmdir(join(binFolder(root), folder)).catch(() => undefined);
}

/** The files of one deletion: those whose root is there go where they belong, and it is written down where they are. */
async function settleFolder(archive: Archive, folder: string, files: BinFileTable[]): Promise<void> {
  const { db, log } = archive;
  for (const file of files)
    if (file.state === 'returning' && givesWay(file.path) && (await exists(whereIs(archive, restingPath(file)))))
      await removeFile(whereIs(archive, file.path)).catch(() => undefined); // the move says why it cannot be
  const moved = await moveFiles(
    files.map((file) => {
      const [shelf, bin] = [whereIs(archive, file.path), whereIs(archive, restingPath(file))];
      return file.state === 'leaving' ? { from: shelf, to: bin } : { from: bin, to: shelf };
    }),
  );
  // What was not there has nothing to be moved: not every video has every file.
  const settled: Record<'leaving' | 'returning', string[]> = { leaving: [], returning: [] };
  for (const [place, { name, path, state }] of files.entries()) {
    const became = moved[place]!;
    if (typeof became === 'object')
      log.warn({ path, state, err: became.problem }, 'a file could not be moved to the bin or back; it is tried again');
    else if (state !== 'in') settled[state].push(name);
  }
  const { leaving, returning } = settled;
  await inTransaction(db, async (tx) => {
    if (leaving.length > 0)
      await tx
        .updateTable('binFile')
        .set({ state: 'in' })
        .where('folder', '=', folder)
        .where('name', 'in', leaving)
        .where('state', '=', 'leaving')
        .execute();
    if (returning.length > 0)
      await tx.deleteFrom('binFile').where('folder', '=', folder).where('name', 'in', returning).execute();
  });
  if (files.some(({ state }) => state === 'returning')) await removeEmpty(archive, folder);
}

/**
 * Moves the files that are on their way into the bin or back; also what a crash left of that. One that cannot be moved is
 * tried again later, and so are those of a disk that is not there: a missing folder is not a file that is gone.
 */
export async function settleFiles(archive: Archive, folder?: string): Promise<void> {
  const rows = await archive.db
    .selectFrom('binFile')
    .selectAll()
    .where('state', 'in', ['leaving', 'returning'])
    .$if(folder !== undefined, (q) => q.where('folder', '=', folder!))
    .orderBy('folder')
    .execute();
  if (rows.length === 0) return;
  const isThere = (await whyNotBelieved(archive)) === null;
  const movable = rows.filter(({ path }) => isThere || isMarked(path));
  for (const [of, files] of Map.groupBy(movable, (row) => row.folder)) await settleFolder(archive, of, files);
}

/** The files on the shelf that belong to the bin already, among these: they could not be moved yet. */
export async function leavingOf({ db }: Pick<Archive, 'db'>, paths: string[]): Promise<Set<string>> {
  if (paths.length === 0) return new Set();
  const rows = await db.selectFrom('binFile').select('path').where('state', '=', 'leaving').where('path', 'in', paths).execute();
  return new Set(rows.map(({ path }) => path));
}

/** Makes sure that names on the shelf are not those of files that are on their way into the bin. Throws a sentence when they are. */
export async function clearTheWay(archive: Archive, paths: string[]): Promise<void> {
  const leaving = await archive.db
    .selectFrom('binFile')
    .select('folder')
    .distinct()
    .where('state', '=', 'leaving')
    .where('path', 'in', paths)
    .execute();
  for (const { folder } of leaving) await settleFiles(archive, folder);
  const [stays] = leaving.length > 0 ? await leavingOf(archive, paths) : [];
  if (stays) throw new Error(`The file ${stays} of a deleted video cannot be moved to the bin, and stands in the way.`);
}

/** What lies in the bin's folder on the media disk and is not known to be there, folder by folder. */
export async function* strangeFolders({ db, config }: Pick<Archive, 'db' | 'config'>): AsyncGenerator<string> {
  const root = binFolder(config.mediaFolder);
  const folders = await readdir(root).catch(() => []);
  for (const some of chunks(folders)) {
    const rows = await db.selectFrom('binFile').select('folder').distinct().where('folder', 'in', some).execute();
    const known = new Set(rows.map(({ folder }) => folder));
    yield* some.filter((folder) => !known.has(folder));
  }
}

/** Removes folders of the bin with nothing in them: files that go for good are removed after a crash without theirs. */
export async function tidyBin(archive: Archive): Promise<void> {
  for await (const folder of strangeFolders(archive)) await removeEmpty(archive, folder);
}
