import { mkdir, rename, rmdir } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import { message, plainText, type Message } from '#contract/messages.ts';
import { inTransaction, type Db, type Tx } from '../../platform/db/db.ts';
import { queueRefresh, type FolderChanges } from '../../archive/outbox/queue-refresh.ts';
import { removeFile } from '../../platform/files/files.ts';
import { isSafePath } from '../../platform/lib/safe-join.ts';
import { messagesOf } from '../../platform/messages/message-error.ts';
import type { DesiredFile, DesiredGroup } from './desired-files.ts';
import { markOf, statOf } from './links.ts';
import { ViewUnavailableError } from './root-folder.ts';
import { pathKey } from './safe-name.ts';
import { ownersOfKeys, type Taken, type ViewFileRow } from './store.ts';
import { isDiskFull } from '../../platform/files/free-space.ts';

// Makes the files of a view as they should be. A row of the manifest is written before its file is created, and deleted after its
// file is removed. What is on disk is compared with its mark first, so files of others, and files that others have changed, are
// neither overwritten nor removed.

interface Plan {
  /** The row as it will be. */
  row: ViewFileRow;
  file: DesiredFile;
  /** The row of an earlier update. */
  old: ViewFileRow | undefined;
}

export interface ApplyOptions {
  db: Db;
  viewNumber: number;
  /** Real path of the folder of the view, and the path in its settings. */
  root: string;
  viewRoot: string;
  /** The manifest rows of the owners of `groups`, and of owners without files now. */
  existing: ViewFileRow[];
  groups: DesiredGroup[];
  /** Also looks whether existing files are still there. */
  verifies: boolean;
  problem(path: string, why: Message | Message[]): void;
  /** Throws if the folder is no longer available. */
  check(): Promise<void>;
  /** Epoch seconds. */
  at: number;
  /** Runs in the transaction that records the result. */
  afterwards(tx: Tx, touchedGroups: Set<string>): Promise<void>;
}

const maxSuffix = 99;

/** Distinguishes several places of one video: the playlist, if the view lists it for each. */
const placeOf = (groupId: string) => /^(?:playlist|entry):(.*)$/s.exec(groupId)?.[1] ?? '';

/** Chooses paths for the files of a group so that none belongs to another video, also on case-insensitive file systems. */
async function placeGroup(
  { db, viewNumber }: ApplyOptions,
  group: DesiredGroup,
  taken: Map<string, Taken>,
): Promise<Map<DesiredFile, string>> {
  const isFree = (key: string) => {
    const by = taken.get(key);
    return !by || (by.owner === group.owner && placeOf(by.groupId) === placeOf(group.groupId));
  };
  for (let number = 1; ; number++) {
    const base = number === 1 ? group.base : `${group.base} (${number})`;
    const paths = new Map(group.files.map((file) => [file, `${base}${file.suffix}`]));
    const keys = [...paths.values()].map(pathKey);
    if (number > 1) for (const [key, by] of await ownersOfKeys(db, viewNumber, keys)) if (!taken.has(key)) taken.set(key, by);
    if (!keys.every(isFree) && group.base !== '' && number < maxSuffix) continue;
    for (const key of keys) taken.set(key, group);
    return paths;
  }
}

