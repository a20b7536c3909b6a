import { randomBytes } from 'node:crypto';
import { readdir, rmdir } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { message } from '#contract/messages.ts';
import { MessageError } from '../../platform/messages/message-error.ts';
import type { AppContext } from '../../platform/context/app-context.ts';
import { chunks, inTransaction, type Tx } from '../../platform/db/db.ts';
import type { TrashFileTable } from '../../platform/db/schema/tables.ts';
import { whyMediaUnavailable } from './mount-check.ts';
import { trashFolder } from '../../platform/files/files.ts';
import type { FileStore } from '../../platform/storage/file-store.ts';
import { hasPrefix, inCache } from '../../platform/storage/stored-path.ts';

/** A name that no folder of the trash ever had: a number could have been used before, for example before a backup was restored. */
export const newTrashFolder = () => randomBytes(9).toString('hex');

type TrashPath = Pick<TrashFileTable, 'folder' | 'name' | 'path'>;

/**
 * Stored path of a file in the trash, below its original root. Media in a bucket are not moved: no other file ever gets their name.
 */
export function pathInTrash({ isRemote }: Pick<FileStore, 'isRemote'>, { folder, name, path }: TrashPath): string {
  if (isRemote && !hasPrefix(path)) return path;
  const below = `.trash/${folder}/${name}`;
  return hasPrefix(path) ? inCache(below) : below;
}

/**
 * Returns whether a restored file may overwrite this path. True for thumbnails, which a queue item may have fetched again
 * meanwhile.
 */
export const blockingPath = (path: string) => path.startsWith(inCache('videos/'));

/** Records which files are moved to the trash and under which name, in the transaction that deletes their rows. */
export async function listFiles(
  tx: Tx,
  files: Pick<FileStore, 'isRemote'>,
  { folder, paths }: { folder: string; paths: string[] },
): Promise<void> {
  const names = new Set<string>();
  const rows = paths.map((path, place) => {
    const originalName = basename(path);
    const name = names.has(originalName) ? `${place}${extname(path)}` : originalName; // files of different folders may have the same name
    names.add(name);
    const state = pathInTrash(files, { folder, name, path }) === path ? ('in' as const) : ('leaving' as const);
    return { folder, name, path, state };
  });
  await tx.insertInto('trashFile').values(rows).execute();
}

/** Removes the empty trash folders of a deletion. */
export async function removeEmptyFolders({ config }: Pick<AppContext, 'config'>, folder: string): Promise<void> {
  for (const root of [config.mediaFolder, config.cacheFolder])
    await rmdir(join(trashFolder(root), folder)).catch(() => undefined);
}

/** Deletes a file that takes the place of a restored one. */
async function removeBlocking(files: FileStore, { path, inTrash }: { path: string; inTrash: string }): Promise<void> {
  if (await files.stat(inTrash)) await files.remove(path);
}

/** Moves the files of one deletion to or from the trash and records the result. */
async function moveFilesOf(app: AppContext, folder: string, rows: TrashFileTable[]): Promise<void> {
  const { db, log, files: store } = app;
  for (const row of rows)
    if (row.state === 'returning' && blockingPath(row.path))
      // `move` reports why it is not possible.
      await removeBlocking(store, { path: row.path, inTrash: pathInTrash(store, row) }).catch(() => undefined);
  const isStaying = (row: TrashFileTable) => pathInTrash(store, row) === row.path;
  const files = [...rows.filter((row) => !isStaying(row)), ...rows.filter(isStaying)];
  const moved = await store.move(
    files.flatMap((row) => {
      if (isStaying(row)) return [];
      const trashPath = pathInTrash(store, row);
      return row.state === 'leaving' ? { from: row.path, to: trashPath } : { from: trashPath, to: row.path };
    }),
  );
  // Missing files need no move: not every video has every file.
  const done: Record<'leaving' | 'returning', string[]> = { leaving: [], returning: [] };
  for (const [place, { name, path, state }] of files.entries()) {
    const result = moved[place];
    if (typeof result === 'object')
      log.warn({ path, state, err: result.problem }, 'cannot move a file to or from the trash; it is retried');
    else if (state !== 'in') done[state].push(name);
  }
  const { leaving, returning } = done;
  await inTransaction(db, async (tx) => {
    if (leaving.length > 0)
      await tx
        .updateTable('trashFile')
        .set({ state: 'in' })
        .where('folder', '=', folder)
        .where('name', 'in', leaving)
        .where('state', '=', 'leaving')
        .execute();
    if (returning.length > 0)
      await tx.deleteFrom('trashFile').where('folder', '=', folder).where('name', 'in', returning).execute();
  });
  if (files.some(({ state }) => state === 'returning')) await removeEmptyFolders(app, folder);
}

/**
 * Moves files with a pending move to or from the trash, including those left by a crash. Files that cannot be moved are retried
 * later, and so are those of an unmounted disk.
 */
export async function moveTrashFiles(app: AppContext, folder?: string): Promise<void> {
  const rows = await app.db
    .selectFrom('trashFile')
    .selectAll()
    .where('state', 'in', ['leaving', 'returning'])
    .$if(folder !== undefined, (q) => q.where('folder', '=', folder!))
    // Files that leave first: when a file and the one that replaced it change places, its name becomes free by that.
    .orderBy('state')
    .orderBy('folder')
    .execute();
  if (rows.length === 0) return;
  const isMounted = (await whyMediaUnavailable(app)) === null;
  // With a bucket, all files are in it.
  const movable = rows.filter(({ path }) => isMounted || (!app.files.isRemote && hasPrefix(path)));
  for (const [deletion, files] of Map.groupBy(movable, (row) => row.folder)) await moveFilesOf(app, deletion, files);
}

/** Returns which of these paths belong to the trash but could not be moved yet. */
export async function filesMovingToTrash({ db }: Pick<AppContext, 'db'>, paths: string[]): Promise<Set<string>> {
  if (paths.length === 0) return new Set();
  const rows = await db
    .selectFrom('trashFile')
    .select('path')
    .where('state', '=', 'leaving')
    .where('path', 'in', paths)
    .execute();
  return new Set(rows.map(({ path }) => path));
}

/**
 * Moves deleted files that still occupy these paths to the trash.
 * @throws Error if a path stays occupied
 */
export async function clearTargetPaths(app: AppContext, paths: string[]): Promise<void> {
  const leaving = await app.db
    .selectFrom('trashFile')
    .select('folder')
    .distinct()
    .where('state', '=', 'leaving')
    .where('path', 'in', paths)
    .execute();
  for (const { folder } of leaving) await moveTrashFiles(app, folder);
  const [blocked] = leaving.length > 0 ? await filesMovingToTrash(app, paths) : [];
  if (blocked) throw new MessageError(message('files.trash-blocks', { path: blocked }));
}

/** Yields folders in the trash folder of the media disk that have no rows; none with a bucket. */
export async function* unknownTrashFolders({ db, config }: Pick<AppContext, 'db' | 'config'>): AsyncGenerator<string> {
  if (config.s3) return;
  const root = trashFolder(config.mediaFolder);
  const folders = await readdir(root).catch(() => []);
  for (const batch of chunks(folders)) {
    const rows = await db.selectFrom('trashFile').select('folder').distinct().where('folder', 'in', batch).execute();
    const known = new Set(rows.map(({ folder }) => folder));
    yield* batch.filter((folder) => !known.has(folder));
  }
}

/** Removes empty trash folders. A crash while purging may leave them. */
export async function removeUnknownTrashFolders(app: AppContext): Promise<void> {
  for await (const folder of unknownTrashFolders(app)) await removeEmptyFolders(app, folder);
}
