import { createHash } from 'node:crypto';
import pLimit from 'p-limit';
import { chunks, inTransaction, pagesById, type Db, type Tx } from '../../platform/db/db.ts';
import { fingerprint } from '../../platform/files/files.ts';
import { hasPrefix, inBackups, inCache, inHistory } from '../../platform/storage/stored-path.ts';
import { StorageError, type FileStore } from '../../platform/storage/file-store.ts';
import { stemOf, uniquePart } from '../../archive/storage/upload.ts';

// Moves all files of an archive from its folders to a bucket, or back. Stored paths stay the same, so that no row changes. Only
// media in the trash have another path on disk, where they are in the trash folder, than in a bucket, where they are not moved. Each file is verified at its new place before it is deleted at
// the old one, and a repetition continues where an earlier run was interrupted.

export interface MoveContext {
  db: Db;
  folders: FileStore;
  /** Its local copies must be in a folder of their own, not in the cache folder that is moved. */
  bucket: FileStore;
  to: 'bucket' | 'folders';
  signal: AbortSignal;
  /** Called after each video and, from time to time, while images are moved. */
  report(state: MoveState): void;
  /** A file that is missing at both places, or differs from what was archived. The others are moved. */
  complain(sentence: string): void;
}

export interface MoveState {
  videos: number;
  files: number;
  bytes: number;
}

/** Images and other small files, in the order of their importance. Renditions are made again. */
const smallFiles = [
  inBackups(''),
  inHistory(''),
  ...['videos', 'channels', 'playlists', 'podcasts', 'storyboards', '.trash'].map((one) => inCache(`${one}/`)),
];

/** Files moved at a time while images are moved. */
const atOnce = 8;

async function hashOf(store: FileStore, path: string, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of await store.read(path, undefined, signal)) hash.update(chunk as Buffer);
  return hash.digest('hex');
}

const placesOf = ({ to, folders, bucket }: MoveContext) =>
  to === 'bucket' ? { source: folders, target: bucket } : { source: bucket, target: folders };

interface Move {
  /** Path where the file is, and where it goes. */
  from: string;
  to: string;
  /** SHA-256 of the archived file; empty if it is not known. */
  sha256?: string;
  isOptional?: boolean;
}

/** Copies a file and verifies the copy. Returns its size in bytes; null if it is missing here, because it was moved or never there. */
async function copyVerified(context: MoveContext, { from, to, sha256, isOptional }: Move): Promise<number | null> {
  const { signal, complain } = context;
  const { source, target } = placesOf(context);
  if (!(await source.stat(from))) {
    if (!isOptional && !(await target.stat(to))) complain(`${from} is missing.`);
    return null;
  }
  const local = await source.localPath(from, signal);
  const content = await fingerprint(local, signal);
  if (sha256 && content.sha256 !== sha256) complain(`${from} is not what was archived; it is moved as it is.`);
  await target.put(to, local, content, signal);
  if (context.to === 'bucket' && (await hashOf(target, to, signal)) !== content.sha256)
    throw new StorageError(`${to} was read back from the bucket with another content`);
  return content.sizeBytes;
}

/** Moves files that belong together: they are deleted here when all are at their new place. */
async function moveTogether(context: MoveContext, moves: Move[], state: MoveState): Promise<void> {
  const { source } = placesOf(context);
  const moved: string[] = [];
  for (const move of moves) {
    context.signal.throwIfAborted();
    const bytes = await copyVerified(context, move);
    if (bytes === null) continue;
    moved.push(move.from);
    state.files++;
    state.bytes += bytes;
  }
  // Images of the cache folder stay there as copies.
  for (const path of moved) if (context.to === 'folders' || !path.startsWith(inCache(''))) await source.remove(path);
}

async function* videoMoves({ db }: MoveContext): AsyncGenerator<Move[]> {
  const next = (after: string) =>
    db.selectFrom('video').select(['id', 'mediaPath', 'sha256']).where('id', '>', after).orderBy('id').limit(200).execute();
  for await (const page of pagesById(next)) {
    const ids = page.map(({ id }) => id);
    const subtitles = await db.selectFrom('subtitle').select(['videoId', 'path']).where('videoId', 'in', ids).execute();
    const byVideo = Map.groupBy(subtitles, ({ videoId }) => videoId);
    const copies = await db.selectFrom('smallCopy').select(['videoId', 'path', 'sha256']).where('videoId', 'in', ids).execute();
    const copyOf = new Map(copies.map(({ videoId, ...copy }) => [videoId, copy]));
    const chats = await db.selectFrom('chat').select(['videoId', 'path', 'sha256']).where('videoId', 'in', ids).execute();
    const chatOf = new Map(chats.map(({ videoId, ...chat }) => [videoId, chat]));
    for (const { id, mediaPath, sha256 } of page) {
      const copy = copyOf.get(id);
      const chat = chatOf.get(id);
      yield [
        ...(chat?.path ? [{ from: chat.path, to: chat.path, sha256: chat.sha256, isOptional: true }] : []),
        ...(copy ? [{ from: copy.path, to: copy.path, sha256: copy.sha256, isOptional: true }] : []),
        ...(byVideo.get(id) ?? []).map(({ path }) => ({ from: path, to: path })),
        { from: `${stemOf(mediaPath)}.info.json`, to: `${stemOf(mediaPath)}.info.json`, isOptional: true },
        { from: mediaPath, to: mediaPath, sha256 },
      ];
    }
  }
}