async function makePlans(options: ApplyOptions): Promise<{ plans: Plan[]; surplus: ViewFileRow[] }> {
  const { db, viewNumber, existing, groups } = options;
  const firstKeys = groups.flatMap(({ base, files }) => files.map(({ suffix }) => pathKey(`${base}${suffix}`)));
  const taken = await ownersOfKeys(db, viewNumber, firstKeys);
  const identify = (owner: string, groupId: string, part: string) => [owner, placeOf(groupId), part].join('\0');
  const created = new Map(
    existing.filter(({ mark }) => mark !== null).map((row) => [identify(row.owner, row.groupId, row.part), row]),
  );
  const byKey = new Map(existing.map((row) => [row.key, row]));
  const plans: Plan[] = [];
  const used = new Set<ViewFileRow>();
  for (const group of groups) {
    const { owner, groupId, season, slot, slotNumber } = group;
    for (const [file, path] of await placeGroup(options, group, taken)) {
      const key = pathKey(path);
      const isMedia = file.part === 'media';
      const atKey = byKey.get(key);
      const old = created.get(identify(owner, groupId, file.part)) ?? atKey;
      if (old) used.add(old);
      if (atKey) used.add(atKey);
      const row = {
        viewNumber,
        key,
        path,
        owner,
        part: file.part,
        groupId,
        season: isMedia ? season : null,
        stamp: file.stamp,
        mark: null,
        slot: isMedia ? slot : null,
        slotNumber: isMedia ? slotNumber : null,
      };
      plans.push({ row, file, old });
    }
  }
  return { plans, surplus: existing.filter((row) => !used.has(row)) };
}

const isSame = (a: ViewFileRow, b: ViewFileRow) =>
  a.path === b.path &&
  a.stamp === b.stamp &&
  a.groupId === b.groupId &&
  a.season === b.season &&
  a.slot === b.slot &&
  a.slotNumber === b.slotNumber &&
  a.part === b.part;

type Folders = Map<string, Promise<Message | null>>;

/** Creates the folders of a path. Returns a message if something else is in the place of one. Links are not followed. */
function ensureFolder(root: string, folder: string, folders: Folders): Promise<Message | null> {
  if (folder === '.') return Promise.resolve(null);
  return folders.getOrInsertComputed(folder, async () => {
    const above = await ensureFolder(root, dirname(folder), folders);
    if (above) return above;
    const path = join(root, folder);
    const stats = await statOf(path);
    if (stats) return stats.isDirectory() ? null : message('view.foreign-folder', { path: folder });
    await mkdir(path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
    return null;
  });
}

/** Removes folders that are empty now, up to the root. */
async function removeEmptyFolders(root: string, folder: string) {
  for (let path = folder; path !== '.' && path !== sep; path = dirname(path)) {
    const isRemoved = await rmdir(join(root, path)).then(
      () => true,
      () => false,
    );
    if (!isRemoved) return;
  }
}

/** Returns whether the file of a row is on disk as it was created; null if there is none in the folder of the view. */
async function isUnchanged(root: string, { path, mark }: ViewFileRow): Promise<boolean | null> {
  if (!isSafePath(path)) return null;
  const stats = await statOf(join(root, path));
  return stats ? (await markOf(join(root, path), stats)) === mark : null;
}

/** Creates, replaces or moves one file. Returns its mark; null if another file is in its place. */
async function realize(options: ApplyOptions, plan: Plan, folders: Folders): Promise<string | null> {
  try {
    return await realizeOnce(options, plan, folders);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    // Another file may have left the folder meanwhile, which was removed because it was empty.
    folders.clear();
    return realizeOnce(options, plan, folders);
  }
}

async function realizeOnce({ root, problem }: ApplyOptions, { row, file, old }: Plan, folders: Folders): Promise<string | null> {
  if (!isSafePath(row.path)) {
    problem(row.path, message('view.path-outside'));
    return null;
  }
  const path = join(root, row.path);
  const blocked = await ensureFolder(root, dirname(row.path), folders);
  if (blocked) {
    problem(row.path, blocked);
    return null;
  }
  const oldPath = old && join(root, old.path);
  const moves = old !== undefined && old.path !== row.path && old.mark !== null && (await isUnchanged(root, old)) === true;
  let stats = await statOf(path);
  // On a case-insensitive file system the old file is also at the new path.
  if (moves && old.mark!.startsWith('file ')) {
    const oldStats = await statOf(oldPath!);
    if (!stats || (stats.ino === oldStats?.ino && stats.dev === oldStats.dev && old.key === row.key)) {
      await rename(oldPath!, path);
      await removeEmptyFolders(root, dirname(old.path));
      if (old.stamp === row.stamp) return old.mark;
      stats = await statOf(path);
      if (stats) {
        await file.make(path);
        return markOf(path, (await statOf(path))!);
      }
    }
  }
  if (stats) {
    const found = await markOf(path, stats);
    const isOurs = old?.key === row.key && old.mark !== null && found === old.mark;
    if (isOurs && old.stamp === row.stamp) return found;
    if (!isOurs) {
      if (await file.matches(path, stats)) return found;
      problem(row.path, message('view.foreign', { path: row.path }));
      return null;
    }
  }
  await file.make(path);
  return markOf(path, (await statOf(path))!);
}

const storedColumns = ['path', 'owner', 'part', 'groupId', 'season', 'stamp', 'mark', 'slot', 'slotNumber'] as const;

/** Runs work on a few items at once. Returns the results in order. */
export async function mapInParallel<T, Result>(items: T[], work: (item: T) => Promise<Result>): Promise<Result[]> {
  const results: Result[] = [];
  const queue = items.entries();
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      for (const [index, item] of queue) results[index] = await work(item);
    }),
  );
  return results;
}

