import { MessageError } from '../../platform/messages/message-error.ts';
import { message, type Message } from '#contract/messages.ts';
import { extname, join } from 'node:path';
import type { AppContext } from '../../platform/context/app-context.ts';
import { inTransaction, type Tx } from '../../platform/db/db.ts';
import { missingMediaSpace } from '../../archive/storage/disk-space.ts';
import { cancelDeletion, scheduleDeletion, deletePendingFiles } from '../../archive/storage/pending-deletions.ts';
import { whyMediaUnavailable } from '../../archive/storage/mount-check.ts';
import { replaceInBucket, replacementPath } from '../../archive/storage/replace-file.ts';
import { readContainerMetadata } from '../../platform/media/container-metadata.ts';
import { probe } from '../../platform/media/probe.ts';
import { fitsMp4, remuxToMp4 } from '../../platform/media/remux.ts';
import { fingerprint, removeFile, placeFiles, syncFile } from '../../platform/files/files.ts';
import { deleteRenditions } from '../../archive/storage/rendition-files.ts';
import type { TaskWork } from '../../platform/context/task.ts';

/** Returns ffmpeg. @throws with a message for the user if ffmpeg or the media disk is missing. */
export async function canRemux(app: AppContext) {
  const why = await whyMediaUnavailable(app);
  if (why) throw new MessageError(why);
  if (!app.tools.ffmpeg) throw new MessageError(message('remux.no-ffmpeg'));
  return app.tools.ffmpeg;
}

/** Moves the new file into the library, updates the row and deletes the old file. */
async function replaceOnDisk(
  app: AppContext,
  { id, from, to }: { id: string; from: string; to: string },
  target: string,
  { signal, saveStreams }: { signal: AbortSignal; saveStreams(tx: Tx): Promise<void> },
) {
  const { db, config } = app;
  const sums = await fingerprint(target, signal);
  await placeFiles([{ from: target, to: join(config.mediaFolder, to), ...sums }], { replaces: true });
  const gone = await inTransaction(db, async (tx) => {
    const change = { mediaPath: to, ...sums, damage: null };
    const row = await tx.updateTable('video').set(change).where('id', '=', id).returning('id').executeTakeFirst();
    // If the video was deleted meanwhile, the new file is removed.
    const leaves = row ? from : to;
    if (row) {
      await cancelDeletion(tx, [to]);
      await saveStreams(tx);
    }
    await scheduleDeletion(tx, [leaves]);
    return leaves;
  });
  await deletePendingFiles(app, [gone]);
}

/**
 * Remuxes the file of a video to MP4, which more browsers support. The new file is moved into the library, then the row is
 * updated, then the old file is deleted; it can be repeated after an interruption. Returns the result as a message.
 */
export async function remuxFile(
  app: AppContext,
  id: string,
  { signal, report }: Pick<TaskWork<unknown>, 'signal' | 'report'>,
): Promise<Message> {
  const { db } = app;
  const ffmpeg = await canRemux(app);
  const video = await db.selectFrom('video').select(['title', 'mediaPath', 'sizeBytes']).where('id', '=', id).executeTakeFirst();
  if (!video) return message('remux.gone');
  if (extname(video.mediaPath).toLowerCase() === '.mp4') return message('remux.already', { title: video.title });
  report({ messages: [message('remux.running', { title: video.title })] });
  const mediaPath = `${video.mediaPath.slice(0, -extname(video.mediaPath).length)}.mp4`;
  const taken = await db.selectFrom('video').select('id').where('mediaPath', '=', mediaPath).executeTakeFirst();
  if (taken) throw new MessageError(message('remux.name-taken'));

  const lacks = await missingMediaSpace(app, video.sizeBytes);
  if (lacks) throw new MessageError(message('remux.no-space', lacks));

  const target = replacementPath(app, id, '.mp4');
  await removeFile(target);
  try {
    const source = await app.files.localPath(video.mediaPath, signal);
    const found = await probe(ffmpeg, source, signal);
    const inside = await readContainerMetadata(ffmpeg, source, signal);
    if (!fitsMp4(found, inside, [])) throw new MessageError(message('remux.incompatible'));
    const made = await remuxToMp4(ffmpeg, { source, target, found, inside }, signal);
    await syncFile(target);
    const saveStreams = async (tx: Tx) => {
      // Their order stays, and what the site said of sounds.
      const before = await tx
        .deleteFrom('stream')
        .where('videoId', '=', id)
        .returning(['position', 'type', 'language', 'kind'])
        .execute();
      const sounds = before.filter(({ type }) => type === 'audio').toSorted((a, b) => a.position - b.position);
      for (const { index, type, codec, bitrate, width = null, height = null } of made.streams) {
        const { language = null, kind = null } = (type === 'audio' && sounds.shift()) || {};
        const row = { videoId: id, position: index, type, codec, bitrate, width, height, language, kind };
        await tx.insertInto('stream').values(row).execute();
      }
    };
    if (app.files.isRemote) await replaceInBucket(app, id, target, { signal, also: saveStreams });
    else await replaceOnDisk(app, { id, from: video.mediaPath, to: mediaPath }, target, { signal, saveStreams });
    await deleteRenditions(app, id);
  } finally {
    await removeFile(target);
  }
  app.announce('video');
  return message('remux.done', { title: video.title });
}
