import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { AppContext } from '../../platform/context/app-context.ts';
import type { Db, Tx } from '../../platform/db/db.ts';
import { readManifest, removeDownload } from './manifest.ts';
import { hasRecording } from './recording-state.ts';
import { existingIds } from '../video/store.ts';
import { findItemByNumber } from '../queue/claims.ts';
import { abortDownloads } from '../queue/active-downloads.ts';
import { workFolder } from '../../platform/files/files.ts';

/** Work folder of a download. Its name is a number of Reelkeep, never text from the site. */
export const workDirOf = ({ config }: Pick<AppContext, 'config'>, number: number) => join(workFolder(config), String(number));

/** Returns the highest number of a work folder of all nodes, or 0. */
export async function highestWorkDir({ config: { mediaFolder } }: Pick<AppContext, 'config'>): Promise<number> {
  const root = workFolder({ mediaFolder });
  const namesIn = (path: string) => readdir(path).catch(() => []);
  const names = await namesIn(root);
  const ofNodes = await Promise.all(names.filter((name) => name.startsWith('node-')).map((name) => namesIn(join(root, name))));
  return Math.max(0, ...[...names, ...ofNodes.flat()].filter((name) => /^\d{1,15}$/.test(name)).map(Number));
}

/** Returns the highest number of a queue item, or 0. */
export async function highestItemNumber(db: Db): Promise<number> {
  const { last } = await db
    .selectFrom('download')
    .select((e) => e.fn.max<number | null>('number').as('last'))
    .executeTakeFirstOrThrow();
  return last ?? 0;
}

export async function makeWorkDir(app: AppContext, number: number): Promise<string> {
  const folder = workDirOf(app, number);
  await mkdir(folder, { recursive: true });
  return folder;
}

/**
 * Deletes the work folder of a download whose lease was lost. A complete download of a video that is not archived yet stays: the
 * next start publishes it, or removes it as a duplicate. A recording stays for the next claim of this server. So does the folder of a single server, which may belong to the next claim
 * already.
 */
export async function removeLostWorkDir(app: AppContext, number: number): Promise<void> {
  if (app.config.node === undefined) return;
  const folder = workDirOf(app, number);
  const manifest = await readManifest(folder);
  const isDuplicate = manifest && !manifest.isForced && (await existingIds(app.db, [manifest.video.id])).size > 0;
  if (manifest ? isDuplicate : !(await hasRecording(folder))) await removeDownload(folder);
}

/** Aborts the downloads of deleted queue items and deletes their work folders. */
export async function deleteWorkDirs(app: AppContext, items: { number: number }[]) {
  await abortDownloads(app, items);
  for (const { number } of items) await removeDownload(workDirOf(app, number));
}

/** Aborts the downloads of a video and deletes their work folders. The queue items stay. */
export const deleteQueuedDownloads = async (app: AppContext, id: string) =>
  deleteWorkDirs(app, await app.db.selectFrom('download').select('number').where('id', '=', id).execute());

/** Deletes pending queue items of a video. Ignored items stay. */
export const removeFromQueue = (tx: Tx, id: string) =>
  tx.deleteFrom('download').where('id', '=', id).where('status', '=', 'pending').returning('number').execute();

/** Returns whether the work folder belongs to a queue item, or has a manifest and waits to be published. */
export async function hasWorkDir(app: Pick<AppContext, 'db' | 'config'>, number: number): Promise<boolean> {
  if (await findItemByNumber(app.db, number)) return true;
  return (await readManifest(workDirOf(app, number))) !== null;
}