/** Returns why nothing can be written to a folder; undefined if the error concerns one file. */
function whyUnusable(root: string, error: unknown): Message | undefined {
  const { code = '', syscall } = error as NodeJS.ErrnoException;
  if (isDiskFull(error)) return message('view.disk-full', { folder: root });
  const isOfFolder = ['EROFS', 'EIO', 'ESTALE', 'ENXIO', 'ENOTCONN'].includes(code) || (code === 'EACCES' && syscall === 'mkdir');
  return isOfFolder ? message('view.root-unusable', { folder: root, why: plainText(`${code} (${syscall})`) }) : undefined;
}

const reasonOf = (error: unknown): Message | Message[] => {
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT') return message('view.no-file');
  return code ? plainText(`${code} (${syscall})`) : messagesOf(error);
};

/** Returns the folders in which files were created, removed or renamed, or videos replaced. */
function changedFolders(root: string, before: Set<string>, made: ViewFileRow[], gone: Iterable<string>): FolderChanges {
  const changes: FolderChanges = new Map();
  const add = (path: string, change: 'Created' | 'Modified' | 'Deleted') => {
    const folder = dirname(join(root, path));
    const known = changes.get(folder);
    changes.set(folder, known === undefined || known === change ? change : 'Modified');
  };
  for (const { key, path, part } of made)
    if (!before.has(key)) add(path, 'Created');
    else if (part === 'media') add(path, 'Modified');
  for (const path of gone) add(path, 'Deleted');
  return changes;
}

