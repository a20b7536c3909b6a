import { MessageError } from '../../platform/messages/message-error.ts';
import { message, type Message } from '#contract/messages.ts';
import { extname } from 'node:path';
import type { AppContext } from '../../platform/context/app-context.ts';
import { missingMediaSpace } from '../../archive/storage/disk-space.ts';
import { whyMediaUnavailable } from '../../archive/storage/mount-check.ts';
import { replaceFile, replacementPath } from '../../archive/storage/replace-file.ts';
import { storedSounds, streamRows } from '../../archive/video/stream-rows.ts';
import { readContainerMetadata } from '../../platform/media/container-metadata.ts';
import { probe } from '../../platform/media/probe.ts';
import { fitsMp4, remuxToMp4 } from '../../platform/media/remux.ts';
import { removeFile } from '../../platform/files/files.ts';
import { deleteRenditions } from '../../archive/storage/rendition-files.ts';
import type { TaskWork } from '../../platform/context/task.ts';

/** Returns ffmpeg. @throws with a message for the user if ffmpeg or the media disk is missing. */
export async function canRemux(app: AppContext) {
  const why = await whyMediaUnavailable(app);
  if (why) throw new MessageError(why);
  if (!app.tools.ffmpeg) throw new MessageError(message('remux.no-ffmpeg'));
  return app.tools.ffmpeg;
}

/**
 * Remuxes the file of a video to MP4, which more browsers support. It can be repeated after an interruption. Returns the result as a
 * message.
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
    // The order of the streams stays.
    const streams = streamRows(made.streams, await storedSounds(db, id));
    await replaceFile(app, id, target, { signal, streams });
    await deleteRenditions(app, id);
  } finally {
    await removeFile(target);
  }
  app.announce('video');
  return message('remux.done', { title: video.title });
}