/** Media files in the trash: in a folder of the deletion on disk, at their own path in a bucket. */
async function* trashMoves({ db, to }: MoveContext): AsyncGenerator<Move[]> {
  const entries = await db.selectFrom('trash').select('folder').execute();
  for (const { folder } of entries) {
    const files = await db.selectFrom('trashFile').select(['name', 'path']).where('folder', '=', folder).execute();
    yield files
      .filter(({ path }) => !hasPrefix(path))
      .map(({ name, path }) => {
        const onDisk = `.trash/${folder}/${name}`;
        return { ...(to === 'bucket' ? { from: onDisk, to: path } : { from: path, to: onDisk }), isOptional: true };
      });
  }
}

async function moveSmallFiles(context: MoveContext, state: MoveState): Promise<void> {
  const { source } = placesOf(context);
  const limit = pLimit(atOnce);
  for (const start of smallFiles) {
    const paths = (await Array.fromAsync(source.list(start, context.signal))).map(({ path }) => path);
    for (const batch of chunks(paths.filter((path) => !/\.(part|new|fetched)$/.test(path)))) {
      await Promise.all(batch.map((path) => limit(() => moveTogether(context, [{ from: path, to: path }], state))));
      context.report(state);
    }
  }
}

/** Gives the files of a deletion other paths, also in its stored rows. */
async function renameInTrash(tx: Tx, { number, folder }: { number: number; folder: string }) {
  const files = await tx.selectFrom('trashFile').select(['name', 'path']).where('folder', '=', folder).execute();
  const parts = await tx.selectFrom('trashRows').selectAll().where('trashNumber', '=', number).execute();
  const added = `.${uniquePart()}`;
  const renamed = new Map<string, string>();
  for (const { path } of files) {
    if (hasPrefix(path)) continue;
    const [, channel = '', name = ''] = /^(.*\/)?([^/]*)$/.exec(path)!;
    const dot = name.indexOf('.');
    renamed.set(path, `${channel}${dot < 0 ? name + added : name.slice(0, dot) + added + name.slice(dot)}`);
  }
  for (const { name, path } of files) {
    const after = renamed.get(path);
    if (after === undefined) continue;
    await tx.updateTable('trashFile').set({ path: after }).where('folder', '=', folder).where('name', '=', name).execute();
  }
  for (const { tableName, part, rows } of parts) {
    let text = rows;
    for (const [before, after] of renamed) text = text.replaceAll(JSON.stringify(before), JSON.stringify(after));
    if (text === rows) continue;
    await tx
      .updateTable('trashRows')
      .set({ rows: text })
      .where('trashNumber', '=', number)
      .where('tableName', '=', tableName)
      .where('part', '=', part)
      .execute();
  }
}

const hasUniquePart = (path: string) => /\.[0-9a-f]{16}\.[^/]*$/.test(path);

/** In a bucket the files in the trash have paths of their own: a video that was downloaded again has those of its first download. */
async function separateTrash({ db }: MoveContext): Promise<void> {
  const entries = await db.selectFrom('trash').select(['number', 'folder']).orderBy('number').execute();
  for (const entry of entries) {
    const rows = await db.selectFrom('trashFile').select('path').where('folder', '=', entry.folder).execute();
    if (rows.some(({ path }) => !hasPrefix(path) && !hasUniquePart(path)))
      await inTransaction(db, (tx) => renameInTrash(tx, entry));
  }
}

/** Work that the server completes at its next start, and that would look for files at their old place. */
export async function hasUnfinishedWork(db: Db): Promise<boolean> {
  const moving = db.selectFrom('trashFile').select('name').where('state', '!=', 'in').limit(1).executeTakeFirst();
  const deleting = db.selectFrom('pendingDeletion').select('path').limit(1).executeTakeFirst();
  const uploading = db.selectFrom('upload').select('id').limit(1).executeTakeFirst();
  return (await Promise.all([moving, deleting, uploading])).some((row) => row !== undefined);
}

/**
 * Moves all files. The caller makes sure that no server runs, and that `hasUnfinishedWork` is false. Media files are moved first.
 * @throws StorageError or an error of the file system; the next call continues
 */
export async function moveMedia(context: MoveContext): Promise<MoveState> {
  const state = { videos: 0, files: 0, bytes: 0 };
  if (context.to === 'bucket') await separateTrash(context);
  for await (const moves of videoMoves(context)) {
    await moveTogether(context, moves, state);
    state.videos++;
    context.report(state);
  }
  for await (const moves of trashMoves(context)) await moveTogether(context, moves, state);
  await moveSmallFiles(context, state);
  return state;
}