/** Makes the files of these owners as they should be, and records it. */
export async function applyFiles(options: ApplyOptions): Promise<void> {
  const { db, viewNumber, root, problem } = options;
  const { plans, surplus } = await makePlans(options);
  const isChange = await mapInParallel(plans, async ({ old, row }) => {
    const isCurrent = old !== undefined && old.mark !== null && isSame(old, row);
    return !isCurrent || (options.verifies && (await isUnchanged(root, old)) !== true);
  });
  const changes = plans.filter((_, index) => isChange[index]);

  const planned = changes.filter(({ old, row }) => old?.key !== row.key).map(({ row }) => row);
  if (planned.length > 0)
    await db
      .insertInto('viewFile')
      .values(planned)
      .onConflict((c) => c.columns(['viewNumber', 'key']).doNothing())
      .execute();

  const folders: Folders = new Map();
  const made: ViewFileRow[] = [];
  const gone = new Set<string>();
  // Set when the folder cannot be written, which is no problem of one file.
  let failure: Message | undefined;
  // The files of one video one after the other, media first.
  const byOwner = [...Map.groupBy(changes, ({ row }) => `${row.owner}\0${row.groupId}`).values()];
  await mapInParallel(byOwner, async (ofOwner) => {
    let isWithoutMedia = false;
    for (const plan of ofOwner) {
      if (failure) return;
      const { row, old } = plan;
      if (isWithoutMedia) {
        if (old?.key !== row.key) gone.add(row.key);
        continue;
      }
      try {
        const mark = await realize(options, plan, folders);
        if (mark === null) {
          gone.add(row.key);
          isWithoutMedia = row.part === 'media';
          continue;
        }
        made.push({ ...row, mark });
        if (old && old.key !== row.key) {
          if ((await isUnchanged(root, old)) === true) {
            await removeFile(join(root, old.path));
            await removeEmptyFolders(root, dirname(old.path));
          }
          gone.add(old.key);
        }
      } catch (error) {
        failure ??= whyUnusable(root, error);
        if (!failure) {
          problem(row.path, reasonOf(error));
          if (old?.key !== row.key) gone.add(row.key);
          isWithoutMedia = row.part === 'media';
        }
      }
    }
  });
  if (!failure)
    for (const row of surplus) {
      if (row.mark !== null && (await isUnchanged(root, row)) === true) {
        await removeFile(join(root, row.path));
        await removeEmptyFolders(root, dirname(row.path));
      }
      gone.add(row.key);
    }
  // An unmounted disk has no files either, but that is no reason to forget them.
  await options.check();

  for (const { key } of made) gone.delete(key);
  const before = await rowsOf(db, viewNumber, [...gone, ...made.map(({ key }) => key)]);
  const created = before.filter(({ mark }) => mark !== null);
  const keysBefore = new Set(created.map(({ key }) => key));
  const refreshed = {
    folders: changedFolders(
      options.viewRoot,
      keysBefore,
      made,
      created.filter(({ key }) => gone.has(key)).map(({ path }) => path),
    ),
    metadata: made
      .filter(({ key, part }) => /(^|\/tvshow\.)nfo$/.test(part) && keysBefore.has(key))
      .map(({ path }) => join(options.viewRoot, path)),
  };
  const countOf = (rows: { part: string; mark: string | null }[]) => ({
    files: rows.filter(({ mark }) => mark !== null).length,
    videos: rows.filter(({ mark, part }) => mark !== null && part === 'media').length,
  });
  const [earlier, now] = [countOf(before), countOf(made)];
  const touched = new Set(
    [...made, ...surplus, ...changes.flatMap(({ old }) => old ?? [])]
      .filter(({ part, season }) => part === 'media' && season !== null)
      .map(({ groupId }) => groupId),
  );
  await inTransaction(db, async (tx) => {
    if (made.length > 0)
      await tx
        .insertInto('viewFile')
        .values(made)
        .onConflict((c) =>
          c
            .columns(['viewNumber', 'key'])
            .doUpdateSet((e) => Object.fromEntries(storedColumns.map((name) => [name, e.ref(`excluded.${name}`)]))),
        )
        .execute();
    if (gone.size > 0)
      await tx
        .deleteFrom('viewFile')
        .where('viewNumber', '=', viewNumber)
        .where('key', 'in', [...gone])
        .execute();
    await tx
      .updateTable('libraryView')
      .set((e) => ({
        files: e('files', '+', now.files - earlier.files),
        videos: e('videos', '+', now.videos - earlier.videos),
      }))
      .where('number', '=', viewNumber)
      .execute();
    await queueRefresh(tx, options.viewRoot, refreshed, options.at);
    if (!failure) await options.afterwards(tx, touched);
  });
  if (failure) throw new ViewUnavailableError(failure);
}

const rowsOf = async (db: Db, viewNumber: number, keys: string[]) =>
  keys.length === 0
    ? []
    : db
        .selectFrom('viewFile')
        .select(['key', 'path', 'part', 'mark'])
        .where('viewNumber', '=', viewNumber)
        .where('key', 'in', keys)
        .execute();
