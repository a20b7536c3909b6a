import { readdir, readFile, rename, stat } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import { z } from 'zod';
import { message } from '#contract/messages.ts';
import { dynamicRanges } from '#contract/playback.ts';
import { soundKinds } from '#contract/rendition.ts';
import { inTransaction, type Tx } from '../../platform/db/db.ts';
import { MessageError } from '../../platform/messages/message-error.ts';
import { localPathOrNull } from '../../platform/storage/file-store.ts';
import { cancelDeletion, deletePendingFiles, scheduleDeletion } from './pending-deletions.ts';
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

const Stream = z.object({
  position: z.int(),
  type: z.enum(['video', 'audio']),
  codec: z.string(),
  bitrate: z.int(),
  width: z.int().nullable(),
  height: z.int().nullable(),
  language: z.string().nullable(),
  kind: z.enum(soundKinds).nullable(),
  // Missing in plans of earlier versions.
  profile: z.string().nullable().default(null),
  bitDepth: z.int().nullable().default(null),
  dynamicRange: z.enum(dynamicRanges).nullable().default(null),
});
type StreamRow = z.infer<typeof Stream>;

const Plan = z.object({
  id: z.string(),
  from: z.string(),
  sizeBytes: z.int(),
  sha256: z.string(),
  /** Its streams, if they are others than those of the file before. */
  streams: z.array(Stream).optional(),
});
type Plan = z.infer<typeof Plan>;

async function saveStreams(tx: Tx, videoId: string, streams: StreamRow[]) {
  await tx.deleteFrom('stream').where('videoId', '=', videoId).execute();
  for (const stream of streams)
    await tx
      .insertInto('stream')
      .values({ videoId, ...stream })
      .execute();
}

/** Path of a replacement file, on the same file system as the media. */
export const replacementPath = ({ config }: Pick<AppContext, 'config'>, id: string, ending: string) =>
  join(workFolder(config), `swap-${id}${ending}`);
const planPath = (app: Pick<AppContext, 'config'>, id: string) => replacementPath(app, id, '.json');

/** Path with another extension. One that differs in upper case only is kept: a disk may not tell them apart. */
const pathWith = (path: string, ending: string) => (extname(path).toLowerCase() === ending ? path : `${stemOf(path)}${ending}`);

async function executePlan(app: AppContext, plan: Plan): Promise<void> {
  const { db, config, announce } = app;
  const from = join(workFolder(config), basename(plan.from));
  const video = await db.selectFrom('video').select('mediaPath').where('id', '=', plan.id).executeTakeFirst();
  const leaving: string[] = [];
  if (video) {
    const mediaPath = pathWith(video.mediaPath, extname(from));
    const to = join(config.mediaFolder, mediaPath);
    if (await exists(from)) {
      await rename(from, to);
      await syncFolder(dirname(to));
    }
    const { id, sizeBytes, sha256, streams } = plan;
    if ((await stat(to)).size === sizeBytes) {
      if (mediaPath !== video.mediaPath) leaving.push(video.mediaPath);
      await inTransaction(db, async (tx) => {
        const change = { mediaPath, sizeBytes, sha256, damage: null };
        const row = await tx.updateTable('video').set(change).where('id', '=', id).returning('id').executeTakeFirst();
        // If the video was deleted meanwhile, the new file is removed.
        if (!row) leaving.push(mediaPath);
        else {
          await cancelDeletion(tx, [mediaPath]);
          if (streams) await saveStreams(tx, id, streams);
        }
        await scheduleDeletion(tx, leaving);
      });
    }
  }
  await deletePendingFiles(app, leaving);
  await removeFile(from);
  await removeFile(planPath(app, plan.id));
  announce('video');
}

interface ReplaceOptions {
  signal?: AbortSignal;
  /** Rows of its streams, if they are others than those of the file before. */
  streams?: StreamRow[];
}

/**
 * Uploads a new media file of a video under a new name, with a copy of its info.json, then updates its rows. Then the files before are
 * deleted, or the new ones if the video was deleted or changed meanwhile.
 */
async function replaceInBucket(app: AppContext, id: string, local: string, { signal, streams }: ReplaceOptions): Promise<void> {
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
    if (row && streams) await saveStreams(tx, id, streams);
    const gone = row ? [video.mediaPath, ...(info ? [infoPath] : [])] : paths;
    await scheduleDeletion(tx, gone);
    return gone;
  });
  await deletePendingFiles(app, leaving);
  announce('video');
}

/**
 * Replaces the file of a video with a finished one, at `replacementPath`, and updates its rows. The file may have another extension than
 * the one before.
 * @throws with a message for the user if another video has a file of that name
 */
export async function replaceFile(app: AppContext, id: string, from: string, options: ReplaceOptions = {}): Promise<void> {
  if (app.files.isRemote) return replaceInBucket(app, id, from, options);
  const { signal, streams } = options;
  const video = await app.db.selectFrom('video').select('mediaPath').where('id', '=', id).executeTakeFirst();
  if (!video) return;
  const name = pathWith(video.mediaPath, extname(from));
  const of = await app.db.selectFrom('video').select('id').where('mediaPath', '=', name).executeTakeFirst();
  if (of && of.id !== id) throw new MessageError(message('files.name-taken', { name }));
  await syncFile(from);
  const plan: Plan = { id, from: basename(from), ...(await fingerprint(from, signal)), ...(streams && { streams }) };
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
