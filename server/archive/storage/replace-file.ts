import { readdir, readFile, rename, stat } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import { z } from 'zod';
import { inTransaction, type Tx } from '../../platform/db/db.ts';
import { localPathOrNull } from '../../platform/storage/file-store.ts';
import { deletePendingFiles, scheduleDeletion } from './pending-deletions.ts';
import { beginUpload, commitUpload, newStem, putFiles, stemOf } from './upload.ts';
import type { AppContext } from '../../platform/context/app-context.ts';
import {
  exists,
  fingerprint,
  workFolder,
  removeFile,
  syncFile,
  syncFolder,
  writeAtomically,
} from '../../platform/files/files.ts';

// Replaces the file of a video and updates its row. The plan is written to a file first, so that a crash in between loses
// nothing.

const Plan = z.object({ id: z.string(), from: z.string(), sizeBytes: z.int(), sha256: z.string() });
type Plan = z.infer<typeof Plan>;

/** Path of a replacement file, on the same file system as the media. */
export const replacementPath = ({ config }: Pick<AppContext, 'config'>, id: string, ending: string) =>
  join(workFolder(config), `swap-${id}${ending}`);
const planPath = (app: Pick<AppContext, 'config'>, id: string) => replacementPath(app, id, '.json');

async function executePlan(app: AppContext, plan: Plan): Promise<void> {
  const { db, config, announce } = app;
  const from = join(workFolder(config), basename(plan.from));
  const video = await db.selectFrom('video').select('mediaPath').where('id', '=', plan.id).executeTakeFirst();
  if (video) {
    const to = join(config.mediaFolder, video.mediaPath);
    if (await exists(from)) {
      await rename(from, to);
      await syncFolder(dirname(to));
    }
    const { sizeBytes, sha256 } = plan;
    if ((await stat(to)).size === sizeBytes)
      await db.updateTable('video').set({ sizeBytes, sha256, damage: null }).where('id', '=', plan.id).execute();
  }
  await removeFile(from);
  await removeFile(planPath(app, plan.id));
  announce('video');
}

/**
 * Uploads a new media file of a video under a new name, with a copy of its info.json, then updates its row; `also` writes other
 * rows in the same transaction. Then the files before are deleted, or the new ones if the video was deleted or changed meanwhile.
 */
export async function replaceInBucket(
  app: AppContext,
  id: string,
  local: string,
  { signal, also }: { signal?: AbortSignal | undefined; also?: (tx: Tx) => Promise<void> } = {},
): Promise<void> {
  const { db, files, announce } = app;
  const video = await db.selectFrom('video').select(['mediaPath', 'channelId']).where('id', '=', id).executeTakeFirst();
  if (!video) return;
  const stem = newStem(app, video.channelId, id);
  const sums = await fingerprint(local, signal);
  const mediaPath = `${stem}${extname(local)}`;
  const infoPath = `${stemOf(video.mediaPath)}.info.json`;
  const info = await localPathOrNull(files, infoPath, signal);
  const uploaded = [
    ...(info ? [{ local: info, path: `${stem}.info.json`, ...(await fingerprint(info)) }] : []),
    { local, path: mediaPath, ...sums },
  ];
  const paths = uploaded.map(({ path }) => path);
  await beginUpload(app, { id: mediaPath, number: 0, paths });
  await putFiles(app, uploaded, signal);
  const leaving = await inTransaction(db, async (tx) => {
    await commitUpload(tx, mediaPath);
    const row = await tx
      .updateTable('video')
      .set({ mediaPath, ...sums, damage: null })
      .where('id', '=', id)
      .where('mediaPath', '=', video.mediaPath)
      .returning('id')
      .executeTakeFirst();
    if (row) await also?.(tx);
    const gone = row ? [video.mediaPath, ...(info ? [infoPath] : [])] : paths;
    await scheduleDeletion(tx, gone);
    return gone;
  });
  await deletePendingFiles(app, leaving);
  announce('video');
}

/** Replaces the file of a video with a finished one and updates its row. */
export async function replaceFile(app: AppContext, id: string, from: string, signal?: AbortSignal): Promise<void> {
  if (app.files.isRemote) return replaceInBucket(app, id, from, { signal });
  await syncFile(from);
  const plan: Plan = { id, from: basename(from), ...(await fingerprint(from)) };
  await writeAtomically(planPath(app, id), JSON.stringify(plan));
  await executePlan(app, plan);
}

/** Completes replacements that a crash interrupted, and deletes unfinished ones. */
export async function recoverReplacements(app: AppContext): Promise<void> {
  const folder = workFolder(app.config);
  const names = (await readdir(folder)).filter((name) => name.startsWith('swap-'));
  for (const name of names.filter((one) => one.endsWith('.json'))) {
    try {
      await executePlan(app, Plan.parse(JSON.parse(await readFile(join(folder, name), 'utf8'))));
    } catch (error) {
      app.log.error({ name, err: error }, 'cannot complete the replacement of a file');
    }
  }
  for (const name of await readdir(folder))
    if (name.startsWith('swap-') && !(await exists(join(folder, name.replace(/\.\w+(\.\w+)?$/, '.json')))))
      await removeFile(join(folder, name));
}
